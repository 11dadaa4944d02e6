#pragma once

#include "core/base/time.h"
#include "core/store/track_ref.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

class Store;
struct Timeline;

/// A row of a view. Rows without a track group others (a host, a trace).
struct Row {
    TrackRef ref; ///< Not valid for groups.
    std::int32_t parent = -1; ///< Index into the returned rows; -1 for a top-level row. A parent stands before its children.
    std::string id; ///< Key of the track; "host:..." or "trace:..." for groups.
    TrackRole role = TrackRole::Other; ///< Role of the track; Other for groups.
    std::string kind; ///< Kind of the track; "host" or "trace" for groups.
    std::string label;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::uint32_t trace = 0; ///< Index into Timeline::traces; for groups, the trace of the first row in the group.
    std::uint32_t host = 0;
    TimeRange life{};
    std::uint64_t intervals = 0;
    ValueKind valueKind = ValueKind::None;
    TrackDrawing band = TrackDrawing::Bars; ///< Drawing of the track.
    bool isKernelThread = false;
};

/// True if the row is the group of one host's rows.
bool isHostRow(const Row& row);

/// Returns the rows of a view over all traces, as a tree in display order.
std::vector<Row> rows(const Timeline& timeline, std::string_view view);

/// Returns the first view with rows of that role, e.g. with threads; empty if there is none.
std::string findViewWithRole(const Timeline& timeline, TrackRole role);

/// Return the threads, or the CPUs, of all traces in display order, without parents.
std::vector<Row> threads(const Timeline& timeline);
std::vector<Row> cpus(const Timeline& timeline);

/// Returns the trace that a track was derived from, as an index into Timeline::traces; the number of traces if there is no such track.
std::uint32_t traceOf(const Timeline& timeline, TrackRef track);

/// Returns the states of a track; a set without states if the reference is not valid.
const StateSet& statesOf(const Timeline& timeline, TrackRef track);

/// Returns the name, category and style of a track's state; "unknown" if the track has no such state.
const StateKind& stateKind(const Timeline& timeline, TrackRef track, State state);
std::string_view stateName(const Timeline& timeline, TrackRef track, State state);
StateCategory meaningOf(const Timeline& timeline, TrackRef track, State state);

/// Returns the first of a track's states with that category; a state with that category and default style if it has none.
StateKind stateThatMeans(const Timeline& timeline, TrackRef track, StateCategory meaning);

/// Returns what the values of a track's intervals are; ValueKind::None if the reference is not valid.
ValueKind valueKindOf(const Timeline& timeline, TrackRef track);

/// Returns an interval's value as text: a system call, an interrupt handler, "comm (tid)", the label of another row, a number, or a
/// function as far as it is known at once. Empty if there is no value. Reads no file, and does not wait for another thread that reads one.
std::string valueText(const Timeline& timeline, TrackRef track, std::uint32_t value);

/// Returns every name that a thread's track held, first to last.
std::vector<std::string> namesOf(const Timeline& timeline, TrackRef track);

/// Returns the attribute track of that role below a track. Attributes of samples may be in another store of the same trace; ticksOf() tells
/// which part of such a track belongs to the row. Not valid: there is none.
TrackRef attributeOf(const Timeline& timeline, TrackRef track, TrackRole role);

// See Store for the contracts; times here are the experiment's.
void spans(const Timeline& timeline, TrackRef track, TimeRange window, Duration resolution, Spans& out, std::stop_token stop = {});
std::vector<Interval> intervals(const Timeline& timeline, TrackRef track, TimeRange window, std::stop_token stop = {});
std::vector<Interval> intervalAt(const Timeline& timeline, TrackRef track, Timestamp at);
std::vector<Interval> nextInterval(const Timeline& timeline, TrackRef track, Timestamp at);
std::vector<Interval> previousInterval(const Timeline& timeline, TrackRef track, Timestamp at);

} // namespace helio
