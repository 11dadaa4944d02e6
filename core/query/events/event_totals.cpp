#include "core/query/events/event_totals.h"

#include "core/experiment/timeline.h"

#include <algorithm>
#include <map>

namespace helio {

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
