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
    HostSegment recorded; ///< The segment in its store, with times on the host's clock.

    TrackRef row() const { return {store, recorded.track}; } ///< Not valid: the segment is on no row.
    bool operator==(const Segment&) const = default;
};

// Kinds are named by their ids: if several stores have a kind with the same id, it is one kind. Segments of several stores are ordered by
// begin, then by store. A segment that overlaps a range is returned whole, not clipped to it; SegmentSet defines which segments overlap a
// range.

/// Returns all kinds, in the order of the stores; titles are from the first store that has the kind.
std::vector<SegmentKind> segmentKinds(const Timeline& timeline);
/// Returns the kind with that id; nullopt if no store has it.
std::optional<SegmentKind> findSegmentKind(const Timeline& timeline, std::string_view kind);

/// Returns the id of a segment's kind. Lives as long as the timeline.
std::string_view kindOf(const Timeline& timeline, const Segment& segment);

/// Returns the name of a segment; empty if it has none. Lives as long as the timeline.
std::string_view nameOf(const Timeline& timeline, const Segment& segment);

/// Returns the fields of a segment as "k=v;k=v"; empty if it has none. Lives as long as the timeline.
std::string_view fieldsOf(const Timeline& timeline, const Segment& segment);

/// Returns the row of a segment. If its track is in no view, only the facts about the track are set; if it has no track, only trace and
/// host.
Row rowOf(const Timeline& timeline, const Segment& segment);

/// Calls `take` for each segment that overlaps the range, in order. Ends early once `stop` is requested.
/// Cost: about 30 ns per segment. Memory: if several stores have the kind, 80 bytes for each of about 65,536 segments, more if many
/// segments begin at the same time.
void forEachSegment(const Timeline& timeline, std::string_view kind, TimeRange range, const std::function<void(const Segment&)>& take,
                    std::stop_token stop = {});

/// Returns the sum over all segments of a kind; lengths are on the hosts' clocks.
/// Cost: constant.
SegmentSum segmentSum(const Timeline& timeline, std::string_view kind);

/// Returns the nearest segment of the same kind after or before a segment, in order; nullopt if there is none.
std::optional<Segment> nextSegment(const Timeline& timeline, const Segment& segment);
std::optional<Segment> previousSegment(const Timeline& timeline, const Segment& segment);

/// Returns the nearest segment of a kind that begins after or before `at`, in order; nullopt if there is none.
std::optional<Segment> nextSegment(const Timeline& timeline, std::string_view kind, Timestamp at);
std::optional<Segment> previousSegment(const Timeline& timeline, std::string_view kind, Timestamp at);

/// Returns the track of the thread whose calls are on `track`: its parent if `track` is a row of calls, else `track` itself. NoTrack: there
/// is no such track.
TrackId threadTrack(const Store& store, TrackId track);

/// Returns the call on a row at a time; nullopt if there is none, or if the row has no calls. Calls without length are not found.
/// Cost: reads a block of segments for each kind of calls; less than a ms.
std::optional<Segment> callAt(const Timeline& timeline, TrackRef row, Timestamp at);

/// Returns the callers of a call, innermost first; ends at the first unknown caller.
/// Cost: as callAt().
std::vector<Segment> callersOf(const Timeline& timeline, const Segment& call);

} // namespace helio
