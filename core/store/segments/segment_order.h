#pragma once

#include "core/store/segments.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <tuple>

namespace helio {

/// The one order of the segments of a kind: by begin; what follows only makes it total.
inline constexpr auto segmentComesBefore = [](const HostSegment& a, const HostSegment& b) {
    const auto key = [](const HostSegment& s) { return std::tie(s.begin, s.end, s.track, s.name, s.value); };
    return a.begin != b.begin ? a.begin < b.begin : key(a) < key(b);
};

/// The longest first, and in order where they are equally long.
inline bool isLonger(const HostSegment& a, const HostSegment& b)
{
    return a.length() != b.length() ? a.length() > b.length() : segmentComesBefore(a, b);
}

/// As SegmentSet says it.
inline bool overlaps(const HostSegment& segment, HostRange range)
{
    return segment.begin < range.end && (segment.end > range.begin || segment.begin >= range.begin) && !range.isEmpty();
}

/// As a store keeps it: within the limits of time, and not ending before it begins.
inline HostSegment limited(HostSegment segment)
{
    segment.begin = hostTime(limitedTime(segment.begin));
    segment.end = std::max(segment.begin, hostTime(limitedTime(segment.end)));
    return segment;
}

} // namespace helio
