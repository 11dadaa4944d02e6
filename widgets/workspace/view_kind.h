#pragma once

#include <algorithm>
#include <span>

class QWidget;

namespace helio {

class ViewContext;
struct Timeline;

/// Description of a view in a dock: one of the views in widgets/docks.
struct ViewKind {
    /// Initial position of a view. A view at Area::Header is a list that opens below a button of the window's header; the button shows the
    /// number of entries.
    enum class Area { RightTop, RightBottom, Bottom, Header };

    const char* id; ///< Id of the view and name of its folder, e.g. "events".
    const char* title; ///< Title of the view's tab and menu item.
    Area area;
    int order; ///< Sort key among the tabs of the same area; tabs with equal keys are sorted by id.
    int menuOrder; ///< Sort key among the docks in the menu.
    const char* shortcut; ///< Keyboard shortcut, e.g. "Ctrl+6"; empty for none.
    const char* tip; ///< Sentence that says what the view shows.
    QWidget* (*make)(ViewContext& context, QWidget* parent);
    /// Name of the view's icon, for views in the header and, in a narrow window, for views at the side; nullptr for views at the bottom.
    const char* icon = nullptr;
    /// True for the view that lists the messages counted by ViewContext::warnings(); a click on the count shows the view.
    bool listsWarnings = false;
    /// Returns whether the timeline has content for the view. Without content, the view has a tab only from when the user requests it until
    /// the user closes it. nullptr: the view always has a tab. Only views at the bottom have this function.
    /// Threads: UI thread.
    /// Cost: negligible.
    bool (*hasContent)(const Timeline& timeline) = nullptr;
};

/// Value of ViewKind::hasContent for a view that is only shown on request.
inline bool isNeverShownUnasked(const Timeline&) { return false; }

/// Returns all built-in dock views. Generated from the folders of widgets/docks that define a view.
std::span<const ViewKind* const> builtinViews();

/// Returns the view that lists the warnings; nullptr if there is none.
inline const ViewKind* warningsView()
{
    const auto all = builtinViews();
    const auto found = std::ranges::find(all, true, &ViewKind::listsWarnings);
    return found == all.end() ? nullptr : *found;
}

} // namespace helio
