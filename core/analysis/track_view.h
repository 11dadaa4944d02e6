#pragma once

#include "core/store/track.h"

#include <string>

namespace helio {

/// A view that an analysis makes rows or counters for, and how a panel shows them. Several may make rows for one: the first that gives it
/// a title describes it.
struct TrackView {
    std::string id; ///< "control-flow": Track::view
    std::string title{}; ///< "Control flow". Empty: another analysis describes it.
    std::string tip{}; ///< One sentence for menus: what it shows.
    enum class Shape {
        Rows, ///< Tracks, one under the other.
        Curves, ///< The series of its counters (CounterSeries::view) over each other, as curves.
    };
    Shape shape = Shape::Rows;
    bool areAttributes = false; ///< Its rows are all that an analysis keeps, for who works on it: its panel is there when it is asked for.
    bool areCalls = false; ///< Its rows are call stacks: depths below threads.
    bool isBasic = false; ///< Its panel is there for traces without rows for it, too, and then says what is missing.
    bool beginsCollapsed = false; ///< Its panel is a header alone in a new window.
    int order = 100; ///< Of its panel, from the top.
    TrackRole counted = TrackRole::Other; ///< The rows that the header counts; Other: all of them.
    std::string one = "row"; ///< What one of those is called; of curves, what a series is.
    std::string many = "rows";
    std::string share{}; ///< Title of the column with each row's share of time on a CPU; with a %, the rows show bare numbers. Empty: none.
    std::string number{}; ///< Title of the column with the rows' numbers: "TID". Empty: none.
    bool canRest = false; ///< Rows that do nothing in the window may be hidden, and all be listed with the busiest first.
    bool hasOwnLinksAlone = false; ///< Links that are made for all views are not shown in it.
    std::string nothing{}; ///< Said where there are no rows and no series: "No events were recorded that...".
    bool operator==(const TrackView&) const = default;
};

} // namespace helio
