#pragma once

#include "core/base/time.h"
#include "core/store/track_ref.h"
#include "core/trace/process/made_id.h"

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

class Store;
struct Timeline;

/// A row of a view. Rows without a track are groups: the rows of a host or of a trace are their children.
struct Row {
    TrackRef ref; ///< Track that the row shows; not valid for groups.
    /// Parent row, as an index into the result of rows(); -1 for a top-level row. A parent comes before its children.
    std::int32_t parent = -1;
    std::string id; ///< Id of the row: the key of the track; "host:..." or "trace:..." for groups.
    TrackRole role = TrackRole::Other; ///< Role of the track; Other for groups.
    std::string kind; ///< Kind of the track; "host" or "trace" for groups.
    std::string label;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::uint32_t trace = 0; ///< Trace of the row, as an index into Timeline::traces; for groups, the trace of the first row in the group.
    std::uint32_t host = 0;
    TimeRange life{};
    std::uint64_t intervals = 0;
    ValueKind valueKind = ValueKind::None;
    TrackDrawing band = TrackDrawing::Bars; ///< Style in which views draw the row, from the track.
    bool isKernelThread = false;

    std::int32_t shownTid() const { return tid < FirstMadeId ? tid : -1; } ///< TID for views; -1 if the row has none or it is made up.
};

/// True if the row is the group of one host's rows.
bool isHostRow(const Row& row);

/// True if the row shows a track of an application, e.g. of asynchronous operations, or the slices of such a track.
bool isApplicationTrack(const Row& row);

/// Returns the rows of a view over all traces, as a tree in display order.
std::vector<Row> rows(const Timeline& timeline, std::string_view view);

/// Returns the id of the first view that has rows of the given role, e.g. threads; empty if there is none.
std::string findViewWithRole(const Timeline& timeline, TrackRole role);

/// Return the rows of all threads or of all CPUs, over all traces, in display order. Their `parent` is not set.
std::vector<Row> threads(const Timeline& timeline);
std::vector<Row> cpus(const Timeline& timeline);

/// Returns the number of CPUs that have a row in `rows`. A CPU of a host counts once, although each recording of the host has a row for it.
std::size_t countCpus(std::span<const Row> rows);

/// Returns the trace that a track was derived from, as an index into Timeline::traces; the number of traces if the track does not exist.
std::uint32_t traceOf(const Timeline& timeline, TrackRef track);

/// Returns the states of a track; a set without states if the reference is not valid.
const StateSet& statesOf(const Timeline& timeline, TrackRef track);

/// Returns the name, category and style of a track's state; the state "unknown" if the track has no state with this number.
const StateKind& stateKind(const Timeline& timeline, TrackRef track, State state);
std::string_view stateName(const Timeline& timeline, TrackRef track, State state);
StateCategory meaningOf(const Timeline& timeline, TrackRef track, State state);

/// Returns the first of the track's states that has the given category. If the track has no such state, returns a state of this category
/// with a default style.
StateKind stateThatMeans(const Timeline& timeline, TrackRef track, StateCategory meaning);

/// Returns the type of the values of a track's intervals; ValueKind::None if the reference is not valid.
ValueKind valueKindOf(const Timeline& timeline, TrackRef track);

/// Returns an interval's value as text: a system call, an interrupt handler, "comm (tid)", the label of another row, a number, or a
/// function as frameText() returns it. Empty if there is no value. Never reads a file and never waits for a thread that reads one.
std::string valueText(const Timeline& timeline, TrackRef track, std::uint32_t value);

/// Returns every name that the thread of a track had, in time order.
std::vector<std::string> namesOf(const Timeline& timeline, TrackRef track);

/// Returns the attribute with the role `role` of a track; not valid if there is none. An attribute that consists of samples may be in
/// a different store of the trace, and may contain samples of several rows; ticksOf() then selects the samples of one row.
TrackRef attributeOf(const Timeline& timeline, TrackRef track, TrackRole role);

// These functions call the functions of Store with the same names, and convert times between the experiment's clock and the host's clock.
void spans(const Timeline& timeline, TrackRef track, TimeRange window, Duration resolution, Spans& out, std::stop_token stop = {});
std::vector<Interval> intervals(const Timeline& timeline, TrackRef track, TimeRange window, std::stop_token stop = {});
std::vector<Interval> intervalAt(const Timeline& timeline, TrackRef track, Timestamp at);
std::vector<Interval> nextInterval(const Timeline& timeline, TrackRef track, Timestamp at);
std::vector<Interval> previousInterval(const Timeline& timeline, TrackRef track, Timestamp at);

} // namespace helio
