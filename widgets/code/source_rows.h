#pragma once

#include "core/profiling/samples/annotation.h"
#include "core/profiling/samples/source_text.h"
#include "widgets/code/code_pane.h"

namespace helio {

/// Selects the samples that count in the share of a line or instruction (shareOf()), and whether their number or weight counts.
struct ShareBasis {
    /// True to also count samples in functions called from the line; false to count only samples in the line itself, as perf annotate does.
    bool withCallees = false;
    WeightBy by = WeightBy::Samples;
};

/// Returns the share of `sums` in all samples of the function, 0 to 1.
double shareOf(const CodeSums& sums, const Annotation& annotation, ShareBasis choice);

/// Coloured ranges of a file, by line.
using FileTokens = std::vector<std::vector<CodeToken>>;

/// Returns the coloured ranges of each file.
/// Threads: any.
/// Cost: about 100 ns per character.
std::vector<FileTokens> tokenizeSources(const std::vector<SourceText>& sources, const std::vector<std::string>& files);

/// Returns the rows of the function's whole file, followed by code inlined from other files with three lines around. A file that was not
/// found only has rows for lines with samples. `sources` and `colours` are indexed like Annotation::files.
std::vector<CodeRow> sourceRows(const Annotation& annotation, const std::vector<SourceText>& sources,
                                const std::vector<FileTokens>& colours, ShareBasis choice);

/// Returns the rows of the instructions, or of the sampled addresses if there are no instructions.
std::vector<CodeRow> instructionRows(const Annotation& annotation, ShareBasis choice);
/// Returns the function's jumps; `from` and `to` are indices of the rows of instructionRows().
std::vector<CodeJump> findJumps(const Annotation& annotation);

/// Returns the index of the row to scroll to first: the row with the largest share of the samples. Without samples, returns the first row
/// with a CodeRow::link; 0 if there is none.
int firstRow(const std::vector<CodeRow>& rows);

} // namespace helio
