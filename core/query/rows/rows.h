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
    std::int32_t parent = -1; ///< Index in the answer; a parent stands before its children.
    std::string id; ///< The track's key; groups have "host:..." or "trace:...".
    TrackRole role = TrackRole::Other; ///< The track's.
    std::string kind; ///< The track's kind, or "host", "trace".
    std::string label;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::uint32_t trace = 0; ///< Index in the timeline; of groups: that of the first row in them.
    std::uint32_t host = 0;
    TimeRange life{};
    std::uint64_t intervals = 0;
    ValueKind valueKind = ValueKind::None;
    Band band = Band::Bars; ///< The track's.
    bool isKernelThread = false;
};

/// A group that has the rows of one host below it.
bool isHostRow(const Row& row);

/// The rows of a view over all traces, as a tree in display order.
std::vector<Row> rows(const Timeline& timeline, std::string_view view);

/// The first view with rows of that role: where threads are. Empty where there are none.
std::string viewWith(const Timeline& timeline, TrackRole role);

/// The threads, or the CPUs, of all traces, in display order, without parents.
std::vector<Row> threads(const Timeline& timeline);
std::vector<Row> cpus(const Timeline& timeline);

/// The trace that a track was derived from: its index in the timeline. As many as there are traces where there is no such track.
std::uint32_t traceOf(const Timeline& timeline, TrackRef track);

/// The states a track takes. A set without states where the reference is not valid.
const StateSet& statesOf(const Timeline& timeline, TrackRef track);

/// A state of a track: what it is called, means and looks like. Where the track has no such state, "unknown".
const StateKind& stateKind(const Timeline& timeline, TrackRef track, State state);
std::string_view stateName(const Timeline& timeline, TrackRef track, State state);
Meaning meaningOf(const Timeline& timeline, TrackRef track, State state);

/// The first of a track's states that means so. One of that meaning alone, without a look, where it has none.
StateKind stateThatMeans(const Timeline& timeline, TrackRef track, Meaning meaning);

/// What the values of a track's intervals are. None where the reference is not valid.
ValueKind valueKindOf(const Timeline& timeline, TrackRef track);

/// What an interval's value says: a system call, a handler, "comm (tid)", another row's label, a number, a function as far as it is known
/// at once. Empty for none. Reads no file, and waits for nobody who does.
std::string valueText(const Timeline& timeline, TrackRef track, std::uint32_t value);

/// Every name that a thread's track held, first to last.
std::vector<std::string> namesOf(const Timeline& timeline, TrackRef track);

/// The attribute track of that role below a track; of samples, where it is in its own store or another of its trace (ticksOf() says which
/// part of it is the row's). Not valid where there is none.
TrackRef attributeOf(const Timeline& timeline, TrackRef track, TrackRole role);

// See Store for the contracts; times are the experiment's.
void spans(const Timeline& timeline, TrackRef track, TimeRange window, Duration resolution, Spans& out, std::stop_token stop = {});
std::vector<Interval> intervals(const Timeline& timeline, TrackRef track, TimeRange window, std::stop_token stop = {});
std::vector<Interval> intervalAt(const Timeline& timeline, TrackRef track, Timestamp at);
std::vector<Interval> nextInterval(const Timeline& timeline, TrackRef track, Timestamp at);
std::vector<Interval> previousInterval(const Timeline& timeline, TrackRef track, Timestamp at);

} // namespace helio
