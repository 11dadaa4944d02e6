#pragma once

#include "core/profiling/samples/annotation.h"
#include "core/profiling/samples/source_text.h"
#include "widgets/code/code_pane.h"

namespace helio {

/// Selects the samples that shares count.
struct ShareBasis {
    /// True: samples in functions called from the line count as well. False: only samples in the code itself, like perf annotate.
    bool withCallees = false;
    WeightBy by = WeightBy::Samples;
};

/// Share of the samples `sums` in the samples of the function, 0 to 1.
double shareOf(const CodeSums& sums, const Annotation& annotation, ShareBasis choice);

/// Coloured ranges by line of a file.
using FileTokens = std::vector<std::vector<CodeToken>>;

/// Returns the coloured ranges by file. Cost: about 100 ns per letter. Threads: any.
std::vector<FileTokens> tokenizeSources(const std::vector<SourceText>& sources, const std::vector<std::string>& files);

/// Rows of the whole file of the function, then the code inlined from other files with three lines around it. A file that was not found has
/// rows only for the lines with samples. `sources` and `colours` are indexed like Annotation::files.
std::vector<CodeRow> sourceRows(const Annotation& annotation, const std::vector<SourceText>& sources,
                                const std::vector<FileTokens>& colours, ShareBasis choice);

/// Rows of the instructions; without instructions, of the sampled addresses.
std::vector<CodeRow> instructionRows(const Annotation& annotation, ShareBasis choice);
std::vector<CodeJump> findJumps(const Annotation& annotation); ///< Jumps between the rows of instructionRows().

/// Row to show first: the hottest; without samples, the first with a link.
int firstRow(const std::vector<CodeRow>& rows);

} // namespace helio
