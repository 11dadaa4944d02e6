#pragma once

#include "core/store/segments.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <tuple>

namespace helio {

/// The order of the segments of a kind: by begin; the other members only make the order total.
inline constexpr auto segmentComesBefore = [](const HostSegment& a, const HostSegment& b) {
    const auto key = [](const HostSegment& s) { return std::tie(s.begin, s.end, s.track, s.name, s.value); };
    return a.begin != b.begin ? a.begin < b.begin : key(a) < key(b);
};

/// Orders segments from the longest to the shortest; segments of equal length by segmentComesBefore.
inline bool isLonger(const HostSegment& a, const HostSegment& b)
{
    return a.length() != b.length() ? a.length() > b.length() : segmentComesBefore(a, b);
}

/// True if the segment overlaps the range, as defined by SegmentSet.
inline bool overlaps(const HostSegment& segment, HostRange range)
{
    return segment.begin < range.end && (segment.end > range.begin || segment.begin >= range.begin) && !range.isEmpty();
}

/// Returns the segment as a store keeps it: within TimeLimit, and with an end that is not before its begin.
inline HostSegment limited(HostSegment segment)
{
    segment.begin = hostTime(limitedTime(segment.begin));
    segment.end = std::max(segment.begin, hostTime(limitedTime(segment.end)));
    return segment;
}

} // namespace helio
