#pragma once

#include "core/compare/difference_steps.h"
#include "core/compare/difference_widths.h"
#include "core/profiling/export/call_tree_text.h"

namespace helio {

struct DifferenceSvgOptions {
    SvgOptions picture;
    std::string rootName = "all"; ///< "solver, per process"
    DifferenceWidths widths;
    bool ofTotals = false; ///< Colours show the change with callees; else a frame's own.
    bool byRatio = false;
    DifferenceUnit unit;
};

/// A differential flame graph that zooms and searches in a browser, on its own. Red: B has more; blue: less; grey: within noise.
void writeDifferenceSvg(const DifferenceTree& tree, const DifferenceSvgOptions& options, const TextSink& write);

} // namespace helio
