#pragma once

#include "core/store/segments.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <tuple>

namespace helio {

/// Order of the segments of a kind: by begin; segments with equal begins by their other members, so that the order is unique.
inline constexpr auto segmentComesBefore = [](const HostSegment& a, const HostSegment& b) {
    const auto key = [](const HostSegment& s) { return std::tie(s.begin, s.end, s.track, s.name, s.value); };
    return a.begin != b.begin ? a.begin < b.begin : key(a) < key(b);
};

/// True if `a` comes before `b` in the order from the longest to the shortest segment. Segments of equal length are in the order of
/// segmentComesBefore.
inline bool isLonger(const HostSegment& a, const HostSegment& b)
{
    return a.length() != b.length() ? a.length() > b.length() : segmentComesBefore(a, b);
}

/// True if the segment overlaps the range, as defined by SegmentSet.
inline bool overlaps(const HostSegment& segment, HostRange range)
{
    return segment.begin < range.end && (segment.end > range.begin || segment.begin >= range.begin) && !range.isEmpty();
}

/// Returns the segment as a store records it: times within TimeLimit, end not before begin.
inline HostSegment limited(HostSegment segment)
{
    segment.begin = hostTime(limitedTime(segment.begin));
    segment.end = std::max(segment.begin, hostTime(limitedTime(segment.end)));
    return segment;
}

} // namespace helio
