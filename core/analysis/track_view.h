#pragma once

#include "core/store/track.h"
#include "core/trace/recording_advice.h"

#include <string>
#include <vector>

namespace helio {

/// A composite state: consecutive states of one row that together form one interval, e.g. a system call including the waits of its thread.
///
/// The interval begins with a state in `firsts`, continues while the row has no CPU, and ends with a state in `ends`. The interval is
/// discarded if the row meanwhile enters an unknown state, ends, or is on a CPU in a state that is neither in `firsts` nor in `between`.
struct CompositeState {
    std::string id; ///< Id of the composite state in commands, e.g. "syscall".
    std::string title; ///< Title of the composite state in the window, e.g. "System calls".
    std::string nameTitle; ///< Title of the table column with the names of the intervals, e.g. "System call".
    std::string rowKind; ///< Kind (Track::kind) of the rows in which the composite state occurs.
    std::vector<std::string> firsts; ///< Names of the states that begin an interval.
    /// Names of the states that end an interval. If empty, every state that is not in `firsts` ends an interval.
    std::vector<std::string> ends{};
    /// True if Interval::value of the states identifies the name of the composite interval, e.g. the system call; false if the composite
    /// interval has the name of its row. If true, all states of a composite interval must have one value. A composite interval is dropped
    /// if it contains a state of another value, unless `between` names this state.
    bool hasSingleValue = false;
    std::vector<std::string> between{};
    /// True if the composite state is searched only in rows of single CPUs. Rows of the same kind that combine all CPUs are skipped,
    /// because they contain the same intervals again.
    bool isOfCpu = false;
    /// Text for the user: the reason why a trace with the needed events may still have no intervals of this composite state. Empty if the
    /// only possible reason is that the state did not occur.
    std::string nothing{};
    bool operator==(const CompositeState&) const = default;
};

/// A view: rows or counters of one or more analyses, and how a panel shows them. If several analyses define a view with the same id, the
/// first definition with a title is used.
struct TrackView {
    std::string id; ///< Id of the view, matched by Track::view, e.g. "control-flow".
    std::string title{}; ///< Title in the window, e.g. "Control flow"; empty if another analysis defines the title.
    std::string tip{}; ///< Description of the view in one sentence, for menus.
    enum class Shape {
        Rows, ///< The view shows one row for each track.
        Curves, ///< The view shows counter curves (CounterSeries::view) in one plot.
    };
    Shape shape = Shape::Rows;
    /// True if the view shows all attributes that an analysis stores, as a debugging aid for authors of analyses. The panel exists only
    /// while the user wants it.
    bool isAttributeView = false;
    /// Views with the same group share a panel, which shows one of them at a time. The group is the id of one of these views, which comes
    /// first and gives the panel its title. Empty if the view has a panel of its own.
    std::string group{};
    std::string nameInGroup{}; ///< Name of the view in the panel of its group, e.g. "Throughput".
    bool areCalls = false; ///< True if the rows are call stacks: below each thread's row, one row for each depth.
    bool isBasic = false; ///< True if traces without rows of this view also get the panel, which then says what is missing.
    bool beginsCollapsed = false; ///< True if a new window shows only the header of the panel.
    /// True if series with the same title share a scale, apart from series with other titles; false if all series of the view share one
    /// scale. Only for Shape::Curves.
    bool hasOwnScales = false;
    int order = 100; ///< Position of the panel; smaller values are further up.
    TrackRole counted = TrackRole::Other; ///< Role of the rows that the panel's header counts; TrackRole::Other counts all rows.
    std::string one = "row"; ///< Singular noun for a counted row, or for a counter series if the view has curves.
    std::string many = "rows";
    /// Title of the table column with each row's share of CPU time; empty if the view has no such column. If the title contains %, the
    /// cells omit the unit.
    std::string share{};
    std::string number{}; ///< Title of the table column with the rows' numbers, e.g. "TID"; empty if the view has no such column.
    bool canHideIdleRows =
        false; ///< True if the user can hide rows that are idle in the visible range, and can sort rows by activity, busiest first.
    /// True if the view hides links of kinds that belong to no particular view (LinkKindInfo::views is empty). It then shows only the
    /// links of kinds that list this view in LinkKindInfo::views.
    bool hidesCommonLinks = false;
    std::vector<CompositeState> runs{}; ///< Composite states that occur in the view's rows.
    /// Data without which the view is empty. The command that records this data is appended to the message `nothing`.
    RecordableData data = RecordableData::None;
    /// Name patterns of the events without which the view is empty, if no value of RecordableData covers these events; else empty.
    std::vector<std::string> events{};
    std::string nothing{}; ///< Message shown if the view has neither rows nor counter series, e.g. "No events were recorded that...".
    bool operator==(const TrackView&) const = default;
};

} // namespace helio
