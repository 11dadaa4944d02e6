#pragma once

#include <cstdint>
#include <string_view>

namespace helio {

/// Why a thread left its CPU.
enum class LeaveReason : std::uint8_t { Runnable, Preempted, Sleeping, Blocked, Waiting, IdleKthread, Stopped, Parked, Dead };

/// Reads sched_switch's prev_state as the traced kernel meant it.
///
/// The bits changed with kernels: up to 4.13 they are the task's raw state, later a report of it, and some of 4.14 to 4.20 report
/// one bit too high. Those are recognised by the idle thread, which is always runnable: it leaves with 1 instead of 0.
class PrevStates {
public:
    /// `release` as uname -r prints it ("6.1.0-50-amd64"); an empty or odd one counts as a recent kernel.
    explicit PrevStates(std::string_view release);

    /// Of the idle thread, whose state says only how to read the others'.
    void learnFromIdle(std::int64_t state);

    /// Of any other thread.
    LeaveReason decode(std::int64_t state, bool isKernelThread);

    /// ftrace's letters: "S", "R+", "D|K".
    static LeaveReason decodeLetters(std::string_view letters);

private:
    LeaveReason decodeReport(std::int64_t state) const;
    LeaveReason decodeRaw(std::int64_t state) const;

    bool m_isReport = true; ///< 4.14 and later.
    bool m_mayBeShifted = false; ///< 4.14 to 4.20.
    bool m_isShifted = false;
    int m_runnables = 0; ///< Zeros met, and fours: a shifted kernel is recognised by them, too.
    int m_fours = 0;
    std::int64_t m_preemptMark = 0;
    bool m_hasParked = true; ///< 512 is "parked", not the preemption mark.
    bool m_hasNoload = true; ///< 1026 is an idle kernel thread.
};

} // namespace helio
