#include "core/profiling/calls/recorded_cpu_times.h"

#include "core/event_model/segment_kinds.h"
#include "core/query/rows/timeline_access.h"
#include "core/store/segments.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace helio {
namespace {

auto keyOf(const HostSegment& it) { return std::tuple(it.begin, it.end, it.track, it.name); }

std::optional<SegmentKindId> cpuTimeKindOf(const SegmentSet& segments)
{
    const auto kinds = segments.kinds();
    const auto found = std::ranges::find(kinds, CallCpuTimes, &SegmentKind::id);
    return found != kinds.end() ? std::optional(SegmentKindId{static_cast<std::uint8_t>(found - kinds.begin())}) : std::nullopt;
}

} // namespace

std::optional<Duration> recordedCpuTime(const Timeline& timeline, const Segment& call)
{
    const SegmentSet& segments = segmentsIn(timeline, call.store);
    const auto kind = cpuTimeKindOf(segments);
    std::optional<Duration> found;
    if (kind)
        segments.visit(*kind, {call.recorded.begin, call.recorded.begin + Duration(1)}, [&](std::span<const HostSegment> some) {
            for (const HostSegment& it : some)
                if (keyOf(it) == keyOf(call.recorded))
                    found = Duration(it.value);
        });
    return found;
}

RecordedCpuTimes::RecordedCpuTimes(const Timeline& timeline, std::stop_token stop)
    : m_timeline(timeline)
    , m_stop(std::move(stop))
{
}

std::optional<Duration> RecordedCpuTimes::of(const Segment& call)
{
    const std::vector<HostSegment>& times = timesOf(call.store);
    const auto isBefore = [](const HostSegment& a, const HostSegment& b) { return keyOf(a) < keyOf(b); };
    const auto found = std::lower_bound(times.begin(), times.end(), call.recorded, isBefore);
    return found != times.end() && keyOf(*found) == keyOf(call.recorded) ? std::optional(Duration(found->value)) : std::nullopt;
}

const std::vector<HostSegment>& RecordedCpuTimes::timesOf(StoreIndex store)
{
    const auto [known, isNew] = m_times.try_emplace(store);
    if (!isNew)
        return known->second;
    const SegmentSet& segments = segmentsIn(m_timeline, store);
    const auto add = [&](std::span<const HostSegment> some) { known->second.insert(known->second.end(), some.begin(), some.end()); };
    if (const auto kind = cpuTimeKindOf(segments))
        segments.visit(*kind, {HostTimestamp::min(), HostTimestamp::max()}, add, m_stop);
    return known->second;
}

} // namespace helio
