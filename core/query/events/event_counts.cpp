#include "core/query/events/event_counts.h"

#include "core/experiment/timeline.h"
#include "core/query/events/event_walk.h"
#include "core/query/rows/facts.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

constexpr std::uint64_t CountPartSize = 65'536; ///< Number of events between two polls of the stop token.
/// Limit of CPU numbers; events with a higher number are damaged, because no machine has so many CPUs.
constexpr std::int32_t MostCpus = 65'536;

void addTo(std::vector<std::uint64_t>& sums, const std::vector<std::uint64_t>& counts)
{
    if (sums.size() < counts.size())
        sums.resize(counts.size());
    std::ranges::transform(counts, sums, sums.begin(), std::plus{});
}

} // namespace

EventTypeCounter::EventTypeCounter(const Timeline& timeline)
    : m_timeline(timeline)
{
    for (const TimelineTrace& trace : timeline.traces)
        m_types.emplace_back(trace.trace->eventTypes().size());
}

void EventTypeCounter::add(std::uint32_t trace, std::uint32_t type, std::int32_t cpu)
{
    if (type >= m_types[trace].size())
        m_types[trace].resize(type + 1);
    PerType& it = m_types[trace][type];
    ++it.count;
    if (cpu < 0 || cpu >= MostCpus)
        return;
    if (static_cast<std::size_t>(cpu) >= it.byCpu.size())
        it.byCpu.resize(static_cast<std::size_t>(cpu) + 1);
    ++it.byCpu[static_cast<std::size_t>(cpu)];
}

std::vector<EventTypeCount> EventTypeCounter::counts() const
{
    std::map<std::pair<std::string, std::uint32_t>, EventTypeCount> sums;
    for (std::uint32_t trace = 0; trace < m_types.size(); ++trace) {
        const auto& types = m_timeline.traces[trace].trace->eventTypes();
        const std::uint32_t host = hostOf(m_timeline, trace);
        for (std::size_t type = 0; type < m_types[trace].size() && type < types.size(); ++type) {
            const PerType& it = m_types[trace][type];
            if (it.count == 0)
                continue;
            const std::string& name = types[EventTypeId(static_cast<std::uint32_t>(type))].name;
            EventTypeCount& sum = sums[{name, host}];
            sum.name = name;
            sum.host = host;
            sum.count += it.count;
            addTo(sum.byCpu, it.byCpu);
        }
    }
    std::vector<EventTypeCount> result;
    for (auto& [key, sum] : sums)
        result.push_back(std::move(sum));
    std::ranges::stable_sort(result, std::greater{}, &EventTypeCount::count);
    return result;
}

std::vector<EventTypeCount> countEventTypes(std::shared_ptr<const Timeline> timeline, TimeRange range,
                                            const std::function<void(double)>& onProgress, std::stop_token stop)
{
    EventTypeCounter counter(*timeline);
    EventWalk walk(timeline, range.begin, stop);
    const TimeRange known = range.clippedTo({timeline->range.begin, timeline->range.end + Duration(1)});
    const double length = std::max(1.0, double(known.duration().count()));
    for (std::uint64_t index = 0; walk.next() && walk.time() < range.end; ++index) {
        const EventRecord& event = *walk.event().record;
        counter.add(walk.trace(), static_cast<std::uint32_t>(event.type), event.cpu);
        if (index % CountPartSize != 0)
            continue;
        if (stop.stop_requested())
            return {};
        if (onProgress)
            onProgress(std::clamp(double((walk.time() - known.begin).count()) / length, 0.0, 1.0));
    }
    return stop.stop_requested() ? std::vector<EventTypeCount>() : counter.counts();
}

std::vector<std::pair<std::string, std::uint64_t>> eventCounts(const Timeline& timeline)
{
    std::map<std::string, std::uint64_t> byName;
    for (const TimelineTrace& it : timeline.traces) {
        if (!it.facts || !it.trace)
            continue;
        const auto& counts = it.facts->summary().eventsByType;
        const EventTypes& types = it.trace->eventTypes();
        for (std::size_t i = 0; i < counts.size() && i < types.size(); ++i)
            if (counts[i] > 0)
                byName[types[EventTypeId(i)].name] += counts[i];
    }
    std::vector<std::pair<std::string, std::uint64_t>> sorted(byName.begin(), byName.end());
    std::ranges::stable_sort(sorted, std::greater(), [](const auto& it) { return it.second; });
    return sorted;
}

} // namespace helio
