#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace helio::kernel {

/// Meaning of an event for the kernel state machine, independent of the tracer's event names.
enum class EventKind : std::uint8_t {
    None, ///< The state machine ignores the event.
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
    TimerEntry, ///< A timer's callback function is called.
    TimerExit,
    PageFaultEntry,
    PageFaultExit,
    CpuFrequency,
    ProcessStatedump,
    TaskState, ///< The event reports the new state of a thread in a kernel other than Linux.
    NamespaceStatedump, ///< The event reports the TID of a thread in a PID namespace.
};

struct NamedKind {
    EventKind kind = EventKind::None;
    /// Name of the system call ("openat"), name of the interrupt vector ("local_timer"), or kind of timer ("hrtimer"); empty if the event
    /// has this name in a field.
    std::string_view subject;
};

/// Naming scheme of system call events. With OneExit (LTTng up to 2.5), "exit_syscall" is the only exit event, and "sys_exit" and
/// "sys_exit_group" are entries of the calls exit and exit_group. With Plain (ftrace, perf), names that begin with "sys_exit" are exits.
enum class SyscallNaming : std::uint8_t { Plain, OneExit };
SyscallNaming syscallNaming(const Trace& trace);

/// Returns the kind of an event by its name, in all versions of LTTng, in ftrace, and in perf with or without "subsystem:". The result's
/// `subject` points into `name`.
NamedKind kindOf(std::string_view name, SyscallNaming naming = SyscallNaming::Plain);

/// Returns true if the trace is a kernel trace with events of threads, CPUs or interrupts.
bool isKernelTrace(const Trace& trace);

} // namespace helio::kernel
