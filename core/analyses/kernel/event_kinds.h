#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace helio::kernel {

/// Meaning of an event for the kernel's state machine, independent of the tracer's name for it.
enum class EventKind : std::uint8_t {
    None, ///< No meaning.
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
    TimerEntry, ///< Call of a timer's function.
    TimerExit,
    PageFaultEntry,
    PageFaultExit,
    CpuFrequency,
    ProcessStatedump,
    NamespaceStatedump, ///< Number of a thread in a PID namespace.
};

struct NamedKind {
    EventKind kind = EventKind::None;
    /// Name of the system call ("openat"), of the interrupt vector ("local_timer"), or the sort of timer ("hrtimer"); empty if the event's
    /// fields name it.
    std::string_view subject;
};

/// The two families of names of system call events. If "exit_syscall" is the only exit event (LTTng up to 2.5), "sys_exit" and
/// "sys_exit_group" are entries; otherwise (ftrace, perf) they are exits.
enum class SyscallNaming : std::uint8_t { Plain, OneExit };
SyscallNaming syscallNaming(const Trace& trace);

/// Returns the kind for an event's name: all versions of LTTng, ftrace, and perf with or without "subsystem:". `subject` points into
/// `name`.
NamedKind kindOf(std::string_view name, SyscallNaming naming = SyscallNaming::Plain);

/// Returns true if the trace is of a kernel and has events of threads, CPUs or interrupts.
bool isKernelTrace(const Trace& trace);

} // namespace helio::kernel
