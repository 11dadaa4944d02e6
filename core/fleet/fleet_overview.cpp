#include "core/fleet/fleet_overview.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>

namespace helio::fleet {
namespace {

constexpr double TailPercent = 99.9;

std::vector<FinderCount> countFinders(const FleetTable& table)
{
    struct Count {
        std::size_t traces = 0;
        std::size_t lastTrace = SIZE_MAX; ///< Index of the last trace that was counted.
        std::map<std::string_view, std::size_t> colors;
    };
    std::map<std::string_view, Count> counts;
    for (std::size_t i = 0; i < table.traces.size(); ++i)
        for (const FleetFinding& finding : table.traces[i].findings) {
            Count& count = counts[finding.finder];
            ++count.colors[finding.color];
            if (count.lastTrace != i)
                ++count.traces;
            count.lastTrace = i;
        }
    std::vector<FinderCount> finders;
    for (const auto& [finder, count] : counts) {
        const auto color = std::ranges::max_element(count.colors, {}, [](const auto& it) { return it.second; });
        finders.push_back({std::string(finder), std::string(color->first), count.traces});
    }
    std::ranges::stable_sort(finders, std::greater(), &FinderCount::traces);
    return finders;
}

/// Sets HostLatency::heat of all hosts.
void setHeat(std::vector<HostLatency>& hosts)
{
    std::optional<Duration> least, most;
    for (const HostLatency& it : hosts)
        if (it.most) {
            least = least ? std::min(*least, *it.most) : *it.most;
            most = std::max(most, it.most);
        }
    const auto logarithm = [](Duration it) { return std::log(std::max(1.0, double(it.count()))); };
    for (HostLatency& it : hosts) {
        if (!it.most)
            continue;
        const double span = logarithm(*most) - logarithm(*least);
        const double share = span > 0 ? (logarithm(*it.most) - logarithm(*least)) / span : 0;
        it.heat = std::clamp(1 + static_cast<int>(share * HostLatency::MostHeat), 1, HostLatency::MostHeat);
    }
}

std::vector<HostLatency> worstOfHosts(const FleetTable& table, LatencyKind kind)
{
    std::map<std::string_view, HostLatency> byName;
    for (const FleetTrace& trace : table.traces) {
        HostLatency& host = byName[trace.name()];
        ++host.traces;
        host.isLowerBound |= trace.hasLosses();
        if (const auto& latency = trace.latency(kind))
            host.most = std::max(host.most, std::optional(latency->most));
    }
    std::vector<HostLatency> hosts;
    for (auto& [name, host] : byName) {
        host.name = name;
        hosts.push_back(std::move(host));
    }
    setHeat(hosts);
    return hosts;
}

} // namespace

FleetOverview computeOverview(const FleetTable& table)
{
    FleetOverview overview;
    const auto has = [&](LatencyKind kind) { return table.digest(kind).count() > 0; };
    const auto known = std::ranges::find_if(LatencyKinds, has);
    overview.kind = known == LatencyKinds.end() ? LatencyKind::Scheduling : *known;
    overview.otherKind = overview.kind != LatencyKind::Block && (has(LatencyKind::Block) || overview.kind == LatencyKind::SystemCall)
        ? LatencyKind::Block
        : LatencyKind::SystemCall;
    for (const LatencyKind kind : LatencyKinds)
        overview.tail[static_cast<std::size_t>(kind)] = table.digest(kind).percentile(TailPercent);
    overview.finders = countFinders(table);
    overview.hosts = worstOfHosts(table, overview.kind);
    overview.byLatency = orderByLatency(table, overview.kind);
    return overview;
}

} // namespace helio::fleet
