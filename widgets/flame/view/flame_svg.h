#pragma once

#include "core/profiling/export/call_tree_text.h"
#include "widgets/flame/view/flame_colors.h"

namespace helio {

/// Writes a flame graph as SVG, in the colours of the window and with the share of each frame. Zooming and searching work in a browser.
/// Needs no QGuiApplication.
void writeFlameSvg(const CallTree& tree, WeightBy by, const SvgOptions& options, FlameColoring coloring, const ModuleColors* modules,
                   const Theme& theme, const TextSink& write);

} // namespace helio
