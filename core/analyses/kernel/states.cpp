#include "core/analyses/kernel/states.h"

namespace helio::kernel {

using enum StateCategory;
using enum BarPattern;
using namespace StateFlag;

// Each style below lists these members: colour, words, legend, height, drawing, order, severity, flags, valueTitle, connective. `order` is
// the position in a stack of states: syscall, user, page fault, softirq, interrupted, exiting, blocked, preempted, throttled, wait-cpu.
// Resting states have the order RestingOrder or higher, and their line is visible where there is no other state.
const StateSet& threadStates()
{
    static const StateSet set{
        "thread",
        {
            {"unknown", Unknown, {"thread.unknown", "Unknown", "unknown", 5, Hatched, 100, 0, 0, "In", "in"}},
            {"running", OnCpu, {"thread.running-user", "Running", "running", 16, Plain, 3, 0, 0, "In", "in"}},
            {"running-user",
             OnCpuUser,
             {"thread.running-user", "Running in user space", "user", 16, Plain, 2, 0, Labelled | InHeader, "In", "in"}},
            {"running-syscall",
             OnCpuSyscall,
             {"thread.running-syscall", "System call", "system call", 16, Plain, 0, 0, Labelled | InHeader, "In", ""}},
            {"running-kernel",
             OnCpuKernel,
             {"thread.running-syscall", "Running in the kernel", "kernel", 16, Plain, 1, 0, Labelled, "In", "in"}},
            {"page-fault",
             OnCpuKernel,
             {"thread.page-fault", "Page fault", "page fault", 16, Plain, 5, 0, Labelled | InHeader, "In", "in"}},
            {"interrupted", OnCpuInterrupt, {"thread.interrupted", "Interrupted", "interrupted", 12, Plain, 7, 1, InHeader, "In", "by"}},
            {"wait-cpu", WaitsForCpu, {"thread.wait-cpu", "Runnable", "runnable", 8, Plain, 12, 0, InHeader, "In", "in"}},
            {"preempted", Preempted, {"thread.preempted", "Preempted", "preempted", 8, CutCorner, 10, 2, InHeader, "In", "in"}},
            {"sleeping", Rests, {"thread.sleeping", "Sleeping (interruptible)", "sleeping", 2, Line, 103, 0, InHeader, "In", "in"}},
            {"blocked", Waits, {"thread.blocked", "Blocked (uninterruptible)", "blocked", 6, Plain, 9, 4, Labelled | InHeader, "In", "in"}},
            {"waiting", OffCpu, {"thread.unknown", "Waiting (kind not recorded)", "waiting", 2, Line, 102, 0, 0, "In", "in"}},
            {"idle-kthread", Rests, {"thread.idle-kthread", "Idle kernel thread", "idle kernel thread", 1, Line, 104, 0, 0, "In", "in"}},
            {"stopped", Rests, {"thread.stopped", "Stopped", "stopped", 4, Dashed, 101, 0, 0, "In", "in"}},
            {"parked", Rests, {"thread.parked", "Parked", "parked", 1, Dotted, 105, 0, 0, "In", "in"}},
            {"exiting", OnCpuExit, {"thread.exiting", "Exiting", "exiting", 12, Hatched, 8, 0, 0, "In", "in"}},
            {"in-syscall",
             Unknown,
             {"thread.running-syscall", "System call, on or off CPU", "in system call", 14, CutCorner, 13, 0,
              Labelled | InHeader | ActivityKnown, "In", ""}},
            {"between-syscalls",
             Unknown,
             {"thread.unknown", "Between system calls, on or off CPU", "between system calls", 1, Line, 106, 0, ActivityKnown, "In", "in"}},
            {"throttled",
             Throttled,
             {"thread.throttled", "Throttled (probable CPU quota)", "throttled", 8, Fence, 11, 3, InHeader, "In", "in"}},
            {"failed-syscall",
             Unknown,
             {"thread.running-syscall", "System call that failed, on or off CPU", "failed system call", 14, Hatched, 12, 2,
              Labelled | InHeader | ActivityKnown, "In", ""}},
            {"waiting-in-syscall",
             OffCpu,
             {"thread.sleeping", "Waiting in a system call, by its result", "waiting in system call", 12, CutCorner, 14, 1,
              Labelled | InHeader | ActivityKnown, "In", "in"}},
        },
        "Threads",
    };
    return set;
}

const StateSet& cpuStates()
{
    static const StateSet set{
        "cpu",
        {
            {"unknown", Unknown, {"cpu.unknown", "Unknown", "unknown", 5, Hatched, 100, 0, InHeader, "Thread", ""}},
            {"idle", Rests, {"cpu.idle", "Idle", "idle", 1, Line, 101, 0, InHeader, "Thread", ""}},
            {"running", OnCpu, {"cpu.user", "Running", "running", 16, Plain, 3, 0, Labelled, "Thread", ""}},
            {"user", OnCpuUser, {"cpu.user", "User space", "user", 16, Plain, 2, 0, Labelled | InHeader, "Thread", ""}},
            {"syscall", OnCpuSyscall, {"cpu.syscall", "System call", "system call", 16, Plain, 0, 0, Labelled | InHeader, "Thread", ""}},
            {"kernel", OnCpuKernel, {"cpu.syscall", "Kernel thread", "kernel", 16, Plain, 1, 0, Labelled, "Thread", ""}},
            {"softirq", OnCpuInterrupt, {"cpu.softirq", "Softirq", "softirq", 16, Plain, 6, 0, Labelled | InHeader, "Handler", ""}},
            {"irq", OnCpuInterrupt, {"cpu.irq", "Interrupt", "IRQ", 12, Plain, 7, 1, Labelled | InHeader, "Handler", ""}},
        },
        "CPUs",
    };
    return set;
}

const StateSet& cpuThreadStates()
{
    static const StateSet set{
        "cpu-thread",
        {
            {"idle", Rests, {"cpu.idle", "Idle", "idle", 1, Line, 101, 0, 0}},
            {"running", OnCpu, {"cpu.user", "Running", "running", 16, Plain, 3, 0, Labelled | ColoredByValue}},
            {"unknown", Unknown, {"cpu.unknown", "Unknown", "unknown", 5, Hatched, 100, 0, 0}},
        },
    };
    return set;
}

const StateSet& irqStates()
{
    static const StateSet set{
        "irq",
        {
            {"inactive", Rests, {"cpu.idle", "Inactive", "inactive", 1, Line, 101, 0, 0}},
            {"active", None, {"cpu.irq", "Handling the interrupt", "active", 12, Plain, 0, 0, Labelled}},
            {"raised", None, {"cpu.softirq", "Raised, not yet handled", "raised", 6, Hatched, 1, 0, 0}},
            {"unknown", Unknown, {"cpu.unknown", "Unknown", "unknown", 5, Hatched, 100, 0, 0}},
        },
        "Interrupts",
    };
    return set;
}

const StateSet& softirqStates()
{
    static const StateSet set{
        "softirq",
        {
            {"inactive", Rests, {"cpu.idle", "Inactive", "inactive", 1, Line, 101, 0, 0}},
            {"active", None, {"cpu.softirq", "Handling the softirq", "active", 16, Plain, 0, 0, Labelled}},
            {"raised", None, {"cpu.softirq", "Raised, not yet handled", "raised", 6, Hatched, 1, 0, 0}},
            {"unknown", Unknown, {"cpu.unknown", "Unknown", "unknown", 5, Hatched, 100, 0, 0}},
        },
        "Softirqs",
    };
    return set;
}

const StateSet& frequencyStates()
{
    static const StateSet set{"frequency", {{"value", None, {"freq", "Frequency", "frequency", 16, Plain, 0, 0, 0, "kHz"}}}};
    return set;
}

void declareLinks(StateSink& sink)
{
    const auto declare = [&sink](LinkKind kind, const LinkKindInfo& info) {
        // A store always has room for the few link kinds of the kernel analysis.
        [[maybe_unused]] const auto number = sink.linkKind(info, kind);
    };
    declare(LinkKind::Wakeup, {"wakeup", "Wake-up", "", {"control-flow"}, "arrow.wakeup"});
    declare(LinkKind::Sched, {"sched", "Switch", "", {"control-flow"}, "arrow.sched", LinkLine::Dashed, 2, false, true});
    declare(LinkKind::Migration, {"migration", "Migration", "Thread", {"resources"}, "arrow.migration", LinkLine::Dotted});
}

} // namespace helio::kernel
