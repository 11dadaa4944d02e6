#pragma once

#include "core/store/track.h"

#include <string>
#include <vector>

namespace helio {

/// What several states of a row, one after the other, are together: a system call, with all that its thread waited meanwhile.
///
/// It begins with one of the first states, and goes on, also while the row has no CPU, until a state that ends it. It is none where the row
/// does anything else on a CPU meanwhile, or nothing is known of it, or it ends.
struct StateRun {
    std::string id; ///< "syscall": as commands call it.
    std::string title; ///< "System calls".
    std::string nameTitle; ///< What their names are: "System call".
    std::string rowKind; ///< Of the rows (Track::kind) that have them.
    std::vector<std::string> firsts; ///< Any of them begins it. Names of states from here on.
    std::vector<std::string> ends{}; ///< Empty: any other state ends it.
    /// All of it has one value, which names it: another value ends it without being one, but in the states of `between`. False: the row
    /// names it.
    bool isOfOneValue = false;
    std::vector<std::string> between{};
    bool isOfCpu = false; ///< Of rows on one CPU: those of the same kind over all CPUs show them once more.
    std::string nothing{}; ///< Why a recording may have none although it has the events; empty: there is no reason but that none happened.
    bool operator==(const StateRun&) const = default;
};

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
    bool hasOwnScales = false; ///< Of curves: those of one title have a scale of their own, where there are several titles.
    int order = 100; ///< Of its panel, from the top.
    TrackRole counted = TrackRole::Other; ///< The rows that the header counts; Other: all of them.
    std::string one = "row"; ///< What one of those is called; of curves, what a series is.
    std::string many = "rows";
    std::string share{}; ///< Title of the column with each row's share of time on a CPU; with a %, the rows show bare numbers. Empty: none.
    std::string number{}; ///< Title of the column with the rows' numbers: "TID". Empty: none.
    bool canRest = false; ///< Rows that do nothing in the window may be hidden, and all be listed with the busiest first.
    bool hasOwnLinksAlone = false; ///< Links that are made for all views are not shown in it.
    std::vector<StateRun> runs{}; ///< What its rows' states are together.
    std::string nothing{}; ///< Said where there are no rows and no series: "No events were recorded that...".
    bool operator==(const TrackView&) const = default;
};

} // namespace helio
