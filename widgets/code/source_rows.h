#pragma once

#include "core/profiling/samples/annotation.h"
#include "core/profiling/samples/source_text.h"
#include "widgets/code/code_pane.h"

namespace helio {

/// What shares count.
struct ShareChoice {
    bool withCallees = false; ///< Else the samples taken in the code itself, as perf annotate.
    WeightBy by = WeightBy::Samples;
};

/// The share of a piece of code in its function.
double shareOf(const CodeSums& sums, const Annotation& annotation, ShareChoice choice);

/// Of each line of a file the parts with colours.
using FileColours = std::vector<std::vector<CodePiece>>;

/// By file. Any thread. Cost: some 100 ns a letter.
std::vector<FileColours> coloursOf(const std::vector<SourceText>& sources, const std::vector<std::string>& files);

/// The function's file whole, then what was inlined from others with some lines around it. A file that was not found: its lines with
/// samples alone. `sources`, `colours`: by Annotation::files.
std::vector<CodeRow> sourceRows(const Annotation& annotation, const std::vector<SourceText>& sources,
                                const std::vector<FileColours>& colours, ShareChoice choice);

/// The instructions; without any, the addresses sampled.
std::vector<CodeRow> instructionRows(const Annotation& annotation, ShareChoice choice);
std::vector<CodeJump> jumpsOf(const Annotation& annotation); ///< Between those rows.

/// The row to begin with: the hottest, or the first of the function.
int firstRow(const std::vector<CodeRow>& rows);

} // namespace helio
