#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace helio::kernel {

/// What an event means to the kernel's state machine, whatever its tracer called it.
enum class EventKind : std::uint8_t {
    None, ///< Nothing.
    SchedSwitch,
    SchedWaking,
    SchedWakeup,
    SchedWakeupNew,
    SchedMigrate,
    ProcessFork,
    ProcessExec,
    ProcessExit,
    ProcessFree,
    PrioritySet,
    SyscallEntry,
    SyscallExit,
    IrqEntry,
    IrqExit,
    SoftirqRaise,
    SoftirqEntry,
    SoftirqExit,
    VectorEntry,
    VectorExit,
    TimerEntry, ///< A timer's function is called.
    TimerExit,
    PageFaultEntry,
    PageFaultExit,
    CpuFrequency,
    ProcessStatedump,
    NamespaceStatedump, ///< The number of a thread in a PID namespace.
};

struct NamedKind {
    EventKind kind = EventKind::None;
    /// The system call ("openat"), the interrupt vector ("local_timer"), the sort of timer ("hrtimer"); empty where fields name it.
    std::string_view subject;
};

/// Which of two families names system calls: where "exit_syscall" is the one exit event (LTTng up to 2.5), "sys_exit" and
/// "sys_exit_group" are entries; elsewhere (ftrace, perf) they are exits.
enum class SyscallNaming : std::uint8_t { Plain, OneExit };
SyscallNaming syscallNaming(const Trace& trace);

/// By an event's name: LTTng of all ages, ftrace, perf with or without "subsystem:". `subject` is a part of `name`.
NamedKind kindOf(std::string_view name, SyscallNaming naming = SyscallNaming::Plain);

/// Whether a trace is of a kernel that recorded anything of threads, CPUs or interrupts.
bool isKernelTrace(const Trace& trace);

} // namespace helio::kernel
