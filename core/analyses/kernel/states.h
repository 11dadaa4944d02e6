#pragma once

#include "core/store/store.h"

#include <cstdint>

namespace helio::kernel {

// States of threads. The values of all state enums in this file are stored numbers; changing them requires a new version of the analysis.

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
    InSyscall, ///< In a system call, according to the recorded calls; it is unknown whether the thread had a CPU.
    BetweenSyscalls, ///< Between two recorded system calls; it is unknown whether the thread had a CPU.
    Throttled, ///< Runnable, although the thread's CPU idles and no thread of its process runs.
    /// In a system call that returned an error, according to a log of system calls; it is unknown whether the thread had a CPU.
    FailedSyscall,
    /// In a system call in which the thread waited, according to a log of system calls; it is unknown whether the thread also had a CPU
    /// during the call.
    WaitingInSyscall,
};

enum class CpuState : std::uint8_t { Unknown, Idle, Running, User, Syscall, Kernel, Softirq, Irq };

/// States of the track with a CPU's threads; the interval's value is the thread.
enum class CpuThreadState : std::uint8_t { Idle, Running, Unknown };

/// States of IRQs and softirqs, on one CPU or on all CPUs. Only softirqs can be Raised. Unknown means a gap of lost events.
enum class IrqState : std::uint8_t { Inactive, Active, Raised, Unknown };

// Return the state sets with names, categories and styles, in the order of the enum values.
const StateSet& threadStates();
const StateSet& cpuStates();
const StateSet& cpuThreadStates();
const StateSet& irqStates();
const StateSet& softirqStates(); ///< Same states as irqStates(), with other colours.
const StateSet& frequencyStates(); ///< A set with a single state; the interval's value is the frequency in kHz.

/// Declares the kinds of links that the kernel analysis makes.
void declareLinks(StateSink& sink);

template <typename Enum> constexpr State toState(Enum state) { return static_cast<State>(state); }

} // namespace helio::kernel
