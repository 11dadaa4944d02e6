#pragma once

#include "core/store/track.h"

#include <span>

class QWidget;

namespace helio {

class TimeAxis;
class TimePanel;
class ViewContext;

/// A panel under the ruler: a shelf item of widgets/views.
struct PanelKind {
    const char* id; ///< "control-flow"
    const char* title; ///< As in its header and in the menu.
    const char* tip; ///< One sentence: what it shows.
    int order; ///< From the top.
    TrackRole role; ///< Of its rows, but for groups and what lies below: it is where a window looks for threads, for CPUs.
    TimePanel* (*make)(ViewContext& context, TimeAxis& axis, QWidget* parent);
};

/// Every panel that was built in. Generated from the folders of widgets/views that define one.
std::span<const PanelKind* const> builtinPanels();

} // namespace helio
