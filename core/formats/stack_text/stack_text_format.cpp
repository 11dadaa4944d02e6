// Reader for texts with samples: the output of `perf script`, and folded stacks ("a;b;c 12"), which FlameGraph's stackcollapse scripts and
// many profilers write; with two counts if difffolded.pl wrote them. Texts may be compressed with gzip, zstd, xz or bzip2.
//
// Names are taken from the text; addresses are not resolved. Samples without times all lie at 0, and TraceInfo::hasTimes is false. Branch
// stacks and the source lines of -F srcline are not read.

#include "core/formats/stack_text/text_opening.h"

namespace helio {

extern const TraceFormat stackTextFormat{"stack text", stacktext::findText,
                                         [](const TraceSource& source, std::stop_token) { return stacktext::beginText(source); }};

} // namespace helio
