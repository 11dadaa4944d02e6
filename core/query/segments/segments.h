#pragma once

#include "core/query/rows/rows.h"
#include "core/store/segments.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio {

class Store;

/// A segment of one of the timeline's stores.
struct Segment {
    TimeRange range;
    StoreIndex store{};
    HostSegment recorded; ///< The segment as its store has it, with times on the host's clock.

    TrackRef row() const { return {store, recorded.track}; } ///< Returns the track of the segment; not valid if the segment is on no row.
    bool operator==(const Segment&) const = default;
};

// Queries of segments over all stores. Kinds are identified by their ids: kinds of several stores with the same id are one kind. Segments
// are ordered by start, then by store. Segments are never clipped to the queried range; SegmentSet defines which segments overlap a range.

/// Returns all kinds of segments, in the order of the stores. If several stores have a kind, its title is from the first store.
std::vector<SegmentKind> segmentKinds(const Timeline& timeline);
/// Returns the kind of segments with the given id; nullopt if no store has this kind.
std::optional<SegmentKind> findSegmentKind(const Timeline& timeline, std::string_view kind);

/// Returns the id of a segment's kind. Valid as long as the timeline.
std::string_view kindOf(const Timeline& timeline, const Segment& segment);

/// Returns the name of a segment; empty if it has none. Valid as long as the timeline.
std::string_view nameOf(const Timeline& timeline, const Segment& segment);

/// Returns the fields of a segment as "k=v;k=v"; empty if it has none. Valid as long as the timeline.
std::string_view fieldsOf(const Timeline& timeline, const Segment& segment);

/// Returns the row of a segment. If no view shows the segment's track, only the members about the track are set; if the segment has no
/// track, only `trace` and `host`.
Row rowOf(const Timeline& timeline, const Segment& segment);

/// Calls `take` for each segment of a kind that overlaps the range, ordered by start. Returns early if `stop` is requested.
/// Cost: about 30 ns per segment.
/// Memory: if several stores have the kind, 80 bytes for each of about 65,536 segments, more if many segments begin at the same time.
void forEachSegment(const Timeline& timeline, std::string_view kind, TimeRange range, const std::function<void(const Segment&)>& take,
                    std::stop_token stop = {});

/// Returns the number and total length of all segments of a kind; lengths are on the hosts' clocks.
/// Cost: constant.
SegmentSum segmentSum(const Timeline& timeline, std::string_view kind);

/// Return the segment of the same kind that follows or precedes `segment` in the order of start times; nullopt if there is none.
std::optional<Segment> nextSegment(const Timeline& timeline, const Segment& segment);
std::optional<Segment> previousSegment(const Timeline& timeline, const Segment& segment);

/// Return the nearest segment of a kind that begins after (nextSegment) or before (previousSegment) `at`; nullopt if there is none.
std::optional<Segment> nextSegment(const Timeline& timeline, std::string_view kind, Timestamp at);
std::optional<Segment> previousSegment(const Timeline& timeline, std::string_view kind, Timestamp at);

/// Returns the track of the thread to which a row belongs: if `track` is a row of calls, the parent of `track`; else `track` itself.
/// Returns NoTrack if `track` does not exist.
TrackId threadTrack(const Store& store, TrackId track);

/// True if a state of a row of calls marks a tick: an interval of 1 ns that shows a call of duration 0 (calls::WithoutDuration).
bool isCallTick(const Timeline& timeline, TrackRef row, State state);

/// Returns the call that a row shows at a time; nullopt if there is none, or if the row has no calls. A call of duration 0 is found at its
/// tick.
/// Cost: reads a block of segments for each kind of calls; less than a ms.
std::optional<Segment> callAt(const Timeline& timeline, TrackRef row, Timestamp at);

/// Returns the callers of a call, innermost first, up to the first unknown caller.
/// Cost: that of callAt().
std::vector<Segment> callersOf(const Timeline& timeline, const Segment& call);

} // namespace helio
