#pragma once

#include "core/store/store.h"

#include <cstdint>

namespace helio::kernel {

// States of threads. In all enums of states here, the value is the state's number in the store; changing it requires a new version of the
// analysis.

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
    InSyscall, ///< In a system call according to its events; it is unknown whether the thread had a CPU.
    BetweenSyscalls, ///< Between system calls according to their events; it is unknown whether the thread had a CPU.
};

enum class CpuState : std::uint8_t { Unknown, Idle, Running, User, Syscall, Kernel, Softirq, Irq };

/// States of a CPU's thread track; the value of the interval is the thread.
enum class CpuThreadState : std::uint8_t { Idle, Running, Unknown };

/// States of IRQs and softirqs, on one CPU or over all. Only softirqs can be Raised; Unknown in gaps of lost events.
enum class IrqState : std::uint8_t { Inactive, Active, Raised, Unknown };

// Return the state sets with names, meanings and styles, in the order of the numbers.
const StateSet& threadStates();
const StateSet& cpuStates();
const StateSet& cpuThreadStates();
const StateSet& irqStates();
const StateSet& softirqStates(); ///< The states of irqStates() in other colours.
const StateSet& frequencyStates(); ///< A single state; the interval's value is the frequency in kHz.

/// Declares the kinds of links that this analysis makes.
void declareLinks(StateSink& sink);

template <typename Enum> constexpr State toState(Enum state) { return static_cast<State>(state); }

} // namespace helio::kernel
