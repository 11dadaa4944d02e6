#include "core/query/rows/facts.h"

#include "core/experiment/timeline_composer.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <numeric>

namespace helio {

TimeRange rangeOf(const Timeline& timeline) { return timeline.range; }

bool isComplete(const Timeline& timeline) { return timeline.isComplete; }

namespace {

Timestamp knownUntil(const Timeline& timeline, const TraceFacts* facts, const ClockTransform& clock)
{
    if (!facts)
        return timeline.isComplete ? Timestamp::max() : timeline.range.begin;
    return facts->isComplete() ? Timestamp::max() : clock(facts->knownUntil());
}

} // namespace

Timestamp knownUntil(const Timeline& timeline, std::uint32_t trace)
{
    if (trace >= timeline.traces.size())
        return Timestamp::max();
    const TimelineTrace& it = timeline.traces[trace];
    return knownUntil(timeline, it.facts.get(), it.clock);
}

Timestamp knownUntil(const Timeline& timeline, TrackRef track)
{
    const Store* store = storeOf(timeline, track);
    return store ? knownUntil(timeline, store, clockOf(timeline, track.store)) : knownUntil(timeline, traceOf(timeline, track));
}

TimeRange coveredRange(const Timeline& timeline, std::uint32_t trace)
{
    if (trace >= timeline.traces.size())
        return timeline.range;
    const TimelineTrace& it = timeline.traces[trace];
    const bool isTimed = !it.trace || it.trace->info().hasTimes;
    return isTimed ? traceRange(it).value_or(timeline.range) : timeline.range;
}

bool hasEpoch(const Timeline& timeline)
{
    const auto isTimed = [](const TimelineTrace& it) { return !it.trace || it.trace->info().hasTimes; };
    const auto isAbsolute = [&](const TimelineTrace& it) { return !isTimed(it) || !it.trace || it.trace->info().clock.isAbsolute; };
    return (timeline.traces.empty() || std::ranges::any_of(timeline.traces, isTimed)) && std::ranges::all_of(timeline.traces, isAbsolute);
}

std::vector<std::string> unsynchronizedHosts(const Timeline& timeline)
{
    std::vector<std::string> labels;
    for (const TimelineHost& host : timeline.hosts)
        if (!host.isSynchronized)
            labels.push_back(host.shownName());
    return labels;
}

std::string hostName(const Timeline& timeline, std::uint32_t host)
{
    return timeline.hosts.size() > 1 && host < timeline.hosts.size() ? timeline.hosts[host].shownName() : std::string();
}

bool hasTimes(const Timeline& timeline)
{
    return timeline.traces.empty()
        || std::ranges::any_of(timeline.traces, [](const TimelineTrace& it) { return !it.trace || it.trace->info().hasTimes; });
}

bool hasSamples(const Timeline& timeline)
{
    return std::ranges::any_of(timeline.traces, [](const TimelineTrace& it) { return it.trace && it.trace->samples(); });
}

std::uint32_t hostOf(const Timeline& timeline, std::uint32_t trace)
{
    return trace < timeline.traces.size() ? timeline.traces[trace].host : 0;
}

std::uint32_t referenceHost(const Timeline& timeline) { return timeline.reference; }

std::vector<std::uint32_t> hostsInOrder(const Timeline& timeline)
{
    if (timeline.hostOrder.size() == timeline.hosts.size())
        return timeline.hostOrder;
    std::vector<std::uint32_t> order(timeline.hosts.size());
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

std::vector<HostFacts> hostFacts(const Timeline& timeline)
{
    std::vector<HostFacts> facts;
    for (const TimelineHost& host : timeline.hosts)
        facts.push_back({host.shownName(), 0, 0, 0, {}});
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& it = timeline.traces[i];
        if (it.host >= facts.size())
            continue;
        HostFacts& host = facts[it.host];
        const TimeRange covered = coveredRange(timeline, i);
        host.range = host.range == TimeRange{}
            ? covered
            : TimeRange{std::min(host.range.begin, covered.begin), std::max(host.range.end, covered.end)};
        if (it.facts) {
            host.events += it.facts->summary().events;
            host.lostEvents += it.facts->summary().lostEvents;
        }
        forEachStoreOf(timeline, i, [&](StoreIndex, const Store& store) {
            const auto cpus =
                std::ranges::count_if(store.tracks(), [](const Track& t) { return !t.view.empty() && t.role == TrackRole::Cpu; });
            host.cpus = std::max(host.cpus, std::uint32_t(cpus));
        });
    }
    return facts;
}

} // namespace helio
