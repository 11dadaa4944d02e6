#include "core/event_model/prev_state_decoder.h"

#include "core/event_model/kernel_version.h"

namespace helio {

PrevStateDecoder::PrevStateDecoder(std::string_view release)
{
    const int version = parseKernelVersion(release);
    m_reportsState = version == 0 || version >= 4014;
    m_mayBeShifted = version >= 4014 && version <= 4020;
    m_preemptMark = version <= 3008 ? 512 : version <= 4001 ? 1024 : version <= 4007 ? 2048 : 4096;
    m_hasParked = version >= 3009;
    m_hasNoload = version >= 4002;
}

void PrevStateDecoder::learnFromIdle(std::int64_t state)
{
    if (m_mayBeShifted && (state == 0 || state == 1)) {
        m_isShifted = state == 1;
        m_mayBeShifted = false;
    }
}

SwitchOutReason PrevStateDecoder::decode(std::int64_t state, bool isKernelThread)
{
    if (!m_reportsState)
        return decodeRaw(state);
    if (m_mayBeShifted) {
        m_runnables += state == 0 ? 1 : 0;
        m_fours += state == 4 ? 1 : 0;
        m_isShifted = m_runnables == 0 && m_fours >= 8;
        m_mayBeShifted = m_runnables == 0;
    }
    if (!m_isShifted)
        return decodeReport(state);
    // In shifted states, bit 0x100 has two meanings: an idle kernel thread (0x80, shifted), or preempted (not shifted).
    if (state == 0x100)
        return isKernelThread ? SwitchOutReason::IdleKthread : SwitchOutReason::Preempted;
    return decodeReport(state >> 1);
}

SwitchOutReason PrevStateDecoder::decodeReport(std::int64_t state) const
{
    if (state == 0)
        return SwitchOutReason::Runnable;
    if (state & 0x100)
        return SwitchOutReason::Preempted;
    if (state & 0x02)
        return SwitchOutReason::Blocked;
    if (state & 0x01)
        return SwitchOutReason::Sleeping;
    if (state & 0x30)
        return SwitchOutReason::Dead;
    if (state & 0x40)
        return SwitchOutReason::Parked;
    if (state & 0x80)
        return SwitchOutReason::IdleKthread;
    return state & 0x0c ? SwitchOutReason::Stopped : SwitchOutReason::Waiting;
}

SwitchOutReason PrevStateDecoder::decodeRaw(std::int64_t state) const
{
    if (state == 0)
        return SwitchOutReason::Runnable;
    if (state & m_preemptMark)
        return SwitchOutReason::Preempted;
    if (m_hasNoload && state == 1026)
        return SwitchOutReason::IdleKthread;
    if (state & 0x02)
        return SwitchOutReason::Blocked;
    if (state & 0x01)
        return SwitchOutReason::Sleeping;
    if (state & 0x70)
        return SwitchOutReason::Dead;
    if (state & 0x0c)
        return SwitchOutReason::Stopped;
    return m_hasParked && (state & 0x200) ? SwitchOutReason::Parked : SwitchOutReason::Waiting;
}

SwitchOutReason PrevStateDecoder::decodeLetters(std::string_view letters)
{
    if (letters.empty())
        return SwitchOutReason::Waiting;
    if (letters.ends_with('+'))
        return SwitchOutReason::Preempted;
    switch (letters.front()) {
    case 'R': return SwitchOutReason::Runnable;
    case 'S': return SwitchOutReason::Sleeping;
    case 'D': return SwitchOutReason::Blocked;
    case 'T':
    case 't': return SwitchOutReason::Stopped;
    case 'X':
    case 'Z':
    case 'x': return SwitchOutReason::Dead;
    case 'P': return SwitchOutReason::Parked;
    case 'I': return SwitchOutReason::IdleKthread;
    default: return SwitchOutReason::Waiting;
    }
}

} // namespace helio
