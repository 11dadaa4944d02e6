#include "core/trace/recording_advice.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

namespace helio {
namespace {

/// Commands of tracers that record one kind of data. A command is empty if its tracer cannot record the data.
struct AdviceRow {
    RecordableData data;
    std::string_view lttng;
    /// Kernel events, each "GROUP:NAME", separated by commas. perf, trace-cmd, tracefs and Perfetto get a command that records them.
    std::string_view kernelEvents{};
    std::string_view perf{}; ///< Command of perf; if empty, perf records `kernelEvents`.
    /// Commands of other tracers; a command here is used instead of one for `kernelEvents`.
    std::vector<std::pair<Tracer, std::string_view>> others{};
};

const std::vector<AdviceRow>& adviceTable()
{
    using enum RecordableData;
    static const std::vector<AdviceRow> Table{
        {ContextSwitches, "lttng enable-event -k sched_switch", "sched:sched_switch"},
        {WakeUps, "lttng enable-event -k sched_waking,sched_wakeup,sched_wakeup_new", "sched:sched_waking,sched:sched_wakeup_new"},
        {SystemCalls,
         "lttng enable-event -k --syscall --all",
         "raw_syscalls:sys_enter,raw_syscalls:sys_exit",
         {},
         {{Tracer::Strace, "strace -f -ttt -T"}, {Tracer::Ltrace, "ltrace -S -f -ttt -T"}}},
        {Processes,
         "lttng enable-event -k sched_process_fork,sched_process_exec,sched_process_exit,sched_process_free && lttng regenerate statedump",
         "sched:sched_process_fork,sched:sched_process_exec,sched:sched_process_exit",
         {},
         {{Tracer::Strace, "strace -f"}, {Tracer::Ltrace, "ltrace -f -S"}}},
        {Interrupts, "lttng enable-event -k irq_handler_entry,irq_handler_exit", "irq:irq_handler_entry,irq:irq_handler_exit"},
        {Softirqs, "lttng enable-event -k irq_softirq_raise,irq_softirq_entry,irq_softirq_exit",
         "irq:softirq_raise,irq:softirq_entry,irq:softirq_exit"},
        {CpuFrequencies, "lttng enable-event -k power_cpu_frequency", "power:cpu_frequency"},
        {WaitCauses, "lttng enable-event -k 'sched_switch,sched_waking,irq_*,timer_hrtimer_*' && lttng enable-event -k --syscall --all",
         "sched:sched_switch,sched:sched_waking,irq:irq_handler_entry,irq:irq_handler_exit,timer:hrtimer_expire_entry,timer:hrtimer_expire_"
         "exit,raw_syscalls:sys_enter,raw_syscalls:sys_exit"},
        {SampledStates, {}, {}, "perf record -a -g -e cpu-clock -e sched:sched_switch -e sched:sched_wakeup"},
        {DiskRequests, "lttng enable-event -k 'block_rq_*'", "block:block_rq_insert,block:block_rq_issue,block:block_rq_complete"},
        {CpuCounters, "lttng add-context -k -t perf:cpu:instructions -t perf:cpu:cycles", {}, "perf record -a -e instructions,cycles"},
        {ThreadCounters,
         "lttng add-context -u -t vtid -t vpid -t procname -t perf:thread:instructions -t perf:thread:cycles",
         {},
         "perf record -e instructions,cycles PROGRAM"},
        {MigrationCosts,
         "lttng add-context -k -t perf:cpu:instructions -t perf:cpu:cycles",
         {},
         "perf record -a -c 1 -e '{sched:sched_switch,instructions,cycles}:S'"},
        {CpuTopology, "lttng enable-event -k lttng_statedump_cpu_topology", {}, "perf record"},
        {VmExits, "lttng enable-event -k kvm_x86_entry,kvm_x86_exit", "kvm:kvm_entry,kvm:kvm_exit"},
        {VcpuScheduling, "lttng enable-event -k sched_switch,sched_waking,kvm_x86_entry,kvm_x86_exit",
         "sched:sched_switch,sched:sched_waking,kvm:kvm_entry,kvm:kvm_exit"},
        {VcpuHalts, "lttng enable-event -k kvm_vcpu_wakeup", "kvm:kvm_vcpu_wakeup"},
        {GuestInterrupts, "lttng enable-event -k kvm_x86_inj_virq", "kvm:kvm_inj_virq"},
        {ExitsAndInterrupts, "lttng enable-event -k kvm_x86_entry,kvm_x86_exit,kvm_x86_inj_virq",
         "kvm:kvm_entry,kvm:kvm_exit,kvm:kvm_inj_virq"},
        {GuestScheduling, "lttng enable-event -k sched_switch,sched_waking && lttng enable-event -k --syscall --all",
         "sched:sched_switch,sched:sched_waking,raw_syscalls:sys_enter,raw_syscalls:sys_exit"},
        {Locks,
         "lttng enable-event -u 'lttng_ust_pthread:*' for a program run with LD_PRELOAD=liblttng-ust-pthread-wrapper.so, or lttng "
         "enable-event -k sched_switch && lttng enable-event -k --syscall futex",
         "lock:contention_begin,lock:contention_end", "perf lock record"},
        {Packets, "lttng enable-event --kernel net_dev_queue,net_if_receive_skb"},
        {ResidentMemory, {}, "kmem:rss_stat"},
        {Samples,
         {},
         {},
         "perf record -a -F 999 -g",
         {{Tracer::Chrome, "chrome --enable-tracing=disabled-by-default-v8.cpu_profiler"}, {Tracer::Strace, "strace -k -f -ttt -T"}}},
        {FunctionCalls,
         "lttng enable-event -u 'lttng_ust_cyg_profile*,lttng_ust_statedump:*,lttng_ust_dl:*,lttng_ust_lib:*'; lttng add-context -u -t "
         "vpid -t vtid -t procname; then run a program that gcc -finstrument-functions compiled, with "
         "LD_PRELOAD=liblttng-ust-cyg-profile-fast.so:liblttng-ust-dl.so",
         {},
         {},
         {{Tracer::Strace, "ltrace -f -ttt -T"},
          {Tracer::Ltrace, "ltrace -f -ttt -T"},
          {Tracer::TraceCmd, "trace-cmd record -p function_graph"},
          {Tracer::Ftrace, "cd /sys/kernel/tracing && echo 1 > options/funcgraph-abstime && echo function_graph > current_tracer"},
          {Tracer::Perfetto,
           "echo 'buffers {size_kb: 65536} data_sources {config {name: \"track_event\"}} duration_ms: 10000' | perfetto --txt -c - -o "
           "FILE"},
          {Tracer::Chrome, "chrome --enable-tracing --enable-tracing-format=json --enable-tracing-output=FILE"}}},
        {HeapBlocks,
         "lttng enable-event -u 'lttng_ust_libc:*,lttng_ust_statedump:*'; lttng add-context -u -t vpid -t vtid -t procname -t ip; then run "
         "the program with LD_PRELOAD=liblttng-ust-libc-wrapper.so"},
        {ProcessIds, "lttng add-context -u -t vpid"},
        {PidNamespaces, "lttng add-context -u -t pid_ns"},
    };
    return Table;
}

/// Calls `visit` for each part of a comma-separated list.
template <class Visit> void forEachPart(std::string_view list, const Visit& visit)
{
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        visit(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
}

/// Returns the command with which `tracer` records kernel events; empty if it records none. `events` is a comma-separated list of
/// "GROUP:NAME", or "*:NAME" if the group is unknown.
std::string kernelEventsCommand(std::string_view events, Tracer tracer)
{
    if (events.empty())
        return {};
    std::string options;
    std::string words;
    forEachPart(events, [&](std::string_view event) {
        const bool isAnyGroup = event.starts_with("*:");
        const std::string name(tracer != Tracer::Perf && isAnyGroup ? event.substr(2) : event);
        options += " -e " + name;
        words += ' ' + name;
    });
    switch (tracer) {
    case Tracer::Perf:
        return "perf record -a -g -e cpu-clock -e " + (events.starts_with("*") ? "'" + std::string(events) + "'" : std::string(events));
    case Tracer::TraceCmd: return "trace-cmd record" + options;
    case Tracer::Ftrace: return "echo" + words + " >> /sys/kernel/tracing/set_event";
    case Tracer::Perfetto: std::ranges::replace(words, ':', '/'); return "perfetto -t 10s -o FILE" + words;
    default: return {};
    }
}

bool isOfKernel(Tracer tracer) { return !kernelEventsCommand("sched:sched_switch", tracer).empty(); }

/// Returns the name of the tracer of a recording for use in sentences; "the tracer" if unknown.
std::string nameOf(const TraceInfo& info)
{
    std::string name = info.text("tracer_name");
    return !name.empty() ? name : !info.format.empty() ? info.format : "the tracer";
}

std::string withCapital(std::string text)
{
    if (!text.empty())
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

constexpr std::string_view CallPrefixes[] = {"compat_syscall_entry_", "compat_syscall_exit_", "syscall_entry_", "syscall_exit_",
                                             "sys_"}; ///< "sys_" is the prefix of system call entries in LTTng before 2.5.

/// Returns the system call in the name of an LTTng event, for example "futex" for "syscall_entry_futex"; empty if `name` is another event.
std::string_view systemCallIn(std::string_view name)
{
    for (const std::string_view prefix : CallPrefixes)
        if (name.starts_with(prefix))
            return name.substr(prefix.size());
    return {};
}

bool isOfSystemCalls(std::string_view pattern)
{
    return pattern.starts_with("syscall_") || pattern.starts_with("compat_syscall_") || pattern.starts_with("sys_");
}

/// A list of names without duplicates, in the order in which they were added, and as comma-separated text.
class NameList {
public:
    void add(std::string_view name)
    {
        if (std::ranges::find(m_all, name) != m_all.end())
            return;
        m_all.emplace_back(name);
        m_text += (m_text.empty() ? "" : ",") + std::string(name);
    }
    const std::string& text() const { return m_text; }

private:
    std::vector<std::string> m_all;
    std::string m_text;
};

void addLttngCommand(const char* options, const std::string& names, std::string& command)
{
    if (!names.empty())
        command += (command.empty() ? "" : " && ") + std::string("lttng enable-event ") + options + names;
}

using CommandOf = std::function<std::string(Tracer)>;

RecordingAdvice advise(const CommandOf& commandOf, std::span<const TraceInfo* const> recordings)
{
    RecordingAdvice advice;
    std::vector<std::string> commands;
    std::vector<std::string> unable;
    const auto add = [](std::vector<std::string>& list, std::string text) {
        if (!text.empty() && std::ranges::find(list, text) == list.end())
            list.push_back(std::move(text));
    };
    const auto join = [](const std::vector<std::string>& list, const char* between) {
        std::string all;
        for (const std::string& it : list)
            all += (all.empty() ? "" : between) + it;
        return all;
    };
    for (const TraceInfo* info : recordings) {
        std::string command = commandOf(tracerOf(*info));
        if (command.empty())
            add(unable, nameOf(*info));
        else
            add(commands, std::move(command));
    }
    if (commands.empty()) {
        // Suggest perf if the tracers of the recordings cannot record the data: perf needs no kernel modules or libraries of its own.
        std::string command = commandOf(recordings.empty() ? Tracer::Lttng : Tracer::Perf);
        add(commands, command.empty() ? commandOf(recordings.empty() ? Tracer::Perf : Tracer::Lttng) : std::move(command));
        if (!commands.empty())
            advice.unable = join(unable, " and ");
    }
    advice.command = join(commands, ", or ");
    return advice;
}

} // namespace

Tracer tracerOf(const TraceInfo& info)
{
    struct NamedTracer {
        std::string_view prefix; ///< Prefix of the tracer's name or of the format's name, in lower case.
        Tracer tracer;
    };
    // The first matching prefix wins, so "perf trace" comes before "perf ".
    static constexpr NamedTracer Names[] = {
        {"lttng", Tracer::Lttng},   {"perf trace", Tracer::Strace},  {"perfetto", Tracer::Perfetto},  {"perf.data", Tracer::Perf},
        {"perf ", Tracer::Perf},    {"trace-cmd", Tracer::TraceCmd}, {"trace.dat", Tracer::TraceCmd}, {"ftrace", Tracer::Ftrace},
        {"chrome", Tracer::Chrome}, {"strace", Tracer::Strace},      {"ltrace", Tracer::Ltrace},
    };
    for (std::string name : {info.text("tracer_name"), info.format}) {
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (name == "perf")
            return Tracer::Perf;
        for (const NamedTracer& it : Names)
            if (name.starts_with(it.prefix))
                return it.tracer;
    }
    // LTTng writes "domain" into the environment of a trace. So a trace with "domain", but without a tracer name, counts as LTTng's.
    return info.text("tracer_name").empty() && !info.text("domain").empty() ? Tracer::Lttng : Tracer::Other;
}

bool usesKernelNames(Tracer tracer) { return isOfKernel(tracer); }

std::string functionEntriesText(Tracer tracer)
{
    return "the function tracer recorded only entries of functions; durations of calls need: "
        + recordingCommand(RecordableData::FunctionCalls, tracer);
}

std::string recordingCommand(RecordableData data, Tracer tracer)
{
    const auto& table = adviceTable();
    const auto row = std::ranges::find(table, data, &AdviceRow::data);
    if (row == table.end())
        return {};
    for (const auto& [other, command] : row->others)
        if (other == tracer)
            return std::string(command);
    if (tracer == Tracer::Lttng)
        return std::string(row->lttng);
    if (tracer == Tracer::Perf && !row->perf.empty())
        return std::string(row->perf);
    return kernelEventsCommand(row->kernelEvents, tracer);
}

bool isEventName(std::string_view pattern) { return pattern.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos; }

std::string recordEventsCommand(std::span<const std::string> patterns, Tracer tracer)
{
    NameList kernel;
    NameList programs;
    NameList calls;
    bool areAllCalls = false;
    for (const std::string& pattern : patterns)
        if (!isEventName(pattern))
            areAllCalls = areAllCalls || isOfSystemCalls(pattern);
        else if (const std::string_view call = systemCallIn(pattern); !call.empty())
            calls.add(call);
        else if (pattern.find(':') != std::string::npos)
            programs.add(pattern);
        // The event "exit_syscall" needs no command of its own, because it is recorded together with every system call.
        else if (pattern != "exit_syscall")
            kernel.add(pattern);
    if (tracer != Tracer::Lttng) {
        std::string events = kernel.text();
        for (std::size_t at = 0; !events.empty() && at != std::string::npos; at = events.find(',', at + 1))
            events.insert(at == 0 ? 0 : at + 1, "*:");
        if (areAllCalls || !calls.text().empty())
            events += std::string(events.empty() ? "" : ",") + "raw_syscalls:sys_enter,raw_syscalls:sys_exit";
        return kernelEventsCommand(events, tracer);
    }
    std::string command;
    addLttngCommand("-k ", kernel.text(), command);
    addLttngCommand("-k --syscall ", areAllCalls ? "--all" : calls.text(), command);
    addLttngCommand("-u ", programs.text(), command);
    return command;
}

RecordingAdvice adviseRecording(RecordableData data, std::span<const TraceInfo* const> recordings)
{
    return advise([data](Tracer tracer) { return recordingCommand(data, tracer); }, recordings);
}

RecordingAdvice adviseRecordingEvents(std::span<const std::string> patterns, std::span<const TraceInfo* const> recordings)
{
    return advise([patterns](Tracer tracer) { return recordEventsCommand(patterns, tracer); }, recordings);
}

std::string RecordingAdvice::sentences() const
{
    if (command.empty())
        return {};
    return unable.empty() ? "Record them with: " + command
                          : withCapital(unable) + " cannot record them. Record them at the same time with: " + command;
}

std::string RecordingAdvice::suffix() const
{
    if (command.empty())
        return {};
    return unable.empty() ? "; record them with: " + command
                          : "; " + unable + " cannot record them; record them at the same time with: " + command;
}

} // namespace helio
