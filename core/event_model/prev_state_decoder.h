#pragma once

#include <cstdint>
#include <string_view>

namespace helio {

/// Reason why a thread left its CPU.
enum class SwitchOutReason : std::uint8_t { Runnable, Preempted, Sleeping, Blocked, Waiting, IdleKthread, Stopped, Parked, Dead };

/// Decodes the prev_state of sched_switch as the traced kernel defines it.
///
/// The meaning of the bits depends on the kernel's version. Up to 4.13, prev_state is the task's raw state. From 4.14 on, it is a
/// state that the kernel computes for this event (a report). Some kernels from 4.14 to 4.20 shift the bits of this state left by one
/// position. The idle thread shows whether the bits are shifted: it is always runnable, and its prev_state is then 1 instead of 0.
class PrevStateDecoder {
public:
    /// `release`: the kernel release as uname -r prints it ("6.1.0-50-amd64"). An empty or invalid release counts as a recent kernel.
    explicit PrevStateDecoder(std::string_view release);

    /// Processes the prev_state of an idle thread, which shows whether the kernel reports states shifted by one bit: 1 if shifted, 0 if
    /// not.
    void learnFromIdle(std::int64_t state);

    /// Decodes the prev_state of any thread except the idle thread.
    SwitchOutReason decode(std::int64_t state, bool isKernelThread);

    /// Decodes the state letters of ftrace, for example "S", "R+", "D|K".
    static SwitchOutReason decodeLetters(std::string_view letters);

private:
    SwitchOutReason decodeReport(std::int64_t state) const;
    SwitchOutReason decodeRaw(std::int64_t state) const;

    /// True for kernels from 4.14 on, whose prev_state is a report: a state that the kernel computes for this event, with constant bits.
    /// False for older kernels, whose prev_state is the raw state of the task.
    bool m_reportsState = true;
    bool m_mayBeShifted = false; ///< True while it is unknown whether this kernel (4.14 to 4.20) reports states shifted left by one bit.
    bool m_isShifted = false;
    /// Number of switches so far with the prev_state 0. Together with m_fours, the number of switches with the prev_state 4, it shows
    /// whether the bits of prev_state are shifted.
    int m_runnables = 0;
    int m_fours = 0;
    std::int64_t m_preemptMark = 0;
    bool m_hasParked = true; ///< True if bit 512 of prev_state means "parked"; false if it is the preemption mark.
    bool m_hasNoload = true; ///< True if the prev_state 1026 means an idle kernel thread.
};

} // namespace helio
