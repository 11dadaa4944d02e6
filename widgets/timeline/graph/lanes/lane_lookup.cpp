#include "widgets/timeline/graph/lanes/lane_lookup.h"

namespace helio {

std::optional<Timestamp> nearestBoundary(const Lane& lane, Timestamp at, Duration reach)
{
    std::optional<Timestamp> nearest;
    for (const Span& span : lane.spans.spans) {
        for (const Timestamp edge : {span.range.begin, span.range.end}) {
            const Duration distance = std::chrono::abs(edge - at);
            if (span.count == 1 && distance <= reach && (!nearest || distance < std::chrono::abs(*nearest - at)))
                nearest = edge;
        }
    }
    return nearest;
}

std::optional<Timestamp> nearestEvent(const Lane& lane, Timestamp at, Duration reach)
{
    std::optional<Timestamp> nearest;
    for (const SampleTicks& tick : lane.samples) {
        const Duration distance = std::chrono::abs(tick.at - at);
        if (!lane.isOfEvents || distance > reach)
            continue;
        nearest = tick.at;
        reach = distance;
    }
    return nearest;
}

TimeRange foldedRangeAt(const Lane& lane, Timestamp at)
{
    TimeRange folded;
    for (const Span& span : lane.spans.spans)
        if (span.count > 1 && span.range.contains(at))
            folded = span.range;
    return folded;
}

} // namespace helio
