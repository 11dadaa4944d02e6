#pragma once

#include "core/compare/difference_steps.h"
#include "core/compare/difference_widths.h"
#include "core/profiling/export/call_tree_text.h"

namespace helio {

struct DifferenceSvgOptions {
    SvgOptions picture;
    std::string rootName = "all"; ///< Text of the root frame, e.g. "solver, per process".
    DifferenceWidths widths;
    bool ofTotals = false; ///< True if colours show the change of a frame with its callees, false without them.
    bool byRatio = false;
    DifferenceUnit unit;
};

/// Writes a differential flame graph that zooms and searches in a browser without other files. Red frames have more in B, blue frames less;
/// grey frames are within noise.
void writeDifferenceSvg(const DifferenceTree& tree, const DifferenceSvgOptions& options, const TextSink& write);

} // namespace helio
