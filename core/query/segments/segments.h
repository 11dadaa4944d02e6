#pragma once

#include "core/query/rows/rows.h"
#include "core/store/segments.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio {

/// A segment of one of the timeline's stores.
struct Segment {
    TimeRange range;
    StoreIndex store{};
    HostSegment recorded; ///< As its store has it, on its host's clock.

    TrackRef row() const { return {store, recorded.track}; } ///< Not valid: it is on none.
    bool operator==(const Segment&) const = default;
};

// Kinds are named by their ids: one that several stores have is one kind. Segments of several stores are in the order of their begins,
// those of one moment by store. One that overlaps a range is whole, and overlaps it as SegmentSet says.

/// All kinds, in the order of the stores; titles are those of the first store that has the kind.
std::vector<SegmentKind> segmentKinds(const Timeline& timeline);
/// The kind of that id. Nothing: no store has it.
std::optional<SegmentKind> findSegmentKind(const Timeline& timeline, std::string_view kind);

/// The id of the kind that a segment is of. Lives as long as the timeline.
std::string_view kindOf(const Timeline& timeline, const Segment& segment);

/// Lives as long as the timeline. Empty: it has none.
std::string_view nameOf(const Timeline& timeline, const Segment& segment);

/// What it contains, as k=v;k=v. Lives as long as the timeline. Empty: nothing, or its kind has no such texts.
std::string_view fieldsOf(const Timeline& timeline, const Segment& segment);

/// The row it is on: of a track without a view what is known of the track; of none its trace and host alone.
Row rowOf(const Timeline& timeline, const Segment& segment);

/// Hands over the segments that overlap the range, in order. Ends early once `stop` is requested. Cost: about 30 ns a segment, and where
/// several stores have the kind 80 bytes for each of some 65,536 (more where very many begin at once).
void eachSegment(const Timeline& timeline, std::string_view kind, TimeRange range, const std::function<void(const Segment&)>& take,
                 std::stop_token stop = {});

/// The longest of those that overlap the range, at most `most`, the longest first, in order where they are equally long.
std::vector<Segment> longestSegments(const Timeline& timeline, std::string_view kind, TimeRange range, std::size_t most,
                                     std::stop_token stop = {});

/// Of all; lengths are of the hosts' clocks. Cost: none.
SegmentSum segmentSum(const Timeline& timeline, std::string_view kind);

/// Of those that overlap the range; exact, of the hosts' clocks. Cost: as SegmentSet::spread() of each store.
SegmentSpread segmentSpread(const Timeline& timeline, std::string_view kind, TimeRange range, std::stop_token stop = {});

/// The first in order that comes after a segment, of its kind; the last that comes before it.
std::optional<Segment> nextSegment(const Timeline& timeline, const Segment& segment);
std::optional<Segment> previousSegment(const Timeline& timeline, const Segment& segment);

/// The first in order that begins after `at`; the last that begins before it.
std::optional<Segment> nextSegment(const Timeline& timeline, std::string_view kind, Timestamp at);
std::optional<Segment> previousSegment(const Timeline& timeline, std::string_view kind, Timestamp at);

} // namespace helio
