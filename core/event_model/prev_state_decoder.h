#pragma once

#include <cstdint>
#include <string_view>

namespace helio {

/// Reason why a thread left its CPU.
enum class SwitchOutReason : std::uint8_t { Runnable, Preempted, Sleeping, Blocked, Waiting, IdleKthread, Stopped, Parked, Dead };

/// Decodes the prev_state of sched_switch as the traced kernel defines it.
///
/// The bits depend on the kernel. Up to 4.13 they are the task's raw state, later a report of the state. Some kernels from 4.14 to 4.20
/// report it shifted by one bit. Shifted kernels are detected by the idle thread, which is always runnable: its prev_state is then 1
/// instead of 0.
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

    bool m_isReport = true; ///< True for kernels from 4.14 on: prev_state is a report instead of the raw state.
    bool m_mayBeShifted = false; ///< True for kernels 4.14 to 4.20 while it is undecided whether states are shifted.
    bool m_isShifted = false;
    int m_runnables = 0; ///< Number of states 0; together with m_fours (number of states 4), it also decides whether states are shifted.
    int m_fours = 0;
    std::int64_t m_preemptMark = 0;
    bool m_hasParked = true; ///< True if bit 512 means "parked"; false if it is the preemption mark.
    bool m_hasNoload = true; ///< True if the state 1026 means an idle kernel thread.
};

} // namespace helio
