#include "core/analyses/kernel/prev_state.h"

#include "core/analyses/kernel/kernel_version.h"

namespace helio::kernel {

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

Left PrevStates::decode(std::int64_t state, bool isKernelThread)
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
    // Shifted, an idle kernel thread's bit is the preemption mark.
    if (state == 0x100)
        return isKernelThread ? Left::IdleKthread : Left::Preempted;
    return decodeReport(state >> 1);
}

Left PrevStates::decodeReport(std::int64_t state) const
{
    if (state == 0)
        return Left::Runnable;
    if (state & 0x100)
        return Left::Preempted;
    if (state & 0x02)
        return Left::Blocked;
    if (state & 0x01)
        return Left::Sleeping;
    if (state & 0x30)
        return Left::Dead;
    if (state & 0x40)
        return Left::Parked;
    if (state & 0x80)
        return Left::IdleKthread;
    return state & 0x0c ? Left::Stopped : Left::Waiting;
}

Left PrevStates::decodeRaw(std::int64_t state) const
{
    if (state == 0)
        return Left::Runnable;
    if (state & m_preemptMark)
        return Left::Preempted;
    if (m_hasNoload && state == 1026)
        return Left::IdleKthread;
    if (state & 0x02)
        return Left::Blocked;
    if (state & 0x01)
        return Left::Sleeping;
    if (state & 0x70)
        return Left::Dead;
    if (state & 0x0c)
        return Left::Stopped;
    return m_hasParked && (state & 0x200) ? Left::Parked : Left::Waiting;
}

Left PrevStates::decodeLetters(std::string_view letters)
{
    if (letters.empty())
        return Left::Waiting;
    if (letters.ends_with('+'))
        return Left::Preempted;
    switch (letters.front()) {
    case 'R': return Left::Runnable;
    case 'S': return Left::Sleeping;
    case 'D': return Left::Blocked;
    case 'T':
    case 't': return Left::Stopped;
    case 'X':
    case 'Z':
    case 'x': return Left::Dead;
    case 'P': return Left::Parked;
    case 'I': return Left::IdleKthread;
    default: return Left::Waiting;
    }
}

} // namespace helio::kernel
