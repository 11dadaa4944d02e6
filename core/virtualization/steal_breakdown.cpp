#include "core/virtualization/steal_breakdown.h"

#include "core/query/rows/priorities.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/timeline_access.h"
#include "core/timesync/host_headings.h"
#include "core/virtualization/vcpu_waits.h"
#include "core/virtualization/virtual_machine_names.h"

#include <algorithm>
#include <map>
#include <utility>

namespace helio {
namespace {

/// An interval in which a row belongs to one vCPU. A guest's thread belongs to the vCPU on which it runs.
struct VcpuStay {
    std::uint32_t machine = 0;
    std::uint32_t vcpu = 0; ///< vCPU, as an index into VirtualMachine::vcpus.
    TimeRange range{};
    bool isRecorded = false; ///< True if the row is from the guest's trace; false if the row is from the host's trace.
};

/// Adds the intervals in which a guest's thread was on a vCPU.
void addStays(const Timeline& timeline, TrackRef thread, VcpuStay whole, TrackRef threads, std::vector<VcpuStay>& stays)
{
    machines::RowCursor row(timeline, threads);
    row.each(whole.range, [&](const Interval& it) {
        if (TrackRef{threads.store, TrackId{it.value}} != thread || !isOnCpu(meaningOf(timeline, threads, it.state)))
            return;
        const auto isOfSame = [&](const VcpuStay& stay) { return stay.machine == whole.machine && stay.vcpu == whole.vcpu; };
        if (!stays.empty() && isOfSame(stays.back()) && stays.back().range.end == it.range.begin)
            stays.back().range.end = it.range.end;
        else
            stays.push_back({whole.machine, whole.vcpu, it.range, true});
    });
}

std::vector<VcpuStay> staysOf(const Timeline& timeline, const std::vector<VirtualMachine>& all, TrackRef row, TimeRange range)
{
    const auto note = noteOf(timeline, row);
    if (note && note->kind == RowNote::Source::Below)
        return {};
    const TrackRef source = note ? note->source : row;
    const Track* track = trackOf(timeline, source);
    std::vector<VcpuStay> stays;
    for (std::uint32_t machine = 0; machine < all.size() && track; ++machine)
        for (std::uint32_t vcpu = 0; vcpu < all[machine].vcpus.size(); ++vcpu) {
            const VcpuBinding& it = all[machine].vcpus[vcpu];
            if (it.thread == source || it.guestCpu == source)
                return {{machine, vcpu, range, it.thread != source}};
            if (track->role == TrackRole::Thread && all[machine].guestTrace == traceOf(timeline, source))
                addStays(timeline, source, {machine, vcpu, range, true}, it.guestThreads, stays);
        }
    return stays;
}

/// Sums up the culprits of several waits.
class Sums {
public:
    Sums(const Timeline& timeline, const std::vector<VirtualMachine>& all)
        : m_timeline(timeline)
        , m_machines(all)
    {
    }

    void add(const VcpuStay& stay, const std::stop_token& stop)
    {
        VcpuWaitFinder absences(m_timeline, m_machines, stay.range, stop);
        const VcpuWaitList& of = absences.of(stay.machine, stay.vcpu);
        for (const VcpuWait& it : of.all)
            for (const OccupantShare& share :
                 it.isPreempted || !stay.isRecorded ? of.occupantsDuring(it) : std::span<const OccupantShare>())
                add(absences.occupants()[share.occupant], share, it.cpu);
    }

    /// Adds the running time of vCPUs on one CPU in the range, by vCPU and guest thread. The CPU is CPU `cpu` of the host of virtual
    /// machine `machine`.
    void addVcpuRuns(std::uint32_t machine, std::int32_t cpu, TimeRange range)
    {
        machines::CpuOccupants occupants(m_timeline, m_machines, machines::CpuOccupants::Inside::OnlyInTheGuest);
        std::optional<std::uint32_t> last;
        occupants.each(machine, cpu, range, [&](TimeRange part, std::uint32_t occupant) {
            const bool isNext = std::exchange(last, occupant) != occupant;
            if (occupants.all()[occupant].machine >= 0)
                add(occupants.all()[occupant], {occupant, part.duration(), part.begin, isNext ? 1u : 0u}, cpu);
        });
    }

    StealBreakdown take()
    {
        for (auto& [key, sum] : m_sums) {
            m_found.total += sum.total;
            m_found.by.push_back(std::move(sum));
        }
        std::ranges::stable_sort(m_found.by, std::greater(), &StealCulprit::total);
        return std::move(m_found);
    }

private:
    void add(const CpuOccupant& occupant, const OccupantShare& share, std::int32_t cpu)
    {
        const auto [found, isNew] = m_sums.try_emplace({occupant.name, cpu});
        StealCulprit& sum = found->second;
        if (isNew) {
            sum.occupant = occupant;
            sum.words = occupantText(m_machines, occupant);
            sum.cpu = cpu;
            sum.first = share.first;
            sum.color = colorOf(occupant);
            sum.priority = priorityAt(m_timeline, occupant.row, share.first);
            const TrackRef shown = occupant.machine >= 0 ? findMirrorRow(m_timeline, occupant.row) : TrackRef();
            sum.row = shown.isValid() ? shown : occupant.row;
        }
        sum.total += share.total;
        sum.count += share.count;
    }

    std::optional<std::int32_t> colorOf(const CpuOccupant& occupant)
    {
        const std::uint32_t guest =
            occupant.machine >= 0 ? m_machines[static_cast<std::size_t>(occupant.machine)].guestTrace : NoTraceIndex;
        if (guest == NoTraceIndex)
            return {};
        if (m_headings.empty())
            m_headings = hostHeadings(m_timeline);
        return m_headings[m_timeline.traces[guest].host].color;
    }

    const Timeline& m_timeline;
    const std::vector<VirtualMachine>& m_machines;
    std::vector<HostHeading> m_headings; ///< Headings of hosts, computed on first use.
    std::map<std::pair<std::string, std::int32_t>, StealCulprit> m_sums; ///< Sums by culprit, keyed by the culprit's name and the CPU.
    StealBreakdown m_found;
};

} // namespace

namespace {

/// Returns the guest's thread that seemed to run while its vCPU had no CPU; empty if the guest was idle or the thread is unknown.
std::string findAffectedThread(const Timeline& timeline, const VirtualMachine& machine, const VcpuStay& stay)
{
    const TrackRef threads = machine.vcpus[stay.vcpu].guestThreads;
    if (stay.isRecorded || !threads.isValid())
        return {};
    const std::string thread = GuestThreadAt(timeline, threads)(stay.range.begin);
    return thread.empty() || thread == "idle" ? std::string() : thread + " of " + machine.name;
}

} // namespace

StealBreakdown computeStealBreakdown(const Timeline& timeline, TrackRef row, TimeRange range, std::stop_token stop)
{
    if (!trackOf(timeline, row) || range.isEmpty() || !hasVirtualMachines(timeline))
        return {};
    const auto all = findVirtualMachines(timeline);
    Sums sums(timeline, all);
    std::string affectedThread;
    for (const VcpuStay& stay : staysOf(timeline, all, row, range)) {
        if (stop.stop_requested())
            return {};
        sums.add(stay, stop);
        affectedThread = affectedThread.empty() ? findAffectedThread(timeline, all[stay.machine], stay) : affectedThread;
    }
    StealBreakdown taken = sums.take();
    if (!taken.by.empty())
        taken.affectedThread = affectedThread;
    return taken;
}

namespace {

/// Collects the intervals in which the culprits of a wait had the CPU, on all rows that show the culprits.
class CulpritIntervalFinder {
public:
    CulpritIntervalFinder(const Timeline& timeline, const std::vector<VirtualMachine>& all)
        : m_timeline(timeline)
        , m_machines(all)
        , m_occupants(timeline, all)
    {
    }

    void add(const VcpuStay& stay, const VcpuWait& absence)
    {
        const std::uint32_t trace = m_machines[stay.machine].hostTrace;
        const TrackRef cpu = cpuRow(m_timeline, trace, absence.cpu);
        m_occupants.each(stay.machine, absence.cpu, absence.range, [&](TimeRange part, std::uint32_t occupant) {
            const CpuOccupant& it = m_occupants.all()[occupant];
            if (it.kind == CpuOccupant::Kind::Idle || it.kind == CpuOccupant::Kind::Unknown)
                return;
            put(cpu, part);
            put(it.row, part);
            put(it.row.isValid() ? shownOf(it.row) : TrackRef(), part);
        });
    }

    std::vector<CulpritInterval> take() { return std::move(m_found); }

private:
    TrackRef shownOf(TrackRef thread)
    {
        const auto [found, isNew] = m_shown.try_emplace(thread);
        if (isNew)
            found->second = findMirrorRow(m_timeline, thread);
        return found->second;
    }

    void put(TrackRef row, TimeRange range)
    {
        if (!row.isValid())
            return;
        const auto [last, isNew] = m_last.try_emplace(row, m_found.size());
        if (!isNew && m_found[last->second].range.end == range.begin) {
            m_found[last->second].range.end = range.end;
            return;
        }
        last->second = m_found.size();
        m_found.push_back({row, range});
    }

    const Timeline& m_timeline;
    const std::vector<VirtualMachine>& m_machines;
    machines::CpuOccupants m_occupants;
    std::map<TrackRef, TrackRef> m_shown;
    std::map<TrackRef, std::size_t> m_last; ///< Index into m_found of each row's last interval.
    std::vector<CulpritInterval> m_found;
};

} // namespace

std::vector<CulpritInterval> findCulpritIntervals(const Timeline& timeline, TrackRef row, Timestamp at, std::stop_token stop)
{
    if (!trackOf(timeline, row))
        return {};
    const auto here = intervalAt(timeline, row, at);
    if (here.empty() || !isRunnable(meaningOf(timeline, row, here.front().state)) || !hasVirtualMachines(timeline))
        return {};
    const auto all = findVirtualMachines(timeline);
    CulpritIntervalFinder finder(timeline, all);
    for (const VcpuStay& stay : staysOf(timeline, all, row, here.front().range)) {
        VcpuWaitFinder absences(timeline, all, stay.range, stop);
        for (const VcpuWait& it : absences.of(stay.machine, stay.vcpu).all)
            if (it.cpu >= 0 && (it.isPreempted || !stay.isRecorded) && !stop.stop_requested())
                finder.add(stay, it);
    }
    return stop.stop_requested() ? std::vector<CulpritInterval>() : finder.take();
}

StealBreakdown guestActivity(const Timeline& timeline, TrackRef row, TimeRange range, std::stop_token stop)
{
    const Track* track = trackOf(timeline, row);
    if (!track || range.isEmpty() || noteOf(timeline, row) || !hasVirtualMachines(timeline))
        return {};
    const auto all = findVirtualMachines(timeline);
    const auto isOf = [&](const VcpuBinding& it) { return it.thread == row; };
    for (std::uint32_t machine = 0; machine < all.size() && !stop.stop_requested(); ++machine) {
        const bool isCpu = track->role == TrackRole::Cpu && all[machine].hostTrace == traceOf(timeline, row);
        if (!isCpu && std::ranges::none_of(all[machine].vcpus, isOf))
            continue;
        const auto cpu = isCpu ? std::optional(track->cpu) : machines::CpuOccupants(timeline, all).cpuOf(row, range.begin);
        if (!cpu)
            return {};
        Sums sums(timeline, all);
        sums.addVcpuRuns(machine, *cpu, range);
        StealBreakdown ran = sums.take();
        ran.isInside = true;
        return ran;
    }
    return {};
}

std::string_view shownWordOf(CpuOccupant::Kind kind)
{
    switch (kind) {
    case CpuOccupant::Kind::Vcpu: return "another VM's vCPU";
    case CpuOccupant::Kind::Sibling: return "another vCPU of the same VM";
    case CpuOccupant::Kind::Own: return "another thread of the same VM";
    case CpuOccupant::Kind::Thread: return "host thread";
    case CpuOccupant::Kind::KernelThread: return "host kernel thread";
    case CpuOccupant::Kind::Interrupt: return "interrupt";
    case CpuOccupant::Kind::Idle: return "none (CPU idle)";
    case CpuOccupant::Kind::Unknown: return "not recorded";
    }
    return "not recorded";
}

} // namespace helio
