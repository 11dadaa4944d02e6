#include "core/latency/migrations/migrations.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/timeline_access.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/merged_events.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace helio {
namespace {

/// States of a thread between two consecutive times on a CPU.
struct Between {
    Duration waited{};
    bool isAsleepLast = false;
    bool isKnown = true;
};

/// Returns the states before each of the thread's runs on a CPU: between the end of the previous run and the beginning of the run. Indexed
/// like ThreadRuns::of(); the first element is not set.
std::vector<Between> betweenRuns(const Timeline& timeline, const Row& thread, std::span<const ThreadRun> runs, const std::stop_token& stop)
{
    std::vector<Between> between(runs.size());
    std::size_t next = 1; // Index of the first run (time on a CPU) that begins after the current interval begins; at least 1.
    forEachRowInterval(
        timeline, thread, thread.life,
        [&](const Interval& it) {
            const StateCategory meaning = meaningOf(timeline, thread.ref, it.state);
            const bool isKnown = isRunnable(meaning) || isOffCpu(meaning);
            if (isOnCpu(meaning))
                return;
            while (next < runs.size() && runs[next].range.begin <= it.range.begin)
                ++next;
            for (std::size_t i = next; i < runs.size() && runs[i - 1].range.end < it.range.end; ++i) {
                const TimeRange part = it.range.clippedTo({runs[i - 1].range.end, runs[i].range.begin});
                if (part.isEmpty())
                    continue;
                between[i].isKnown &= isKnown;
                between[i].waited += isRunnable(meaning) ? part.duration() : Duration(0);
                between[i].isAsleepLast = !isRunnable(meaning);
            }
        },
        stop);
    return between;
}

CpuDistance distanceIn(const std::map<std::uint32_t, CpuTopology>& topologies, std::uint32_t host, std::int32_t from, std::int32_t to)
{
    const auto topology = topologies.find(host);
    return topology != topologies.end() ? topology->second.distance(from, to) : CpuTopology().distance(from, to);
}

constexpr std::string_view TopologyEvent = "lttng_statedump_cpu_topology";

/// One of the event types with topology data; each channel has its own type.
struct TopologyType {
    explicit TopologyType(const EventType& type)
        : id(type.id)
        , cpu(type, Section::Payload, "cpu_id")
        , package(type, Section::Payload, "physical_id")
        , core(type, Section::Payload, "core_id")
    {
    }

    EventTypeId id;
    FieldRef cpu;
    FieldRef package;
    FieldRef core;
};

/// Adds to the topology the CPU that the event describes.
void takeEvent(const TopologyType& type, const EventView& event, CpuTopology& topology)
{
    CpuLocation* const place = topology.place(type.cpu.integerOr(event, -1));
    const std::int64_t package = type.package.integerOr(event, -1);
    const std::int64_t core = type.core.integerOr(event, -1);
    if (!place || package < 0 || package >= CpuTopology::MostCpus / 2 || core < 0 || core >= CpuTopology::MostCpus)
        return;
    place->package = static_cast<std::int32_t>(package);
    // Make core numbers unique on the host: the recorded numbers are unique only within a package.
    place->core = static_cast<std::int32_t>(package * CpuTopology::MostCpus + core);
}

void takeEvents(const TimelineTrace& trace, CpuTopology& topology, const std::stop_token& stop)
{
    const auto counts = trace.facts ? std::span(trace.facts->summary().eventsByType) : std::span<const std::uint64_t>();
    std::vector<TopologyType> types;
    std::uint64_t left = 0;
    for (const auto& it : trace.trace->eventTypes())
        if (const auto id = static_cast<std::size_t>(it->id); it->name == TopologyEvent && id < counts.size() && counts[id] > 0) {
            types.emplace_back(*it);
            left += counts[id];
        }
    if (types.empty())
        return;
    for (MergedEvents events(*trace.trace, {}, stop); left > 0 && events.next();)
        if (const auto type = std::ranges::find(types, events.event().record->type, &TopologyType::id); type != types.end()) {
            takeEvent(*type, events.event(), topology);
            --left;
        }
}

/// Counts the known positions of the CPUs in cores, caches, packages and nodes. Of several topologies, the one with the highest
/// number is the most complete one.
std::size_t knownPlaces(const CpuTopology& topology)
{
    std::size_t known = 0;
    for (const CpuLocation& it : topology.cpus)
        for (const std::int32_t place : {it.core, it.l2, it.l3, it.package, it.node})
            known += place >= 0;
    return known;
}

} // namespace

std::vector<ThreadSwitchIns> collectSwitchIns(const Timeline& timeline, const ThreadRuns& runs,
                                              const std::map<std::uint32_t, CpuTopology>& topologies, TimeRange window,
                                              std::stop_token stop)
{
    std::vector<ThreadSwitchIns> all;
    for (const Row& thread : threads(timeline)) {
        const auto its = runs.of(thread.ref);
        if (its.empty() || thread.tid == 0 || stop.stop_requested())
            continue;
        ThreadSwitchIns moves{thread.ref, {}, 0};
        const auto between = betweenRuns(timeline, thread, its, stop);
        for (std::size_t i = 1; i < its.size(); ++i) {
            if (!window.contains(its[i].range.begin))
                continue;
            if (!between[i].isKnown) {
                ++moves.unseen;
                continue;
            }
            moves.all.push_back({its[i].range, its[i].cpu, distanceIn(topologies, thread.host, its[i - 1].cpu, its[i].cpu),
                                 its[i].range.begin - its[i - 1].range.end,
                                 between[i].isAsleepLast ? std::nullopt : std::optional(between[i].waited)});
        }
        if (!moves.all.empty() || moves.unseen > 0)
            all.push_back(std::move(moves));
    }
    return all;
}

void SwitchInSums::add(const SwitchIn& it)
{
    ++count;
    off += it.off;
    if (!it.waited)
        return;
    waited += *it.waited;
    if (waits++ == 0 || *it.waited > longestWait) {
        longestWait = *it.waited;
        longestWaitAt = it.run.begin;
    }
}

CpuTopology topologyOf(const Timeline& timeline, std::uint32_t host, const std::stop_token& stop)
{
    CpuTopology topology;
    for (const TimelineTrace& trace : timeline.traces)
        if (const CpuTopology* const described = trace.host == host ? trace.trace->topology() : nullptr)
            if (knownPlaces(*described) > knownPlaces(topology))
                topology = *described;
    for (const TimelineTrace& trace : timeline.traces)
        if (trace.host == host && topology.isEmpty())
            takeEvents(trace, topology, stop);
    return topology;
}

std::string_view wordOf(CpuDistance distance)
{
    constexpr std::array<std::string_view, CpuDistances> Words{"same-cpu",     "same-core",  "same-l2",       "same-l3",
                                                               "same-package", "other-node", "other-package", "unknown"};
    return Words[static_cast<std::size_t>(distance)];
}

} // namespace helio
