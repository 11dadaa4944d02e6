#include "core/event_model/prev_state.h"

#include "core/event_model/kernel_version.h"

namespace helio {

PrevStates::PrevStates(std::string_view release)
{
    const int version = versionOf(release);
    m_isReport = version == 0 || version >= 4014;
    m_mayBeShifted = version >= 4014 && version <= 4020;
    m_preemptMark = version <= 3008 ? 512 : version <= 4001 ? 1024 : version <= 4007 ? 2048 : 4096;
    m_hasParked = version >= 3009;
    m_hasNoload = version >= 4002;
}

void PrevStates::learnFromIdle(std::int64_t state)
{
    if (m_mayBeShifted && (state == 0 || state == 1)) {
        m_isShifted = state == 1;
        m_mayBeShifted = false;
    }
}

LeaveReason PrevStates::decode(std::int64_t state, bool isKernelThread)
{
    if (!m_isReport)
        return decodeRaw(state);
    if (m_mayBeShifted) {
        m_runnables += state == 0 ? 1 : 0;
        m_fours += state == 4 ? 1 : 0;
        m_isShifted = m_runnables == 0 && m_fours >= 8;
        m_mayBeShifted = m_runnables == 0;
    }
    if (!m_isShifted)
        return decodeReport(state);
    // In a shifted state, the bit of an idle kernel thread coincides with the preemption mark.
    if (state == 0x100)
        return isKernelThread ? LeaveReason::IdleKthread : LeaveReason::Preempted;
    return decodeReport(state >> 1);
}

LeaveReason PrevStates::decodeReport(std::int64_t state) const
{
    if (state == 0)
        return LeaveReason::Runnable;
    if (state & 0x100)
        return LeaveReason::Preempted;
    if (state & 0x02)
        return LeaveReason::Blocked;
    if (state & 0x01)
        return LeaveReason::Sleeping;
    if (state & 0x30)
        return LeaveReason::Dead;
    if (state & 0x40)
        return LeaveReason::Parked;
    if (state & 0x80)
        return LeaveReason::IdleKthread;
    return state & 0x0c ? LeaveReason::Stopped : LeaveReason::Waiting;
}

LeaveReason PrevStates::decodeRaw(std::int64_t state) const
{
    if (state == 0)
        return LeaveReason::Runnable;
    if (state & m_preemptMark)
        return LeaveReason::Preempted;
    if (m_hasNoload && state == 1026)
        return LeaveReason::IdleKthread;
    if (state & 0x02)
        return LeaveReason::Blocked;
    if (state & 0x01)
        return LeaveReason::Sleeping;
    if (state & 0x70)
        return LeaveReason::Dead;
    if (state & 0x0c)
        return LeaveReason::Stopped;
    return m_hasParked && (state & 0x200) ? LeaveReason::Parked : LeaveReason::Waiting;
}

LeaveReason PrevStates::decodeLetters(std::string_view letters)
{
    if (letters.empty())
        return LeaveReason::Waiting;
    if (letters.ends_with('+'))
        return LeaveReason::Preempted;
    switch (letters.front()) {
    case 'R': return LeaveReason::Runnable;
    case 'S': return LeaveReason::Sleeping;
    case 'D': return LeaveReason::Blocked;
    case 'T':
    case 't': return LeaveReason::Stopped;
    case 'X':
    case 'Z':
    case 'x': return LeaveReason::Dead;
    case 'P': return LeaveReason::Parked;
    case 'I': return LeaveReason::IdleKthread;
    default: return LeaveReason::Waiting;
    }
}

} // namespace helio
