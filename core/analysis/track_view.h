#pragma once

#include "core/store/track.h"

#include <string>
#include <vector>

namespace helio {

/// A composite state: consecutive states of a row that together form one interval, e.g. a system call together with all waits of its thread
/// meanwhile.
///
/// It begins with a state in `firsts` and continues, also while the row has no CPU, until a state ends it. The interval is discarded if
/// meanwhile the row is in an unknown state, ends, or is on a CPU in another state than those in `firsts` and `between`.
struct CompositeState {
    std::string id; ///< Id in commands, e.g. "syscall".
    std::string title; ///< Title in the window, e.g. "System calls".
    std::string nameTitle; ///< Title of the column with the intervals' names, e.g. "System call".
    std::string rowKind; ///< Kind (Track::kind) of the rows that have such intervals.
    std::vector<std::string> firsts; ///< Names of states; each of them begins an interval.
    std::vector<std::string> ends{}; ///< Names of the states that end an interval. If empty, every state that is not in `firsts` ends it.
    /// True if the value of the states names the interval, and all states of one interval have the same value. A state with another value
    /// discards the interval, unless it is in `between`. False if the row names the interval.
    bool hasSingleValue = false;
    std::vector<std::string> between{};
    /// True if only rows of one CPU have such intervals. Rows of the same kind over all CPUs repeat them and are left out.
    bool isOfCpu = false;
    /// Why a recording may have no such interval although it has the events; empty if the only reason is that none happened.
    std::string nothing{};
    bool operator==(const CompositeState&) const = default;
};

/// A view: the rows or counters of one or more analyses, and how a panel shows them. If several analyses have a view of the same id, the
/// first one that gives it a title describes it.
struct TrackView {
    std::string id; ///< Id of the view, matched by Track::view, e.g. "control-flow".
    std::string title{}; ///< Title in the window, e.g. "Control flow"; empty if another analysis describes the view.
    std::string tip{}; ///< Description in one sentence, for menus.
    enum class Shape {
        Rows, ///< One row for each track, one below the other.
        Curves, ///< Curves of its counter series (CounterSeries::view), drawn over each other.
    };
    Shape shape = Shape::Rows;
    /// True if the rows are all attributes that an analysis keeps, for authors of analyses. The panel exists only while the user asks for
    /// it.
    bool isAttributeView = false;
    bool areCalls = false; ///< True if the rows are call stacks: one row for each depth, below the rows of threads.
    bool isBasic = false; ///< True if the panel also exists for traces without rows of this view; the panel then says what is missing.
    bool beginsCollapsed = false; ///< True if the panel is collapsed to its header in a new window.
    bool hasOwnScales = false; ///< For curves: true if the series of each title have their own scale. Applies if there are several titles.
    int order = 100; ///< Position of the panel; smaller values are further up.
    TrackRole counted = TrackRole::Other; ///< Role of the rows that the header counts; Other counts all rows.
    std::string one = "row"; ///< Singular noun for the counted rows, or for a series of curves.
    std::string many = "rows";
    /// Title of the column with each row's share of time on a CPU; empty if there is no such column. If it contains a %, the cells are bare
    /// numbers.
    std::string share{};
    std::string number{}; ///< Title of the column with the numbers of the rows, e.g. "TID"; empty if there is no such column.
    bool canHideIdleRows =
        false; ///< True if the user can hide rows that are idle in the visible range, and sort all rows with the busiest first.
    bool hidesCommonLinks = false; ///< True if the view does not show links that are made for all views.
    std::vector<CompositeState> runs{}; ///< Composite states of the rows.
    std::string nothing{}; ///< Message that is shown if there are no rows and no series, e.g. "No events were recorded that...".
    bool operator==(const TrackView&) const = default;
};

} // namespace helio
