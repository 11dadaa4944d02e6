#include "core/virtualization/cpu_occupants.h"

#include "core/event_model/vcpu_modes.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <set>

namespace helio {

std::string_view wordOf(CpuOccupant::Kind kind)
{
    switch (kind) {
    case CpuOccupant::Kind::Vcpu: return "vcpu";
    case CpuOccupant::Kind::Sibling: return "sibling";
    case CpuOccupant::Kind::Own: return "own";
    case CpuOccupant::Kind::Thread: return "thread";
    case CpuOccupant::Kind::KernelThread: return "kernel-thread";
    case CpuOccupant::Kind::Interrupt: return "interrupt";
    case CpuOccupant::Kind::Idle: return "idle";
    case CpuOccupant::Kind::Unknown: return "unknown";
    }
    return "unknown";
}

std::string vcpuTitle(const VirtualMachine& machine, const VcpuBinding& vcpu)
{
    return "vCPU " + std::to_string(vcpu.vcpu) + " of " + machine.name;
}

std::string occupantText(const std::vector<VirtualMachine>& all, const CpuOccupant& it)
{
    const auto machine = static_cast<std::size_t>(it.machine);
    if (machine >= all.size())
        return it.name;
    const std::string title = vcpuTitle(all[machine], all[machine].vcpus[static_cast<std::size_t>(it.vcpu)]);
    return it.inside.empty() ? title : title + ": " + it.inside;
}

std::string threadText(const Track& thread)
{
    const std::string number = std::to_string(thread.tid);
    return thread.label.empty() || thread.label == number ? '(' + number + ')' : thread.label + " (" + number + ')';
}

namespace machines {

CpuOccupants::CpuOccupants(const Timeline& timeline, const std::vector<VirtualMachine>& all, Inside inside)
    : m_timeline(timeline)
    , m_machines(all)
    , m_inside(inside)
{
    for (std::uint32_t machine = 0; machine < all.size(); ++machine)
        for (std::uint32_t vcpu = 0; vcpu < all[machine].vcpus.size(); ++vcpu)
            if (const TrackRef thread = all[machine].vcpus[vcpu].thread; thread.isValid())
                m_vcpus[thread] = {machine, vcpu};
}

RowCursor& CpuOccupants::cursor(TrackRef row) { return m_cursors.try_emplace(row, m_timeline, row).first->second; }

TrackRef CpuOccupants::cpuTrack(std::uint32_t trace, TrackRole role, std::int32_t cpu)
{
    const auto [found, isNew] = m_cpuTracks.try_emplace({trace, role, cpu});
    if (isNew)
        forEachStoreOf(m_timeline, trace, [&](StoreIndex index, const Store& store) {
            if (const auto rows = store.tracksOf(role, cpu); !found->second.isValid() && !rows.empty())
                found->second = {index, rows.front()};
        });
    return found->second;
}

const std::vector<std::int32_t>& CpuOccupants::cpusOf(std::uint32_t trace)
{
    const auto [found, isNew] = m_cpus.try_emplace(trace);
    if (isNew)
        forEachStoreOf(m_timeline, trace, [&](StoreIndex index, const Store& store) {
            forEachTrack(index, store, TrackRole::CpuThread, [&](TrackRef, const Track& track) { found->second.push_back(track.cpu); });
        });
    return found->second;
}

bool CpuOccupants::has(std::uint32_t trace, std::int32_t cpu, TrackRef thread, Timestamp at)
{
    RowCursor& threads = cursor(cpuTrack(trace, TrackRole::CpuThread, cpu));
    const Interval* it = threads.at(at);
    return it && TrackRef{threads.row().store, TrackId{it->value}} == thread && isOnCpu(meaningOf(m_timeline, threads.row(), it->state));
}

std::optional<std::int32_t> CpuOccupants::cpuOf(TrackRef thread, Timestamp at)
{
    const std::uint32_t trace = traceOf(m_timeline, thread.store);
    const auto last = m_lastCpu.find(thread);
    if (last != m_lastCpu.end() && has(trace, last->second, thread, at))
        return last->second;
    for (const std::int32_t cpu : cpusOf(trace))
        if (has(trace, cpu, thread, at))
            return m_lastCpu[thread] = cpu;
    return {};
}

std::optional<std::int32_t> CpuOccupants::findCpuAroundWait(TrackRef thread, TimeRange wait, bool isLeft)
{
    const auto before = [&] { return cpuOf(thread, wait.begin - Duration(1)); };
    const auto behind = [&] { return cpuOf(thread, wait.end); };
    const auto found = isLeft ? before() : behind();
    return found ? found : isLeft ? behind() : before();
}

void CpuOccupants::each(std::uint32_t machine, std::int32_t cpu, TimeRange range, const Take& take)
{
    const std::uint32_t trace = m_machines[machine].hostTrace;
    RowCursor& threads = cursor(cpuTrack(trace, TrackRole::CpuThread, cpu));
    Timestamp known = range.begin;
    threads.each(range, [&](const Interval& it) {
        if (known < it.range.begin)
            take({known, it.range.begin}, unknown());
        known = it.range.end;
        const StateCategory meaning = meaningOf(m_timeline, threads.row(), it.state);
        if (isOnCpu(meaning))
            takeThread(machine, {threads.row().store, TrackId{it.value}}, it.range, take);
        else
            takeWithoutThread(trace, cpu, meaning == StateCategory::Rests, it.range, take);
    });
    if (known < range.end)
        take({known, range.end}, unknown());
}

/// Calls `take` for a range in which no thread was on a CPU. If `isIdle` is true, the range is split into the handling of interrupts and
/// idle time; otherwise, the whole range has an unknown occupant.
void CpuOccupants::takeWithoutThread(std::uint32_t trace, std::int32_t cpu, bool isIdle, TimeRange range, const Take& take)
{
    if (!isIdle)
        return take(range, unknown());
    RowCursor& states = cursor(cpuTrack(trace, TrackRole::Cpu, cpu));
    Timestamp known = range.begin;
    const auto idle = [&](Timestamp end) {
        if (known < end)
            take({known, end}, addOccupant({CpuOccupant::Kind::Idle, "idle"}));
        known = end;
    };
    states.each(range, [&](const Interval& it) {
        if (meaningOf(m_timeline, states.row(), it.state) != StateCategory::OnCpuInterrupt)
            return;
        idle(it.range.begin);
        take(it.range, addOccupant({CpuOccupant::Kind::Interrupt, valueText(m_timeline, states.row(), it.value)}));
        known = it.range.end;
    });
    idle(range.end);
}

CpuOccupant::Kind CpuOccupants::kindOf(const VirtualMachine& machine, const Track& thread) const
{
    const bool isOfProcess = machine.pid >= 0 && thread.pid == machine.pid;
    // Kernel threads that work for a virtual machine have the PID of its process in their names, for example vhost-171 and kvm-pit/171.
    const std::string pid = std::to_string(machine.pid);
    const bool isNamed = machine.pid >= 0 && (thread.label == "vhost-" + pid || thread.label == "kvm-pit/" + pid);
    if (isOfProcess || isNamed)
        return CpuOccupant::Kind::Own;
    return thread.isKernelThread ? CpuOccupant::Kind::KernelThread : CpuOccupant::Kind::Thread;
}

void CpuOccupants::takeThread(std::uint32_t machine, TrackRef thread, TimeRange range, const Take& take)
{
    if (const auto vcpu = m_vcpus.find(thread); vcpu != m_vcpus.end())
        return takeVcpu(machine, vcpu->second, thread, range, take);
    const Track* track = trackOf(m_timeline, thread);
    take(range, track ? addOccupant({kindOf(m_machines[machine], *track), threadText(*track), thread}) : unknown());
}

/// Splits the time of a vCPU in the range into time of each guest thread, if the guest was traced, and time in the hypervisor.
void CpuOccupants::takeVcpu(std::uint32_t machine, VcpuIndex place, TrackRef thread, TimeRange range, const Take& take)
{
    const VirtualMachine& of = m_machines[place.machine];
    const VcpuBinding& vcpu = of.vcpus[place.vcpu];
    const CpuOccupant::Kind kind = place.machine == machine ? CpuOccupant::Kind::Sibling : CpuOccupant::Kind::Vcpu;
    const std::string name = rowIdOf(of, vcpu);
    const auto put = [&](TimeRange part, const std::string& inside, TrackRef ran = {}) {
        if (!part.isEmpty())
            take(part,
                 addOccupant({kind, inside.empty() ? name : name + ' ' + inside, thread, ran, static_cast<std::int32_t>(place.machine),
                              static_cast<std::int32_t>(place.vcpu), inside}));
    };
    if (m_inside == Inside::Always || !vcpu.modes.isValid())
        return takeGuest(vcpu, range, put);
    Timestamp known = range.begin;
    cursor(vcpu.modes).each(range, [&](const Interval& it) {
        put({known, it.range.begin}, {});
        known = it.range.end;
        if (static_cast<VcpuMode>(it.state) == VcpuMode::Guest)
            takeGuest(vcpu, it.range, put);
        else
            put(it.range, static_cast<VcpuMode>(it.state) == VcpuMode::Hypervisor ? "hypervisor" : "");
    });
    put({known, range.end}, {});
}

void CpuOccupants::takeGuest(const VcpuBinding& vcpu, TimeRange range,
                             const std::function<void(TimeRange, const std::string&, TrackRef)>& put)
{
    RowCursor& guest = cursor(vcpu.guestThreads);
    Timestamp known = range.begin;
    guest.each(range, [&](const Interval& it) {
        put({known, it.range.begin}, {}, {});
        known = it.range.end;
        const StateCategory meaning = meaningOf(m_timeline, guest.row(), it.state);
        const TrackRef ran{guest.row().store, TrackId{it.value}};
        if (const Track* track = isOnCpu(meaning) ? trackOf(m_timeline, ran) : nullptr)
            put(it.range, threadText(*track), ran);
        else
            put(it.range, meaning == StateCategory::Rests ? "idle" : "", {});
    });
    put({known, range.end}, {}, {});
}

std::uint32_t CpuOccupants::addOccupant(CpuOccupant it)
{
    const auto [found, isNew] = m_numbers.try_emplace({it.kind, it.row, it.guestThread, it.name}, static_cast<std::uint32_t>(m_all.size()));
    if (isNew)
        m_all.push_back(std::move(it));
    return found->second;
}

} // namespace machines
} // namespace helio
