#include "widgets/theme/state_table.h"

#include <algorithm>
#include <iterator>

namespace helio {

namespace {

using enum Drawing;

// The order says what stands on what in a stack: syscall, user, hypervisor, page fault, softirq, interrupted, exiting, blocked,
// preempted, wait-cpu; from 100 on the resting states, whose line shows where nothing else stands.
constexpr StateStyle Table[] = {
    {"thread", "running-syscall", "thread.running-syscall", 16, Plain, 0, 0, true, "System call", "system call"},
    {"thread", "running-kernel", "thread.running-syscall", 16, Plain, 1, 0, true, "Running in the kernel", "kernel"},
    {"thread", "running-user", "thread.running-user", 16, Plain, 2, 0, true, "Running in user space", "user"},
    {"thread", "running", "thread.running-user", 16, Plain, 3, 0, false, "Running", "running"},
    {"thread", "page-fault", "thread.page-fault", 16, Plain, 5, 0, true, "Page fault", "page fault"},
    {"thread", "interrupted", "thread.interrupted", 12, Plain, 7, 1, false, "Interrupted", "interrupted"},
    {"thread", "exiting", "thread.exiting", 12, Hatched, 8, 0, false, "Exiting", "exiting"},
    {"thread", "blocked", "thread.blocked", 6, Plain, 9, 3, true, "Blocked (uninterruptible)", "blocked"},
    {"thread", "preempted", "thread.preempted", 8, CutCorner, 10, 2, false, "Preempted", "preempted"},
    {"thread", "wait-cpu", "thread.wait-cpu", 8, Plain, 11, 0, false, "Waits for a CPU", "waits for CPU"},
    {"thread", "unknown", "thread.unknown", 5, Hatched, 100, 0, false, "Unknown", "unknown"},
    {"thread", "stopped", "thread.stopped", 4, Dashed, 101, 0, false, "Stopped", "stopped"},
    {"thread", "waiting", "thread.unknown", 2, Line, 102, 0, false, "Waiting (kind not recorded)", "waiting"},
    {"thread", "sleeping", "thread.sleeping", 2, Line, 103, 0, false, "Sleeping (interruptible)", "sleeping"},
    {"thread", "idle-kthread", "thread.idle-kthread", 1, Line, 104, 0, false, "Idle kernel thread", "idle kernel thread"},
    {"thread", "parked", "thread.parked", 1, Dotted, 105, 0, false, "Parked", "parked"},

    {"cpu", "syscall", "cpu.syscall", 16, Plain, 0, 0, true, "System call", "system call"},
    {"cpu", "kernel", "cpu.syscall", 16, Plain, 1, 0, true, "Kernel thread", "kernel"},
    {"cpu", "user", "cpu.user", 16, Plain, 2, 0, true, "User space", "user"},
    {"cpu", "running", "cpu.user", 16, Plain, 3, 0, true, "Running", "running"},
    {"cpu", "softirq", "cpu.softirq", 16, Plain, 6, 0, true, "Soft interrupt", "softirq"},
    {"cpu", "irq", "cpu.irq", 12, Plain, 7, 1, true, "Interrupt", "IRQ"},
    {"cpu", "unknown", "cpu.unknown", 5, Hatched, 100, 0, false, "Unknown", "unknown"},
    {"cpu", "idle", "cpu.idle", 1, Line, 101, 0, false, "Idle", "idle"},

    {"irq", "active", "cpu.irq", 12, Plain, 0, 0, true, "Handling the interrupt", "active"},
    {"irq", "inactive", "cpu.idle", 1, Line, 101, 0, false, "Inactive", "inactive"},
    {"irq", "unknown", "cpu.unknown", 5, Hatched, 100, 0, false, "Unknown", "unknown"},
    {"irq", "raised", "cpu.softirq", 6, Hatched, 1, 0, false, "Raised, not yet handled", "raised"},
    {"softirq", "active", "cpu.softirq", 16, Plain, 0, 0, true, "Handling the soft interrupt", "active"},
    {"softirq", "raised", "cpu.softirq", 6, Hatched, 1, 0, false, "Raised, not yet handled", "raised"},
    {"softirq", "inactive", "cpu.idle", 1, Line, 101, 0, false, "Inactive", "inactive"},
    {"softirq", "unknown", "cpu.unknown", 5, Hatched, 100, 0, false, "Unknown", "unknown"},

    {"cpu-thread", "running", "cpu.user", 16, Plain, 3, 0, true, "Running", "running"},
    {"cpu-thread", "unknown", "cpu.unknown", 5, Hatched, 100, 0, false, "Unknown", "unknown"},
    {"cpu-thread", "idle", "cpu.idle", 1, Line, 101, 0, false, "Idle", "idle"},

    {"event", "event", "mark.bookmark", 16, Plain, 0, 0, false, "Event", "events"},
    {"events", "unknown", "thread.idle-kthread", 1, Line, 100, 0, false, "Not recorded", "not recorded"},

    {"vm", "running", "vm.running", 16, Plain, 2, 0, false, "Running", "running"},
    {"vm", "hypervisor", "vm.hypervisor", 11, Plain, 4, 0, false, "In the hypervisor", "hypervisor"},
    {"vm", "waiting", "vm.waiting", 6, Plain, 9, 0, false, "Waiting on the host", "waiting"},
    {"vm", "preempted", "vm.preempted", 8, CutCorner, 10, 2, false, "Preempted on the host", "preempted"},
    {"vm", "unknown", "vm.unknown", 5, Hatched, 100, 0, false, "Unknown", "unknown"},
    {"vm", "halted", "vm.halted", 1, Line, 101, 0, false, "Halted", "halted"},
};

} // namespace

const StateStyle* findStateStyle(std::string_view set, std::string_view state)
{
    const auto it = std::ranges::find_if(Table, [&](const StateStyle& s) { return s.set == set && s.state == state; });
    return it == std::end(Table) ? nullptr : &*it;
}

} // namespace helio
