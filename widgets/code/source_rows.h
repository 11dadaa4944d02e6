#pragma once

#include "core/query/annotation.h"
#include "core/query/source_text.h"
#include "widgets/code/code_pane.h"

namespace helio {

/// What shares count.
struct ShareChoice {
    bool withCallees = false; ///< Else the samples taken in the code itself, as perf annotate.
    WeightBy by = WeightBy::Samples;
};

/// The share of a piece of code in its function.
double shareOf(const CodeSums& sums, const Annotation& annotation, ShareChoice choice);

/// The function's file whole, then what was inlined from others with some lines around it. A file that was not found: its lines with
/// samples alone. `sources`: by Annotation::files.
std::vector<CodeRow> sourceRows(const Annotation& annotation, const std::vector<SourceText>& sources, ShareChoice choice);

/// The instructions; without any, the addresses sampled.
std::vector<CodeRow> instructionRows(const Annotation& annotation, ShareChoice choice);
std::vector<CodeJump> jumpsOf(const Annotation& annotation); ///< Between those rows.

/// The row to begin with: the hottest, or the first of the function.
int firstRow(const std::vector<CodeRow>& rows);

} // namespace helio
