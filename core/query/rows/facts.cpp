#include "core/query/rows/facts.h"

#include "core/correlation/guests.h"
#include "core/experiment/host_alignment.h"
#include "core/experiment/timeline_composer.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

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

namespace {

constexpr std::uint32_t NoHost = 0xffffffff;

/// Returns the host that each host runs on as a virtual machine, by host; NoHost if it is no guest or its host is unknown. The user's
/// settings override the hypercalls between guests and hosts.
/// Cost: proportional to the number of hypercalls.
std::vector<std::uint32_t> hypervisors(const Timeline& timeline)
{
    std::vector<std::uint32_t> found(timeline.hosts.size(), NoHost);
    const auto isHost = [&](std::uint32_t host) { return host < found.size(); };
    for (const auto& relation : timeline.relations) {
        if (!relation || !relation->messages || relation->messages->kind != GuestMessages)
            continue;
        for (const Transmission& it : relation->messages->all) {
            const bool isToHost = relation->messages->flows[it.flow].to == "host";
            const std::uint32_t from = hostOf(timeline, it.fromTrace), to = hostOf(timeline, it.toTrace);
            if (isHost(from) && isHost(to) && from != to)
                found[isToHost ? from : to] = isToHost ? to : from;
        }
    }
    for (std::uint32_t guest = 0; guest < found.size(); ++guest)
        if (const GuestOverride* given = findOverride(timeline.hosts[guest], timeline.clockSettings.guests))
            found[guest] = findHostByName(timeline, given->host).value_or(NoHost);
    return found;
}

} // namespace

std::vector<std::uint32_t> hostsInOrder(const Timeline& timeline)
{
    if (timeline.hostOrder.size() == timeline.hosts.size())
        return timeline.hostOrder;
    const std::vector<std::uint32_t> below = hypervisors(timeline); // Host that each host runs on.
    std::vector<std::uint32_t> order;
    std::vector<char> isPlaced(timeline.hosts.size(), 0);
    const std::function<void(std::uint32_t)> place = [&](std::uint32_t host) {
        if (std::exchange(isPlaced[host], 1))
            return;
        order.push_back(host);
        for (std::uint32_t guest = 0; guest < below.size(); ++guest)
            if (below[guest] == host)
                place(guest);
    };
    for (std::uint32_t host = 0; host < timeline.hosts.size(); ++host) {
        std::uint32_t outermost = host;
        for (std::size_t step = 0; below[outermost] != NoHost && step < below.size(); ++step) // Bounded: settings may name a circle.
            outermost = below[outermost];
        place(outermost);
        place(host);
    }
    return order;
}

std::vector<HostFacts> hostFacts(const Timeline& timeline)
{
    std::vector<HostFacts> facts;
    std::vector<std::set<std::int32_t>> cpus(timeline.hosts.size()); // Numbers of the CPUs of each host.
    for (const TimelineHost& host : timeline.hosts)
        facts.push_back({host.shownName(), 0, 0, 0, {}, !host.name.empty()});
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
            for (const Track& track : store.tracks())
                if (!track.view.empty() && track.role == TrackRole::Cpu)
                    cpus[it.host].insert(track.cpu);
        });
    }
    for (std::size_t i = 0; i < facts.size(); ++i)
        facts[i].cpus = std::uint32_t(cpus[i].size());
    return facts;
}

} // namespace helio
