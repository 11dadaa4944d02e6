#include "core/analyses/kernel/binding.h"
#include "core/analyses/kernel/event_kinds.h"
#include "core/analyses/kernel/kernel_state_machine.h"
#include "core/analysis/analysis.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <span>

namespace helio::kernel {
namespace {

using Kinds = std::array<EventKind, 3>;
constexpr Kinds Switches{EventKind::SchedSwitch, EventKind::TaskState};
constexpr Kinds Wakeups{EventKind::SchedWaking, EventKind::SchedWakeup, EventKind::TaskState};
constexpr Kinds Calls{EventKind::SyscallEntry};
constexpr Kinds Forks{EventKind::ProcessFork, EventKind::ProcessStatedump};
constexpr Kinds Irqs{EventKind::IrqEntry};
constexpr Kinds Softirqs{EventKind::SoftirqEntry};
constexpr Kinds Frequencies{EventKind::CpuFrequency};

constexpr std::array<std::string_view, 1> SwitchNames{"sched_switch"};
constexpr std::array<std::string_view, 2> WakeupNames{"sched_waking", "sched_wakeup"};
constexpr std::array<std::string_view, 2> CallNames{"syscall_entry_*", "syscall_exit_*"};
constexpr std::array<std::string_view, 2> ForkNames{"sched_process_fork", "lttng_statedump_process_state"};
constexpr std::array<std::string_view, 1> IrqNames{"irq_handler_entry"};
constexpr std::array<std::string_view, 1> SoftirqEventNames{"irq_softirq_entry"};
constexpr std::array<std::string_view, 1> FrequencyNames{"power_cpu_frequency"};

// Names of the scheduler, system call and interrupt events in perf. The constants without the prefix Perf contain the names in LTTng.
constexpr std::array<std::string_view, 1> PerfSwitchNames{"sched:sched_switch"};
constexpr std::array<std::string_view, 2> PerfWakeupNames{"sched:sched_waking", "sched:sched_wakeup"};
constexpr std::array<std::string_view, 2> PerfCallNames{"raw_syscalls:sys_enter", "raw_syscalls:sys_exit"};
constexpr std::array<std::string_view, 1> PerfForkNames{"sched:sched_process_fork"};
constexpr std::array<std::string_view, 1> PerfIrqNames{"irq:irq_handler_entry"};
constexpr std::array<std::string_view, 1> PerfSoftirqNames{"irq:softirq_entry"};
constexpr std::array<std::string_view, 1> PerfFrequencyNames{"power:cpu_frequency"};

struct MissingEventsRule {
    std::span<const EventKind> kinds;
    std::span<const std::string_view> names;
    std::span<const std::string_view> perfNames;
    std::string_view view;
    std::string_view consequence;
    RecordableData data = RecordableData::None;
    bool isEssential = false;
    /// Ids of the kinds of intervals that need the events `kinds`; copied to MissingEvents::kinds.
    std::span<const std::string_view> intervalKinds{};
};

// Ids, on the command line, of the kinds of intervals that need the events of one group: OfSwitches are the kinds that cannot be computed
// without switches, OfCalls without system calls, etc.
constexpr std::array<std::string_view, 2> OfSwitches{"page-fault", "preemption"};
constexpr std::array<std::string_view, 1> OfCalls{"syscall"};
constexpr std::array<std::string_view, 1> OfIrqs{"irq"};
constexpr std::array<std::string_view, 1> OfSoftirqs{"softirq"};
constexpr std::array<std::string_view, 2> OfWakeups{"wakeup", "wakeup-priority"};

constexpr std::string_view ControlFlow = "control-flow";
constexpr std::string_view Resources = "resources";

const std::array Lines{
    MissingEventsRule{Switches, SwitchNames, PerfSwitchNames, ControlFlow, "threads have no states", RecordableData::ContextSwitches, true},
    MissingEventsRule{Switches, SwitchNames, PerfSwitchNames, Resources, "CPUs show neither threads nor idle time",
                      RecordableData::ContextSwitches},
    MissingEventsRule{Wakeups, WakeupNames, PerfWakeupNames, ControlFlow, "runnable threads appear to sleep, and wake-ups have no arrows",
                      RecordableData::WakeUps, false, OfWakeups},
    MissingEventsRule{Calls, CallNames, PerfCallNames, ControlFlow, "user mode cannot be told apart from system calls",
                      RecordableData::SystemCalls, false, OfCalls},
    MissingEventsRule{Calls, CallNames, PerfCallNames, Resources, "user mode cannot be told apart from system calls",
                      RecordableData::SystemCalls},
    MissingEventsRule{Forks, ForkNames, PerfForkNames, ControlFlow, "threads are not grouped by process", RecordableData::Processes},
    MissingEventsRule{Irqs, IrqNames, PerfIrqNames, Resources, "interrupts are not shown", RecordableData::Interrupts, false, OfIrqs},
    MissingEventsRule{Softirqs, SoftirqEventNames, PerfSoftirqNames, Resources, "softirqs are not shown", RecordableData::Softirqs, false,
                      OfSoftirqs},
    MissingEventsRule{Frequencies, FrequencyNames, PerfFrequencyNames, Resources, "CPU frequencies are not shown",
                      RecordableData::CpuFrequencies},
};

/// Returns what views lack in a trace without times, e.g. with samples that another tool summed up: one entry for each view that needs
/// times. Texts made of perf's samples have times if perf script writes them; other profiles cannot have times.
std::vector<MissingEvents> missingTimes(const Trace& trace)
{
    const std::string& format = trace.info().format;
    const bool isOfPerf = format.starts_with("perf script") || format.starts_with("folded");
    std::vector<MissingEvents> result;
    for (const std::string_view view : {ControlFlow, Resources})
        if (trace.samples())
            result.push_back({std::string(view),
                              {"the time of its samples"},
                              "nothing is shown on the time axis, but the flame graph and the functions contain all samples",
                              isOfPerf ? "perf script" : "",
                              true});
        else
            result.push_back({std::string(view),
                              {"the time of its events"},
                              "nothing is shown on the time axis, but the event table lists all events",
                              {},
                              true});
    return result;
}

/// Rule about missing switches for traces in which the events of system calls contain the TIDs of their threads. It replaces the rule
/// "threads have no states": these threads have at least the states of their system calls.
constexpr MissingEventsRule CallsAlone{
    Switches, SwitchNames, PerfSwitchNames, ControlFlow, "threads have no states other than system calls", RecordableData::ContextSwitches,
    false,    OfSwitches};

enum class Presence : std::uint8_t { None, Sampled, Whole };

std::array<Presence, 32> presences(const Trace& trace)
{
    std::array<Presence, 32> presences{};
    const SyscallNaming naming = syscallNaming(trace);
    std::uint32_t number = 0;
    for (const auto& type : trace.eventTypes()) {
        Presence& presence = presences[static_cast<std::size_t>(kindOf(type->name, naming).kind)];
        presence = std::max(presence, isSampled(trace, EventTypeId(number++)) ? Presence::Sampled : Presence::Whole);
    }
    return presences;
}

MissingEvents requirementOf(const MissingEventsRule& line, const TraceInfo& info)
{
    const auto names = usesKernelNames(tracerOf(info)) ? line.perfNames : line.names;
    MissingEvents requirement;
    requirement.view = line.view;
    requirement.anyOf.assign(names.begin(), names.end());
    requirement.consequence = line.consequence;
    const RecordingAdvice advice = adviseRecording(line.data, std::array{&info});
    requirement.command = advice.command;
    requirement.unable = advice.unable;
    requirement.isEssential = line.isEssential;
    requirement.kinds.assign(line.intervalKinds.begin(), line.intervalKinds.end());
    return requirement;
}

/// Returns the events that the views control-flow and resources need but the trace lacks, with the commands that record these events.
std::vector<MissingEvents> missing(const Trace& trace)
{
    if (!trace.info().hasTimes)
        return missingTimes(trace);
    const auto present = presences(trace);
    std::vector<MissingEvents> result;
    for (const MissingEventsRule& line : Lines) {
        Presence presence = Presence::None;
        for (const EventKind kind : line.kinds)
            if (kind != EventKind::None)
                presence = std::max(presence, present[static_cast<std::size_t>(kind)]);
        // Process records also show forks, so a trace with process records needs no fork events.
        const bool isInRecords = line.kinds.data() == Forks.data() && !trace.processRecords().empty();
        if (isInRecords || presence == Presence::Whole)
            continue;
        const bool isLessened = line.isEssential && namesCallers(trace);
        result.push_back(requirementOf(isLessened ? CallsAlone : line, trace.info()));
        result.back().isSampled = presence == Presence::Sampled;
    }
    return result;
}

} // namespace
} // namespace helio::kernel

namespace helio {
namespace {

const TrackView KernelViews[] = {
    {.id = "control-flow",
     .title = "Control flow",
     .tip = "Processes and threads",
     .isBasic = true,
     .order = 20,
     .counted = TrackRole::Thread,
     .one = "thread",
     .many = "threads",
     .share = "CPU %",
     .number = "TID",
     .canHideIdleRows = true,
     .runs = {{.id = "syscall",
               .title = "System calls",
               .nameTitle = "System call",
               .rowKind = "thread",
               .firsts = {"running-syscall", "in-syscall", "failed-syscall", "waiting-in-syscall"},
               .ends = {"running-user", "between-syscalls"},
               .hasSingleValue = true,
               .between = {"interrupted", "page-fault"}},
              {.id = "page-fault",
               .title = "Page faults",
               .nameTitle = "Thread",
               .rowKind = "thread",
               .firsts = {"page-fault"},
               .ends = {"running", "running-user", "running-syscall", "running-kernel"},
               .between = {"interrupted"},
               .nothing = "the kernel's events mark the beginning of a page fault, but not its end"},
              {.id = "preemption", .title = "Preemptions", .nameTitle = "Thread", .rowKind = "thread", .firsts = {"preempted"}}},
     .data = RecordableData::ContextSwitches,
     .nothing = "No scheduler events were recorded, so threads have no states. The Events dock lists the events "
                "there are."},
    {.id = "resources",
     .title = "Resources",
     .tip = "CPUs and interrupts",
     .isBasic = true,
     .order = 10,
     .counted = TrackRole::Cpu,
     .one = "CPU",
     .many = "CPUs",
     .share = "Busy",
     .runs = {{.id = "irq", .title = "Interrupts", .nameTitle = "Interrupt", .rowKind = "irq", .firsts = {"active"}, .isOfCpu = true},
              {.id = "softirq", .title = "Softirqs", .nameTitle = "Softirq", .rowKind = "softirq", .firsts = {"active"}, .isOfCpu = true}},
     .data = RecordableData::ContextSwitches,
     .nothing = "No kernel events of CPUs were recorded."},
};

class KernelAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "kernel"; }
    int version() const override { return 27; }
    std::span<const TrackView> views() const override { return KernelViews; }
    bool appliesTo(const Trace& trace) const override { return kernel::isKernelTrace(trace); }
    std::vector<MissingEvents> missing(const Trace& trace) const override { return kernel::missing(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<kernel::KernelStateMachine>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis kernelAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<KernelAnalysis>(); }};

} // namespace helio
