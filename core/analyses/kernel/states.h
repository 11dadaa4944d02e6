#pragma once

#include "core/store/store.h"

#include <cstdint>

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
    InSyscall, ///< As its own events say; whether it had a CPU is not known.
    BetweenSyscalls, ///< The same.
};

enum class CpuState : std::uint8_t { Unknown, Idle, Running, User, Syscall, Kernel, Softirq, Irq };

/// Which thread a CPU has; the thread itself is the interval's value.
enum class CpuThreadState : std::uint8_t { Idle, Running, Unknown };

/// Of IRQs and softirqs, on one CPU or over all. Only softirqs are raised; unknown where events were lost.
enum class IrqState : std::uint8_t { Inactive, Active, Raised, Unknown };

// Their names, meanings and looks, in the order of the numbers.
const StateSet& threadStates();
const StateSet& cpuStates();
const StateSet& cpuThreadStates();
const StateSet& irqStates();
const StateSet& softirqStates(); ///< As IRQs', in colours of their own.
const StateSet& frequencyStates(); ///< One: what counts is the value, in kHz.

/// The kinds of links that this analysis makes.
void declareLinks(StateSink& sink);

template <typename Enum> constexpr State toState(Enum state) { return static_cast<State>(state); }

} // namespace helio::kernel
