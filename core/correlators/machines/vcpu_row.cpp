#include "core/correlators/machines/vcpu_row.h"

#include "core/event_model/vcpu_modes.h"

#include <utility>

namespace helio::machine_rows {

using enum StateCategory;
using enum BarPattern;
using namespace StateFlag;

const StateSet& vcpuStates()
{
    static const StateSet set{
        "vcpu",
        {
            {"guest-user",
             OnCpuUser,
             {"vm.running", "In guest user space", "in guest", 16, Plain, 0, 0, Labelled | InHeader, "Thread", ""}},
            {"guest-kernel", OnCpuKernel, {"vm.running", "In guest kernel", "in guest kernel", 14, Plain, 1, 0, Labelled, "Thread", ""}},
            {"guest", OnCpu, {"vm.running", "In guest", "in guest", 16, Plain, 2, 0, Labelled, "Thread", ""}},
            {"guest-idle", Rests, {"vm.halted", "In idle guest", "guest idle", 4, Plain, 20, 0, Labelled, "Thread", ""}},
            {"hypervisor",
             OnCpuKernel,
             {"vm.hypervisor", "In hypervisor", "in hypervisor", 11, Plain, 3, 1, Labelled | InHeader, "Exit", "for"}},
            {"preempted",
             Preempted,
             {"vm.preempted", "vCPU preempted", "preempted", 8, CutCorner, 10, 3, Labelled | InHeader, "Culprit", "by"}},
            {"wait-cpu", WaitsForCpu, {"thread.wait-cpu", "Runnable", "runnable", 8, Plain, 11, 2, InHeader, "Behind", "behind"}},
            {"halted", Rests, {"vm.halted", "Halted: guest idle", "halted", 2, Line, 101, 0, InHeader, "Exit", ""}},
            {"waiting", Waits, {"vm.waiting", "Blocked on the host", "blocked on host", 6, Plain, 9, 2, InHeader, "Exit", "for"}},
            {"unknown", Unknown, {"vm.unknown", "Unknown", "unknown", 5, Hatched, 100, 0, 0}},
        },
        "Virtual CPUs",
    };
    return set;
}

StateKind stolenState()
{
    return {"stolen", Preempted, {"vm.preempted", "Stolen: vCPU not running", "stolen", 16, Hatched, 12, 3, InHeader, "Culprit", "by"}};
}

StringId CopiedTexts::of(std::uint32_t value)
{
    const auto [found, isNew] = m_known.try_emplace(value);
    if (isNew)
        found->second = m_sink.string(valueText(m_timeline, m_row, value));
    return found->second;
}

VcpuRow::VcpuRow(const Timeline& timeline, const VcpuBinding& vcpu, bool hasGuest, const VcpuWaitFinder& of, const VcpuWaitList& absences,
                 TrackId row, StateSink& sink)
    : m_timeline(timeline)
    , m_hasGuest(hasGuest)
    , m_of(of)
    , m_absences(absences)
    , m_row(row)
    , m_sink(sink)
    , m_thread(timeline, vcpu.thread)
    , m_modes(timeline, vcpu.modes)
    , m_guest(timeline, vcpu.guestCpu)
    , m_reasons(timeline, vcpu.modes, sink)
    , m_guestTexts(timeline, vcpu.guestCpu, sink)
{
}

void VcpuRow::set(Timestamp at, VcpuState state, StringId value)
{
    m_sink.set(onAxis(at), m_row, static_cast<State>(state), static_cast<std::uint32_t>(value));
}

void VcpuRow::write(std::stop_token stop)
{
    machines::RowCursor& all = m_thread.isValid() ? m_thread : m_guest;
    all.each(all.life(), [&](const Interval& it) {
        if (stop.stop_requested())
            return;
        if (m_thread.isValid())
            writeThread(it);
        else
            writeGuestState(it);
    });
    if (all.isValid())
        m_sink.end(onAxis(all.life().end), m_row);
}

/// Writes an interval of the vCPU's thread, split at the vCPU's waits for a CPU.
void VcpuRow::writeThread(const Interval& it)
{
    Timestamp known = it.range.begin;
    const auto& all = m_absences.all;
    while (m_next < all.size() && all[m_next].range.end <= known)
        ++m_next;
    for (std::size_t i = m_next; i < all.size() && all[i].range.begin < it.range.end; ++i) {
        const TimeRange absent = all[i].range.clippedTo(it.range);
        if (known < absent.begin)
            writePresent({known, absent.begin}, it);
        set(absent.begin, all[i].isPreempted ? VcpuState::Preempted : VcpuState::WaitCpu, m_sink.string(m_of.textOf(m_absences, all[i])));
        known = absent.end;
    }
    if (known < it.range.end)
        writePresent({known, it.range.end}, it);
}

void VcpuRow::writePresent(TimeRange range, const Interval& thread)
{
    const StateCategory meaning = meaningOf(m_timeline, m_thread.row(), thread.state);
    if (isOnCpu(meaning))
        writeOnCpu(range);
    else if (isOffCpu(meaning))
        writeAway(range);
    else
        set(range.begin, VcpuState::Unknown);
}

void VcpuRow::writeOnCpu(TimeRange range)
{
    if (!m_modes.isValid())
        return writeGuest(range);
    Timestamp known = range.begin;
    m_modes.each(range, [&](const Interval& it) {
        if (known < it.range.begin)
            set(known, VcpuState::Unknown);
        known = it.range.end;
        switch (static_cast<VcpuMode>(it.state)) {
        case VcpuMode::Guest: writeGuest(it.range); break;
        case VcpuMode::Hypervisor: set(it.range.begin, VcpuState::Hypervisor, m_reasons.of(it.value)); break;
        case VcpuMode::Unknown: set(it.range.begin, VcpuState::Unknown); break;
        }
    });
    if (known < range.end)
        set(known, VcpuState::Unknown);
}

/// Writes the guest's states in the range. Before the start of the guest's trace, the states are unknown. After its end, they are
/// VcpuState::Guest, because the host's trace still shows the time in the guest.
void VcpuRow::writeGuest(TimeRange range)
{
    const Timestamp end = m_hasGuest && m_guest.isValid() ? m_guest.life().end : m_hasGuest ? Timestamp::max() : Timestamp::min();
    if (range.begin >= end)
        return set(range.begin, VcpuState::Guest);
    if (end < range.end) {
        writeGuest({range.begin, end});
        return set(end, VcpuState::Guest);
    }
    Timestamp known = range.begin;
    m_guest.each(range, [&](const Interval& it) {
        if (known < it.range.begin)
            set(known, VcpuState::Unknown);
        known = it.range.end;
        writeGuestState(it);
    });
    if (known < range.end)
        set(known, VcpuState::Unknown);
}

void VcpuRow::writeGuestState(const Interval& it)
{
    const StateCategory meaning = meaningOf(m_timeline, m_guest.row(), it.state);
    VcpuState state = VcpuState::Unknown;
    if (meaning == StateCategory::OnCpuUser)
        state = VcpuState::GuestUser;
    else if (meaning == StateCategory::OnCpu)
        state = VcpuState::Guest;
    else if (isOnCpu(meaning))
        state = VcpuState::GuestKernel;
    else if (meaning == StateCategory::Rests)
        state = VcpuState::GuestIdle;
    set(it.range.begin, state, isOnCpu(meaning) ? m_guestTexts.of(it.value) : StringId{});
}

/// Writes a range in which the vCPU was neither on a CPU nor runnable. Without kvm events, the guest's trace shows whether the vCPU was
/// idle.
void VcpuRow::writeAway(TimeRange range)
{
    const Interval* mode = m_modes.at(range.begin);
    if (mode && static_cast<VcpuMode>(mode->state) == VcpuMode::Hypervisor) {
        const std::string reason = valueText(m_timeline, m_modes.row(), mode->value);
        return set(range.begin, isHaltReason(reason) ? VcpuState::Halted : VcpuState::Waiting, m_reasons.of(mode->value));
    }
    const Interval* guest = m_modes.isValid() ? nullptr : m_guest.at(range.begin);
    const bool isIdle = guest && meaningOf(m_timeline, m_guest.row(), guest->state) == StateCategory::Rests;
    set(range.begin, isIdle ? VcpuState::Halted : VcpuState::Waiting);
}

} // namespace helio::machine_rows
