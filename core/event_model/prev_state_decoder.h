#pragma once

#include <cstdint>
#include <string_view>

namespace helio {

/// Reason why a thread left its CPU.
enum class SwitchOutReason : std::uint8_t { Runnable, Preempted, Sleeping, Blocked, Waiting, IdleKthread, Stopped, Parked, Dead };

/// Decodes the prev_state of sched_switch as the traced kernel means it.
///
/// The bits changed between kernels: up to 4.13 they are the task's raw state, later a report of it, and some kernels from 4.14 to 4.20
/// report it shifted by one bit. Shifted kernels are recognised by the idle thread, which is always runnable: it leaves with 1 instead of
/// 0.
class PrevStateDecoder {
public:
    /// `release`: the kernel release as uname -r prints it ("6.1.0-50-amd64"). An empty or unreadable one counts as a recent kernel.
    explicit PrevStateDecoder(std::string_view release);

    /// Takes the prev_state of an idle thread. It shows whether the kernel reports states shifted by one bit: 1 if so, 0 if not.
    void learnFromIdle(std::int64_t state);

    /// Decodes the prev_state of a thread other than the idle thread.
    SwitchOutReason decode(std::int64_t state, bool isKernelThread);

    /// Decodes ftrace's letters, e.g. "S", "R+", "D|K".
    static SwitchOutReason decodeLetters(std::string_view letters);

private:
    SwitchOutReason decodeReport(std::int64_t state) const;
    SwitchOutReason decodeRaw(std::int64_t state) const;

    bool m_isReport = true; ///< True for kernels from 4.14 on.
    bool m_mayBeShifted = false; ///< True for kernels 4.14 to 4.20 until the shift is decided.
    bool m_isShifted = false;
    int m_runnables = 0; ///< Count of states 0 met; with m_fours (states 4) it also decides the shift.
    int m_fours = 0;
    std::int64_t m_preemptMark = 0;
    bool m_hasParked = true; ///< True if bit 512 means "parked" instead of the preemption mark.
    bool m_hasNoload = true; ///< True if 1026 means an idle kernel thread.
};

} // namespace helio
