#pragma once

#include <algorithm>
#include <span>

class QWidget;

namespace helio {

class ViewContext;

/// Description of a view that lives in a dock: an item of widgets/docks.
struct ViewKind {
    enum class Place { RightTop, RightBottom, Bottom };

    const char* id; ///< E.g. "events"; also the name of its folder.
    const char* title; ///< Title of its tab and its menu item.
    Place place;
    int order; ///< Position among the tabs of its place; tabs with equal order are sorted by id.
    int menuOrder; ///< Position among the docks in the menu.
    const char* shortcut; ///< E.g. "Ctrl+6"; empty if there is none.
    const char* tip; ///< One sentence that says what the view shows.
    QWidget* (*make)(ViewContext& context, QWidget* parent);
    /// True if the view lists the messages that ViewContext::warnings() counts; a click on that number opens it.
    bool listsWarnings = false;
    bool isOnDemand = false; ///< True if the view is rarely needed: it has a tab only after it was opened. Requires: place is Bottom.
};

/// All dock views that were built in. Generated from the folders of widgets/docks that define a view.
std::span<const ViewKind* const> builtinViews();

/// The view that lists the warnings; nullptr if there is none.
inline const ViewKind* warningsView()
{
    const auto all = builtinViews();
    const auto found = std::ranges::find(all, true, &ViewKind::listsWarnings);
    return found == all.end() ? nullptr : *found;
}

} // namespace helio
