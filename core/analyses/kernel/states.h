#pragma once

#include "core/store/track.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace helio::kernel {

// The states of each kind of row. The order is the state's number in the store: it never changes without raising the analysis's version.

enum class ThreadState : std::uint8_t {
    Unknown,
    Running,
    RunningUser,
    RunningSyscall,
    RunningKernel,
    PageFault,
    Interrupted,
    WaitCpu,
    Preempted,
    Sleeping,
    Blocked,
    Waiting,
    IdleKthread,
    Stopped,
    Parked,
    Exiting,
};
inline constexpr std::array<std::string_view, 16> ThreadStateNames{
    "unknown",   "running",  "running-user", "running-syscall", "running-kernel", "page-fault", "interrupted", "wait-cpu",
    "preempted", "sleeping", "blocked",      "waiting",         "idle-kthread",   "stopped",    "parked",      "exiting",
};

enum class CpuState : std::uint8_t { Unknown, Idle, Running, User, Syscall, Kernel, Irq, Softirq };
inline constexpr std::array<std::string_view, 8> CpuStateNames{"unknown", "idle", "running", "user", "syscall", "kernel", "irq", "softirq"};

/// Which thread a CPU has; the thread itself is the interval's value.
enum class CpuThreadState : std::uint8_t { Idle, Running, Unknown };
inline constexpr std::array<std::string_view, 3> CpuThreadStateNames{"idle", "running", "unknown"};

/// Of IRQs and softirqs, on one CPU or over all. Only softirqs are raised; unknown where events were lost.
enum class IrqState : std::uint8_t { Inactive, Active, Raised, Unknown };
inline constexpr std::array<std::string_view, 4> IrqStateNames{"inactive", "active", "raised", "unknown"};

template <typename Enum> constexpr State toState(Enum state) { return static_cast<State>(state); }

} // namespace helio::kernel
