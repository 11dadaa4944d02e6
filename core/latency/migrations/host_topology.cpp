#include "core/latency/migrations/host_topology.h"

#include "core/experiment/timeline.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/merged_events.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace helio {
namespace {

constexpr std::string_view TopologyEvent = "lttng_statedump_cpu_topology";

/// An event type for the topology. Each channel has its own.
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

/// Adds the CPU that an event describes.
void takeEvent(const TopologyType& type, const EventView& event, CpuTopology& topology)
{
    CpuLocation* const place = topology.place(type.cpu.integerOr(event, -1));
    const std::int64_t package = type.package.integerOr(event, -1);
    const std::int64_t core = type.core.integerOr(event, -1);
    if (!place || package < 0 || package >= CpuTopology::MostCpus / 2 || core < 0 || core >= CpuTopology::MostCpus)
        return;
    place->package = static_cast<std::int32_t>(package);
    place->core = static_cast<std::int32_t>(package * CpuTopology::MostCpus + core); // Cores are numbered within their package.
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

/// Returns the number of known facts. Of several traces of a host, the one with the most facts is used.
std::size_t knownPlaces(const CpuTopology& topology)
{
    std::size_t known = 0;
    for (const CpuLocation& it : topology.cpus)
        for (const std::int32_t place : {it.core, it.l2, it.l3, it.package, it.node})
            known += place >= 0;
    return known;
}

} // namespace

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
