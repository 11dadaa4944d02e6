#include "core/correlators/machines/host_cpus.h"

#include "core/correlation/row_note.h"
#include "core/correlators/machines/vcpu_row.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"
#include "core/timesync/host_headings.h"

#include <algorithm>
#include <optional>
#include <set>

namespace helio::machine_rows {
namespace {

/// Returns the states of a host CPU's row: each virtual machine has a state, in the colour of its guest. The last state stands for all
/// virtual machines for which there is no state left.
StateSet statesOf(const Timeline& timeline, const std::vector<VirtualMachine>& all)
{
    const auto hosts = hostHeadings(timeline);
    StateSet set{"vm-inside", {}, "VMs on CPUs"};
    for (std::size_t i = 0; i < std::min(all.size(), MostStates); ++i) {
        const bool isShared = i + 1 == MostStates && all.size() > MostStates;
        StateKind kind{isShared ? "other machines" : all[i].name, StateCategory::OnCpu, {}};
        const bool hasGuest = !isShared && all[i].guestTrace != NoTraceIndex;
        kind.style.color = hasGuest ? colorRole(hosts[timeline.traces[all[i].guestTrace].host]) : kind.name;
        kind.style.valueTitle = "vCPU";
        kind.style.order = static_cast<std::uint8_t>(i);
        kind.style.flags = StateFlag::Labelled | StateFlag::InHeader | StateFlag::NamedByValue;
        set.states.push_back(std::move(kind));
    }
    return set;
}

} // namespace

HostCpus::HostCpus(const Timeline& timeline, const std::vector<VirtualMachine>& all, StateSink& sink)
    : m_timeline(timeline)
    , m_machines(all)
    , m_sink(sink)
    , m_states(*sink.stateSet(statesOf(timeline, all)))
{
}

void HostCpus::write(const std::stop_token& stop)
{
    std::set<std::uint32_t> hosts;
    for (std::uint32_t machine = 0; machine < m_machines.size() && !stop.stop_requested(); ++machine)
        if (m_machines[machine].hostTrace != NoTraceIndex && hosts.insert(m_machines[machine].hostTrace).second)
            writeHost(machine, stop);
}

void HostCpus::writeHost(std::uint32_t machine, const std::stop_token& stop)
{
    machines::CpuOccupants occupants(m_timeline, m_machines);
    m_texts.clear();
    forEachStoreOf(m_timeline, m_machines[machine].hostTrace, [&](StoreIndex index, const Store& store) {
        if (!isOfAllTraces(m_timeline, index))
            forEachTrack(index, store, TrackRole::Cpu, [&](TrackRef cpu, const Track& track) {
                if (!track.view.empty() && track.intervals > 0 && !stop.stop_requested())
                    writeCpu(machine, cpu, occupants, stop);
            });
    });
}

void HostCpus::writeCpu(std::uint32_t machine, TrackRef cpu, machines::CpuOccupants& occupants, const std::stop_token& stop)
{
    const Track& track = *trackOf(m_timeline, cpu);
    std::optional<TrackId> row;
    bool isOpen = false;
    const TimeRange life = rowOf(m_timeline, cpu)->life;
    occupants.each(machine, track.cpu, life, [&](TimeRange part, std::uint32_t number) {
        const CpuOccupant& it = occupants.all()[number];
        if (stop.stop_requested() || (it.machine < 0 && !isOpen))
            return;
        if (!row)
            row = addRow(m_machines[machine].hostTrace, cpu);
        isOpen = it.machine >= 0;
        if (isOpen)
            m_sink.set(onAxis(part.begin), *row, stateOf(it.machine), static_cast<std::uint32_t>(textOf(number, it)));
        else
            m_sink.end(onAxis(part.begin), *row);
    });
    if (row)
        m_sink.end(onAxis(life.end), *row);
}

TrackId HostCpus::addRow(std::uint32_t trace, TrackRef cpu)
{
    const Track& of = *trackOf(m_timeline, cpu);
    Track row;
    row.view = of.view;
    row.kind = "vm-inside";
    row.key = of.key + "/machines";
    row.label = "VMs";
    row.states = m_states;
    row.valueKind = ValueKind::Text;
    row.cpu = of.cpu;
    row.sortKey = -1; // A negative sort key places the row first among the child rows of the CPU's row.
    const std::string key = row.key;
    const TrackId id = m_sink.addTrack(std::move(row));
    m_sink.addTrack(noteTrack({trace, -1, cpu, RowNote::Source::Below, of.label + ", VMs"}, id, key));
    return id;
}

/// Returns the text of a vCPU and the guest's thread on it: "web vCPU 0: hog (177)".
StringId HostCpus::textOf(std::uint32_t number, const CpuOccupant& it)
{
    const auto [known, isNew] = m_texts.try_emplace(number);
    if (!isNew)
        return known->second;
    const VirtualMachine& of = m_machines[static_cast<std::size_t>(it.machine)];
    const std::string vcpu = of.name + " vCPU " + std::to_string(of.vcpus[static_cast<std::size_t>(it.vcpu)].vcpu);
    return known->second = m_sink.string(it.inside.empty() ? vcpu : vcpu + ": " + it.inside);
}

State HostCpus::stateOf(std::int32_t machine) const
{
    return static_cast<State>(std::min<std::size_t>(static_cast<std::size_t>(machine), MostStates - 1));
}

} // namespace helio::machine_rows
