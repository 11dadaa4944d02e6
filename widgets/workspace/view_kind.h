#pragma once

#include <span>

class QWidget;

namespace helio {

class ViewContext;

/// A view that lives in a dock: a shelf item of widgets/docks.
struct ViewKind {
    enum class Place { RightTop, RightBottom, Bottom };

    const char* id; ///< "events"; also the name of its folder.
    const char* title; ///< As on its tab and in the menu.
    Place place;
    int order; ///< Among the tabs of its place; those of one are in the order of their ids.
    int menuOrder; ///< Among the docks in the menu.
    const char* shortcut; ///< "Ctrl+6"; empty: none.
    const char* tip; ///< One sentence: what it shows.
    QWidget* (*make)(ViewContext& context, QWidget* parent);
    bool listsWarnings = false; ///< What ViewContext::warnings() counts: whoever clicks on their number wants to see it.
    bool isOnDemand = false; ///< Of what is rarely there: it has a tab only since it was asked for. Requires: its place is Bottom.
};

/// Every dock view that was built in. Generated from the folders of widgets/docks that define one.
std::span<const ViewKind* const> builtinViews();

/// The one that lists the warnings; null where none does.
const ViewKind* warningsView();

} // namespace helio
