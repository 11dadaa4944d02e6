// Sample text of other tools: what `perf script` prints, and folded stacks ("a;b;c 12", as FlameGraph's stackcollapse scripts and many
// profilers write them; with two counts, as difffolded.pl does). Plain, or compressed with gzip, zstd, xz or bzip2.
//
// Names are those of the text; nothing is resolved. Samples without times all lie at 0, and TraceInfo::hasTimes says so. Not read: branch
// stacks, and the source lines of -F srcline.

#include "core/formats/stack_text/text_opening.h"

namespace helio {

extern const TraceFormat stackTextFormat{"stack text", stacktext::findText,
                                         [](const TraceSource& source, std::stop_token) { return stacktext::beginText(source); }};

} // namespace helio
