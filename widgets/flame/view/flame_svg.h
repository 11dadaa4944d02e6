#pragma once

#include "core/profiling/export/call_tree_text.h"
#include "widgets/flame/view/flame_colors.h"

namespace helio {

/// Writes a flame graph as SVG that zooms and searches in a browser, in the colours of the window and with each frame's share. Needs no
/// QGuiApplication.
void writeFlameSvg(const CallTree& tree, WeightBy by, const SvgOptions& options, FlameColoring coloring, const ModuleColors* modules,
                   const Theme& theme, const TextSink& write);

} // namespace helio
