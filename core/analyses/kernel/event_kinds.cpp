#include "core/analyses/kernel/event_kinds.h"

#include <algorithm>
#include <array>
#include <span>

namespace helio::kernel {
namespace {

struct KnownName {
    std::string_view name;
    EventKind kind;
    std::string_view subject = {};
};

// Event names without the prefixes that tracers add: perf's "sched:", and LTTng's "irq_" of softirq events.
//
// sched_ttwu comes from add-on modules for kernels before 4.2. It has the kind of sched_waking, not of sched_wakeup: sched_ttwu and
// sched_waking are recorded at the beginning of try_to_wake_up(), sched_wakeup at its end.
constexpr std::array KnownNames{
    KnownName{"sched_switch", EventKind::SchedSwitch},
    KnownName{"sched_waking", EventKind::SchedWaking},
    KnownName{"sched_wakeup", EventKind::SchedWakeup},
    KnownName{"sched_ttwu", EventKind::SchedWaking},
    KnownName{"sched_wakeup_new", EventKind::SchedWakeupNew},
    KnownName{"sched_migrate_task", EventKind::SchedMigrate},
    KnownName{"sched_process_fork", EventKind::ProcessFork},
    KnownName{"sched_process_exec", EventKind::ProcessExec},
    KnownName{"sched_process_exit", EventKind::ProcessExit},
    KnownName{"sched_process_free", EventKind::ProcessFree},
    KnownName{"sched_pi_setprio", EventKind::PrioritySet},
    KnownName{"irq_handler_entry", EventKind::IrqEntry},
    KnownName{"irq_handler_exit", EventKind::IrqExit},
    KnownName{"softirq_raise", EventKind::SoftirqRaise},
    KnownName{"softirq_entry", EventKind::SoftirqEntry},
    KnownName{"softirq_exit", EventKind::SoftirqExit},
    KnownName{"irq_softirq_raise", EventKind::SoftirqRaise},
    KnownName{"irq_softirq_entry", EventKind::SoftirqEntry},
    KnownName{"irq_softirq_exit", EventKind::SoftirqExit},
    KnownName{"power_cpu_frequency", EventKind::CpuFrequency},
    KnownName{"cpu_frequency", EventKind::CpuFrequency},
    KnownName{"lttng_statedump_process_state", EventKind::ProcessStatedump},
    KnownName{"lttng_statedump_process_pid_ns", EventKind::NamespaceStatedump},
    KnownName{"task_state", EventKind::TaskState},
    KnownName{"exit_syscall", EventKind::SyscallExit},
    KnownName{"timer_expire_entry", EventKind::TimerEntry, "timer"},
    KnownName{"timer_expire_exit", EventKind::TimerExit, "timer"},
    KnownName{"hrtimer_expire_entry", EventKind::TimerEntry, "hrtimer"},
    KnownName{"hrtimer_expire_exit", EventKind::TimerExit, "hrtimer"},
};

constexpr std::array Vectors{
    std::string_view{"local_timer"},
    std::string_view{"reschedule"},
    std::string_view{"spurious_apic"},
    std::string_view{"error_apic"},
    std::string_view{"ipi"},
    std::string_view{"x86_platform_ipi"},
    std::string_view{"irq_work"},
    std::string_view{"call_function"},
    std::string_view{"call_function_single"},
    std::string_view{"threshold_apic"},
    std::string_view{"deferred_error_apic"},
    std::string_view{"thermal_apic"},
};

// Subsystems with which perf and ftrace prefix event names. The providers of user-space events have other names.
constexpr std::array Subsystems{
    std::string_view{"sched:"},    std::string_view{"irq:"},         std::string_view{"power:"},      std::string_view{"raw_syscalls:"},
    std::string_view{"syscalls:"}, std::string_view{"irq_vectors:"}, std::string_view{"exceptions:"}, std::string_view{"timer:"},
};

bool take(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

bool takeEnd(std::string_view& text, std::string_view suffix)
{
    if (!text.ends_with(suffix))
        return false;
    text.remove_suffix(suffix.size());
    return true;
}

struct Prefix {
    std::string_view text;
    EventKind kind;
};

NamedKind byPrefix(std::string_view name, std::span<const Prefix> prefixes)
{
    for (const Prefix& prefix : prefixes) {
        std::string_view rest = name;
        if (take(rest, prefix.text) && !rest.empty())
            return {prefix.kind, rest};
    }
    return {};
}

NamedKind systemCall(std::string_view name, SyscallNaming naming)
{
    static constexpr std::array Lttng{
        Prefix{"syscall_entry_", EventKind::SyscallEntry},
        Prefix{"syscall_exit_", EventKind::SyscallExit},
        Prefix{"compat_syscall_entry_", EventKind::SyscallEntry},
        Prefix{"compat_syscall_exit_", EventKind::SyscallExit},
    };
    static constexpr std::array OneExit{
        Prefix{"sys_", EventKind::SyscallEntry},
        Prefix{"compat_sys_", EventKind::SyscallEntry},
    };
    // Prefixes of system call events in ftrace and perf. Longer prefixes come first: "sys_enter_read" must not be read as the system call
    // "enter_read".
    static constexpr std::array Ftrace{
        Prefix{"sys_enter_", EventKind::SyscallEntry},
        Prefix{"sys_exit_", EventKind::SyscallExit},
        Prefix{"sys_", EventKind::SyscallEntry},
    };
    if (naming == SyscallNaming::OneExit)
        return byPrefix(name, OneExit);
    if (name == "sys_enter")
        return {EventKind::SyscallEntry, {}};
    if (name == "sys_exit")
        return {EventKind::SyscallExit, {}};
    const NamedKind lttng = byPrefix(name, Lttng);
    return lttng.kind != EventKind::None ? lttng : byPrefix(name, Ftrace);
}

NamedKind vectorOrFault(std::string_view name)
{
    std::string_view rest = name;
    take(rest, "x86_irq_vectors_");
    const bool isEntry = takeEnd(rest, "_entry");
    if (!isEntry && !takeEnd(rest, "_exit"))
        return {};
    if (std::find(Vectors.begin(), Vectors.end(), rest) != Vectors.end())
        return {isEntry ? EventKind::VectorEntry : EventKind::VectorExit, rest};
    take(rest, "x86_exceptions_");
    if (rest == "page_fault" || rest == "page_fault_user" || rest == "page_fault_kernel")
        return {isEntry ? EventKind::PageFaultEntry : EventKind::PageFaultExit, {}};
    return {};
}

} // namespace

SyscallNaming syscallNaming(const Trace& trace)
{
    const EventTypes& types = trace.eventTypes();
    const bool hasOneExit = std::any_of(types.begin(), types.end(), [](const auto& type) { return type->name == "exit_syscall"; });
    return hasOneExit ? SyscallNaming::OneExit : SyscallNaming::Plain;
}

NamedKind kindOf(std::string_view name, SyscallNaming naming)
{
    for (const std::string_view subsystem : Subsystems) {
        if (take(name, subsystem))
            break;
    }
    if (name.starts_with("timer_hrtimer_")) // LTTng prefixes the names of the hrtimer events with "timer_".
        name.remove_prefix(6);
    const auto known = std::find_if(KnownNames.begin(), KnownNames.end(), [&](const KnownName& k) { return k.name == name; });
    if (known != KnownNames.end())
        return {known->kind, known->subject};
    const NamedKind call = systemCall(name, naming);
    return call.kind != EventKind::None ? call : vectorOrFault(name);
}

bool isKernelTrace(const Trace& trace)
{
    const std::string domain = trace.info().text("domain");
    if (!domain.empty() && domain != "kernel")
        return false;
    if (trace.samples())
        return true;
    const EventTypes& types = trace.eventTypes();
    return std::any_of(types.begin(), types.end(), [](const auto& type) { return kindOf(type->name).kind != EventKind::None; });
}

} // namespace helio::kernel
