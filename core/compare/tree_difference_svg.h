#pragma once

#include "core/compare/difference_steps.h"
#include "core/compare/difference_widths.h"
#include "core/profiling/export/call_tree_text.h"

namespace helio {

struct DifferenceSvgOptions {
    SvgOptions picture;
    std::string rootName = "all"; ///< Text of the root frame, e.g. "solver, per process".
    DifferenceWidths widths;
    bool ofTotals = false; ///< True if colours show the change of a frame including its callees, false if the change of the frame alone.
    bool byRatio = false;
    DifferenceUnit unit;
};

/// Writes a differential flame graph as one SVG file that supports zoom and search in a browser. Frames are red if B has more, blue if B
/// has less, and grey if the difference is within noise.
void writeDifferenceSvg(const DifferenceTree& tree, const DifferenceSvgOptions& options, const TextSink& write);

} // namespace helio
