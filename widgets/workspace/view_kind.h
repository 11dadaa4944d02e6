#pragma once

#include <algorithm>
#include <span>

class QWidget;

namespace helio {

class ViewContext;
struct Timeline;

/// Description of a view that lives in a dock: an item of widgets/docks.
struct ViewKind {
    /// Header: a list that opens below a button of the window's header, which shows how many entries it has.
    enum class Place { RightTop, RightBottom, Bottom, Header };

    const char* id; ///< E.g. "events"; also the name of its folder.
    const char* title; ///< Title of its tab and its menu item.
    Place place;
    int order; ///< Position among the tabs of its place; tabs with equal order are sorted by id.
    int menuOrder; ///< Position among the docks in the menu.
    const char* shortcut; ///< E.g. "Ctrl+6"; empty if there is none.
    const char* tip; ///< One sentence that says what the view shows.
    QWidget* (*make)(ViewContext& context, QWidget* parent);
    /// Name of its icon, for views in the header and for views at the side in a narrow window; nullptr for views at the bottom.
    const char* icon = nullptr;
    /// True if the view lists the messages that ViewContext::warnings() counts; a click on that number opens it.
    bool listsWarnings = false;
    /// True if the timeline gives the view something to show: then it has a tab. Otherwise it has one from when the user asks for it until
    /// the user closes it. nullptr: it always has a tab. Only views at the bottom have one.
    /// Threads: UI thread. Cost: negligible.
    bool (*hasContent)(const Timeline& timeline) = nullptr;
};

/// A value of ViewKind::hasContent: the view appears only when the user asks for it.
inline bool isNeverShownUnasked(const Timeline&) { return false; }

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
