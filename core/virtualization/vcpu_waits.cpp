#include "core/virtualization/vcpu_waits.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace helio {

namespace {

/// Returns `window`, extended so that the row's intervals at its start and end are inside completely.
TimeRange extendedToIntervals(machines::RowCursor& row, TimeRange window)
{
    if (const Interval* first = row.at(window.begin))
        window.begin = first->range.begin;
    if (const Interval* last = row.at(window.end))
        window.end = last->range.end;
    return window;
}

} // namespace

VcpuWaitFinder::VcpuWaitFinder(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window, std::stop_token stop)
    : m_timeline(timeline)
    , m_machines(all)
    , m_window(window)
    , m_stop(std::move(stop))
    , m_occupants(timeline, all)
{
}

const VcpuWaitList& VcpuWaitFinder::of(std::uint32_t machine, std::uint32_t vcpu)
{
    const auto [found, isNew] = m_found.try_emplace({machine, vcpu});
    if (isNew)
        find(machine, m_machines[machine].vcpus[vcpu], found->second);
    return found->second;
}

void VcpuWaitFinder::find(std::uint32_t machine, const VcpuBinding& vcpu, VcpuWaitList& found)
{
    machines::RowCursor thread(m_timeline, vcpu.thread);
    // Current wait of the vCPU, merged from adjacent intervals. Not clipped to the time range: add() finds the CPU at the start or the end
    // of the complete wait.
    TimeRange open{};
    bool isPreempted = false;
    TimeRange running{}; // Current stay of the thread on a CPU, merged from adjacent intervals; states with different names are merged too.
    const auto close = [&] {
        if (!open.isEmpty())
            add(machine, vcpu, open, open, isPreempted, found);
        if (!running.isEmpty() && m_machines[machine].outer >= 0)
            addOuter(machine, vcpu, running, found);
        open = running = {};
    };
    thread.each(extendedToIntervals(thread, m_window), [&](const Interval& it) {
        if (m_stop.stop_requested())
            return;
        const StateCategory meaning = meaningOf(m_timeline, thread.row(), it.state);
        const bool isTaken = meaning == StateCategory::Preempted;
        TimeRange* const interval = isRunnable(meaning) ? &open : isOnCpu(meaning) ? &running : nullptr;
        if (!interval || interval->end != it.range.begin || (interval == &open && isPreempted != isTaken))
            close();
        if (!interval)
            return;
        *interval = interval->isEmpty() ? it.range : TimeRange{interval->begin, it.range.end};
        isPreempted = isTaken;
    });
    close();
}

/// For a nested virtual machine, adds the waits in the range `onCpu`, in which the vCPU has a CPU of its host. This CPU is itself a vCPU of
/// the outer machine; when the outer vCPU does not run, the inner vCPU waits.
void VcpuWaitFinder::addOuter(std::uint32_t machine, const VcpuBinding& vcpu, TimeRange onCpu, VcpuWaitList& found)
{
    const auto outer = static_cast<std::uint32_t>(m_machines[machine].outer);
    const auto cpu = m_occupants.cpuOf(vcpu.thread, onCpu.begin);
    const auto& vcpus = m_machines[outer].vcpus;
    const auto on = cpu ? std::ranges::find(vcpus, *cpu, &VcpuBinding::vcpu) : vcpus.end();
    if (on == vcpus.end())
        return;
    const VcpuWaitList& outside = of(outer, static_cast<std::uint32_t>(on - vcpus.begin()));
    auto it = std::ranges::upper_bound(outside.all, onCpu.begin, {}, [](const VcpuWait& a) { return a.range.end; });
    for (; it != outside.all.end() && it->range.begin < onCpu.end; ++it)
        add(outer, *on, it->range, it->range.clippedTo(onCpu), true, found);
}

/// Adds the wait `range`, which is a part of the longer wait `whole` or equal to it. The CPU is looked up at the ends of `whole`, because
/// it is not known inside of a wait.
void VcpuWaitFinder::add(std::uint32_t machine, const VcpuBinding& vcpu, TimeRange whole, TimeRange range, bool isPreempted,
                         VcpuWaitList& found)
{
    range = range.clippedTo(m_window);
    if (range.isEmpty())
        return;
    VcpuWait absence{range, isPreempted, static_cast<std::uint32_t>(found.occupants.size()), 0, -1};
    std::optional<std::uint32_t> last;
    const auto take = [&](TimeRange part, std::uint32_t occupant) {
        const bool isNext = std::exchange(last, occupant) != occupant;
        const auto here = std::span(found.occupants).subspan(absence.firstOccupant);
        const auto known = std::ranges::find(here, occupant, &OccupantShare::occupant);
        if (known != here.end()) {
            known->total += part.duration();
            known->count += isNext;
            return;
        }
        found.occupants.push_back({occupant, part.duration(), part.begin, 1});
        ++absence.occupantCount;
    };
    if (const auto cpu = m_occupants.findCpuAroundWait(vcpu.thread, whole, isPreempted)) {
        absence.cpu = *cpu;
        m_occupants.each(machine, *cpu, range, take);
    } else
        take(range, m_occupants.unknown());
    std::ranges::stable_sort(std::span(found.occupants).subspan(absence.firstOccupant), std::greater(), &OccupantShare::total);
    found.all.push_back(absence);
}

namespace {

/// Returns the names of at most three occupants and the number of further occupants as text: "a, b, c and 2 more".
template <typename Name> std::string joined(std::span<const OccupantShare> all, const Name& name)
{
    constexpr std::size_t MostNamed = 3;
    std::string text;
    for (const OccupantShare& share : all.first(std::min(all.size(), MostNamed)))
        text += (text.empty() ? "" : ", ") + name(share);
    return all.size() > MostNamed ? text + " and " + std::to_string(all.size() - MostNamed) + " more" : text;
}

} // namespace

std::string VcpuWaitFinder::textOf(const VcpuWaitList& absences, const VcpuWait& it) const
{
    return joined(absences.occupantsDuring(it), [this](const OccupantShare& share) { return occupants()[share.occupant].name; });
}

std::string VcpuWaitFinder::wordsOf(const VcpuWaitList& absences, const VcpuWait& it) const
{
    return joined(absences.occupantsDuring(it), [this](const OccupantShare& share) { return wordsOf(occupants()[share.occupant]); });
}

std::string VcpuWaitFinder::wordsOf(const CpuOccupant& it) const { return occupantText(m_machines, it); }

} // namespace helio
