#include "core/recording/plan.h"

#include "core/base/shell_words.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

constexpr const char* Folder = "\"$folder\"";
constexpr unsigned LttngSubBuffers = 8;

/// Returns the size of ftrace's buffer of each CPU in KiB. ftrace needs more than the default, as the reader of its text is slow.
std::string ftraceBuffer(const RecordingRequest& request) { return std::to_string(2048 * request.buffer); }

/// True if the commands run as root.
bool hasRoot(const RecordingRequest& request, const MachineFacts& facts) { return facts.isRoot || request.elevation != Elevation::None; }

/// True if perf records addresses of programs, which need symbols.
bool recordsAddresses(const RecordingPreset& preset) { return preset.hasCallStacks || preset.samples; }

bool recordsAllSystemCalls(const RecordingPreset& preset)
{
    return std::ranges::find(preset.systemCalls, "all") != preset.systemCalls.end();
}

bool canRecord(RecordingTool tool, const RecordingRequest& request, const MachineFacts& facts)
{
    const RecordingPreset& preset = request.preset;
    const bool isForPerfOnly = request.target.process.has_value();
    const bool isRoot = hasRoot(request, facts);
    if (!facts.has(tool) || (isForPerfOnly && tool != RecordingTool::Perf))
        return false;
    switch (tool) {
    case RecordingTool::Perf: return true;
    case RecordingTool::Lttng: return preset.lttngEvents.empty() || (facts.hasLttngModules && (isRoot || facts.isInTracingGroup));
    case RecordingTool::TraceCmd:
    case RecordingTool::Tracefs: return isRoot && !facts.tracefs.empty() && !preset.isRing;
    }
    return false;
}

std::string joined(const std::vector<std::string>& words, const char* separator)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : separator) + word;
    return text;
}

/// Returns the kernel events of a preset, as perf and ftrace name them, and its system calls.
std::vector<std::string> wantedEvents(const RecordingPreset& preset)
{
    std::vector<std::string> events = preset.kernelEvents;
    if (recordsAllSystemCalls(preset)) {
        events.insert(events.end(), {"raw_syscalls:sys_enter", "raw_syscalls:sys_exit"});
    } else {
        for (const std::string& name : preset.systemCalls)
            events.insert(events.end(), {"syscalls:sys_enter_" + name, "syscalls:sys_exit_" + name});
    }
    return events;
}

/// Splits the preset's kernel events into those that the kernel has and those that it lacks. If the kernel's events are unknown, it is
/// assumed to have all.
void chooseKernelEvents(const RecordingPreset& preset, const MachineFacts& facts, RecordingPlan& plan)
{
    for (std::string& event : wantedEvents(preset)) {
        const bool isThere = facts.kernelEvents.empty() || facts.kernelEvents.contains(event);
        (isThere ? plan.events : plan.missingEvents).push_back(std::move(event));
    }
}

bool isSystemCallEvent(const std::string& event) { return event.starts_with("raw_syscalls:") || event.starts_with("syscalls:"); }

/// Returns the recorded command, as the user who asked runs it: with the user's environment if root records.
std::string commandLine(const RecordingRequest& request, const MachineFacts& facts)
{
    const std::string command = shellLine(request.target.command);
    if (request.elevation == Elevation::None || request.runsCommandAsRoot)
        return command;
    const std::string uid = std::to_string(facts.uid);
    return "setpriv --reuid=" + uid + " --regid=\"$(id -g " + uid
        + ")\" --init-groups --inh-caps=-all sh -c '. \"$0\"; rm -f \"$0\"; exec \"$@\"' \"$folder\"/.environment " + command;
}

/// Returns the sleep during which tools record that do not wait by themselves.
std::string sleepLine(const RecordingTarget& target)
{
    if (!target.duration)
        return "sleep infinity";
    const double seconds = static_cast<double>(target.duration->count()) / 1e9;
    std::string text = std::to_string(std::max(seconds, 0.001));
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return "sleep " + text;
}

std::string samplingOf(const SamplingRecipe& samples)
{
    const std::string rate =
        samples.frequency > 0 ? "freq=" + std::to_string(samples.frequency) : "period=" + std::to_string(samples.period);
    return samples.event + '/' + rate + '/';
}

/// Returns the options of perf for the events: those that are sampled by their rate, tracepoints without a rate, so that each is recorded.
std::string perfEvents(const RecordingPreset& preset, RecordingPlan& plan)
{
    std::string options;
    if (preset.samples && preset.samples->event.empty()) {
        options += preset.samples->frequency > 0 ? " -F " + std::to_string(preset.samples->frequency)
                                                 : " -c " + std::to_string(preset.samples->period);
    } else if (preset.samples) {
        options += " -e " + shellQuoted(samplingOf(*preset.samples));
    }
    std::vector<std::string> calls;
    std::vector<std::string> others;
    for (const std::string& event : plan.events)
        (isSystemCallEvent(event) ? calls : others).push_back(event);
    if (!others.empty())
        options += " -e " + shellQuoted(joined(others, ","));
    // perf's own system calls, with which it writes, would make more events to write.
    if (!calls.empty())
        options += " -e " + shellQuoted(joined(calls, ",")) + " --exclude-perf";
    if (preset.samples)
        plan.events.insert(plan.events.begin(), preset.samples->event.empty() ? "cycles" : preset.samples->event);
    return options;
}

void planPerf(const RecordingRequest& request, const MachineFacts& facts, RecordingPlan& plan)
{
    const RecordingPreset& preset = request.preset;
    const RecordingTarget& target = request.target;
    chooseKernelEvents(preset, facts, plan);
    std::string line = "perf record";
    const bool isForCommandOnly = !preset.needsMachine && !target.command.empty();
    if (target.process)
        line += " -p " + std::to_string(*target.process);
    else if (!isForCommandOnly)
        line += " -a";
    line += " -k CLOCK_MONOTONIC";
    // Users without privileges may lock little memory for buffers, so perf's default size applies to them.
    if (facts.canTrace || request.elevation != Elevation::None)
        line += " -m " + std::to_string(request.buffer) + 'M';
    if (preset.isRing)
        line += " --overwrite --switch-output=signal";
    else if (recordsAddresses(preset))
        line += " --buildid-all";
    if (preset.hasCallStacks)
        line += isForCommandOnly && facts.hasFramePointers != true ? " --call-graph dwarf" : " -g";
    line += perfEvents(preset, plan);
    plan.output = "perf.data";
    line += std::string(" -o ") + Folder + "/perf.data";
    if (!target.command.empty())
        line += " -- " + commandLine(request, facts);
    else if (target.duration)
        line += " -- " + sleepLine(target);
    plan.recorder = line;
    plan.stopSignal = "INT";
    if (preset.isRing)
        plan.saver = "kill -USR2 \"$recorder\"";
}

void planLttngChannel(const std::string& domain, const RecordingRequest& request, std::vector<std::string>& lines)
{
    lines.push_back("lttng enable-channel " + domain + " --session=" + request.session
                    + " --subbuf-size=" + std::to_string(1024 * request.buffer / LttngSubBuffers)
                    + "k --num-subbuf=" + std::to_string(LttngSubBuffers) + " heliograph");
}

void planLttng(const RecordingRequest& request, const MachineFacts& facts, RecordingPlan& plan)
{
    const RecordingPreset& preset = request.preset;
    const std::string session = request.session;
    const std::string place = " --session=" + session + " --channel=heliograph";
    plan.output = "lttng";
    plan.preparations.push_back("lttng create " + session + (preset.isRing ? " --snapshot" : "") + " --output=" + Folder + "/lttng");
    if (!preset.lttngEvents.empty()) {
        planLttngChannel("--kernel", request, plan.preparations);
        for (const std::string& event : preset.lttngEvents)
            plan.options.push_back("lttng enable-event --kernel" + place + ' ' + shellQuoted(event));
        if (recordsAllSystemCalls(preset))
            plan.options.push_back("lttng enable-event --kernel" + place + " --syscall --all");
        else if (!preset.systemCalls.empty())
            plan.options.push_back("lttng enable-event --kernel" + place + " --syscall " + shellQuoted(joined(preset.systemCalls, ",")));
        // Without its first event, the recording would be useless.
        plan.preparations.push_back(plan.options.front());
        plan.options.erase(plan.options.begin());
    }
    if (!preset.userEvents.empty()) {
        planLttngChannel("--userspace", request, plan.preparations);
        plan.preparations.push_back("lttng enable-event --userspace" + place + ' ' + shellQuoted(joined(preset.userEvents, ",")));
        if (!preset.userContexts.empty())
            plan.preparations.push_back("lttng add-context --userspace" + place);
        for (const std::string& context : preset.userContexts)
            plan.preparations.back() += " --type=" + shellQuoted(context);
    }
    plan.events = preset.lttngEvents;
    plan.events.insert(plan.events.end(), preset.userEvents.begin(), preset.userEvents.end());
    if (!preset.systemCalls.empty())
        plan.events.push_back("system calls: " + joined(preset.systemCalls, ", "));
    plan.starter = "lttng start " + session;
    plan.recorder = request.target.command.empty() ? sleepLine(request.target) : commandLine(request, facts);
    if (!preset.preloads.empty()) {
        std::vector<std::string> names;
        for (const std::string& name : preset.preloads) {
            const auto found = facts.libraries.find(name);
            names.push_back(found == facts.libraries.end() || found->second.empty() ? name : found->second);
        }
        plan.recorder = "env LD_PRELOAD=" + shellQuoted(joined(names, ":")) + ' ' + plan.recorder;
    }
    plan.stopSignal = "TERM";
    plan.endings.push_back("lttng stop " + session);
    plan.endings.push_back("lttng destroy " + session);
    if (preset.isRing)
        plan.saver = "lttng snapshot record --session=" + session;
    plan.lossCounter = "lttng list " + session + " | awk '/Discarded events:/ { n += $3 } END { print n + 0 }'";
}

/// Plans what trace-cmd and the kernel's own files have in common: an instance of ftrace, so that the settings of others stay as they are.
std::string planInstance(const RecordingRequest& request, const MachineFacts& facts, RecordingPlan& plan)
{
    const std::string instance = shellQuoted(facts.tracefs + "/instances/" + request.session);
    plan.endings.push_back("! [ -d " + instance + " ] || rmdir " + instance);
    plan.lossCounter = "cat " + instance + "/per_cpu/cpu*/stats 2>/dev/null | awk '/^overrun:/ { n += $2 } END { print n + 0 }'";
    return instance;
}

void planTraceCmd(const RecordingRequest& request, const MachineFacts& facts, RecordingPlan& plan)
{
    chooseKernelEvents(request.preset, facts, plan);
    planInstance(request, facts, plan);
    std::string line = "trace-cmd record -B " + request.session + " -C mono -b " + ftraceBuffer(request);
    for (const std::string& event : plan.events)
        line += " -e " + shellQuoted(event);
    plan.output = "trace.dat";
    line += std::string(" -o ") + Folder + "/trace.dat";
    if (!request.target.command.empty())
        line += ' ' + commandLine(request, facts);
    else if (request.target.duration)
        line += ' ' + sleepLine(request.target);
    plan.recorder = line;
    plan.stopSignal = "INT";
}

void planTracefs(const RecordingRequest& request, const MachineFacts& facts, RecordingPlan& plan)
{
    chooseKernelEvents(request.preset, facts, plan);
    const std::string instance = planInstance(request, facts, plan);
    plan.output = "ftrace.txt";
    plan.preparations.push_back("mkdir " + instance);
    plan.preparations.push_back("echo mono > " + instance + "/trace_clock");
    plan.preparations.push_back("echo " + ftraceBuffer(request) + " > " + instance + "/buffer_size_kb");
    for (const std::string& event : plan.events) {
        std::string file = event;
        std::ranges::replace(file, ':', '/');
        (plan.preparations.size() == 3 ? plan.preparations : plan.options)
            .push_back("echo 1 > " + instance + "/events/" + shellQuoted(file) + "/enable");
    }
    plan.starter = "{ ${guard-} cat " + instance + "/trace_pipe > " + Folder + "/ftrace.txt & }; reader=$!";
    // The reader's own system calls would make more events to read.
    plan.starter += "; ! [ -w " + instance + "/set_event_notrace_pid ] || echo \"$reader\" > " + instance + "/set_event_notrace_pid";
    plan.recorder = request.target.command.empty() ? sleepLine(request.target) : commandLine(request, facts);
    plan.stopSignal = "TERM";
    // The reader has copied everything once the kernel records no more and the reader waits for events.
    plan.endings.insert(plan.endings.begin(),
                        {"! [ -d " + instance + " ] || echo 0 > " + instance + "/tracing_on", "sleep 0.5",
                         "[ -z \"${reader-}\" ] || kill \"$reader\" 2>/dev/null", "wait"});
}

std::string indented(const std::vector<std::string>& lines, const char* suffix)
{
    std::string text;
    for (const std::string& line : lines)
        text += "    " + line + suffix + '\n';
    return text;
}

} // namespace

RecordingTool chooseTool(const RecordingRequest& request, const MachineFacts& facts)
{
    if (request.tool)
        return *request.tool;
    const std::vector<RecordingTool>& tools = request.preset.tools;
    const auto usable = std::ranges::find_if(tools, [&](RecordingTool tool) { return canRecord(tool, request, facts); });
    if (usable != tools.end())
        return *usable;
    const auto installed = std::ranges::find_if(tools, [&](RecordingTool tool) { return facts.has(tool); });
    return installed != tools.end() ? *installed : tools.front();
}

RecordingPlan planRecording(const RecordingRequest& request, const MachineFacts& facts)
{
    RecordingPlan plan;
    plan.tool = chooseTool(request, facts);
    switch (plan.tool) {
    case RecordingTool::Perf: planPerf(request, facts, plan); break;
    case RecordingTool::Lttng: planLttng(request, facts, plan); break;
    case RecordingTool::TraceCmd: planTraceCmd(request, facts, plan); break;
    case RecordingTool::Tracefs: planTracefs(request, facts, plan); break;
    }
    return plan;
}

std::vector<std::string> shownCommands(const RecordingPlan& plan, const std::string& folder)
{
    std::vector<std::string> lines = plan.preparations;
    lines.insert(lines.end(), plan.options.begin(), plan.options.end());
    if (!plan.starter.empty())
        lines.push_back(plan.starter);
    lines.push_back(plan.recorder);
    lines.insert(lines.end(), plan.endings.begin(), plan.endings.end());
    for (std::string& line : lines)
        for (std::size_t at = line.find(Folder); at != std::string::npos; at = line.find(Folder, at))
            line.replace(at, std::string_view(Folder).size(), shellQuoted(folder));
    return lines;
}

std::string cleanupScript(const RecordingPlan& plan) { return "PATH=$PATH:/usr/sbin:/sbin\n" + joined(plan.endings, "\n") + '\n'; }

std::string sweepScript() { return std::string(scriptText("sweep.sh")); }

std::string recordingScript(const RecordingPlan& plan, const RecordingRequest& request, const MachineFacts& facts, bool keepsTerminal)
{
    const bool isRemote = !request.host.empty();
    const bool hasTerminal = keepsTerminal && !isRemote && request.elevation == Elevation::None;
    std::string script = "set -u\nmask=$(umask)\numask 077\n";
    if (isRemote || request.elevation != Elevation::None) // Shells of ssh, sudo and pkexec may lack these folders.
        script += "PATH=$PATH:/usr/sbin:/sbin\n";
    if (isRemote)
        script += "folder=$(mktemp -d /tmp/heliograph.XXXXXXXX) || exit 1\nplace=$HOME\n";
    else
        script += "folder=" + shellQuoted(request.folder.native())
            + "\nplace=" + shellQuoted(request.target.workingFolder.empty() ? "/" : request.target.workingFolder.native()) + '\n';
    script += "signal=" + plan.stopSignal + '\n';
    script += "owner=" + (request.elevation == Elevation::None || facts.uid < 0 ? "" : std::to_string(facts.uid)) + '\n';
    script += "output=" + plan.output + '\n';
    script += std::string("remote=") + (isRemote ? "yes" : "no") + '\n';
    script += std::string("keeps_symbols=") + (plan.tool == RecordingTool::Perf && recordsAddresses(request.preset) ? "yes" : "no") + '\n';
    script += std::string("ring=") + (plan.saver.empty() ? "none" : wordOf(plan.tool)) + '\n';
    script += "prepare() {\n" + indented(plan.preparations, " || return") + indented(plan.options, " || missing=$((missing + 1))");
    if (!plan.starter.empty())
        script += "    " + plan.starter + " || return\n";
    script += "    return 0\n}\n";
    script += "tidy() {\n" + indented(plan.endings, "") + "    return 0\n}\n";
    script += "save_ring() {\n    " + (plan.saver.empty() ? "false" : plan.saver) + "\n}\n";
    script += "count_losses() {\n    " + (plan.lossCounter.empty() ? "true" : plan.lossCounter) + "\n}\n";
    script += std::string("run_recorder() {\n    cd \"$place\" && umask \"$mask\" && exec $guard sh -c 'echo \"$$\" >\"$0\" && exec "
                          "\"$@\"' \"$folder\"/.recorder ")
        + plan.recorder + "\n}\n";
    script += hasTerminal ? "run() { (run_recorder <&5 >&6 4>&- 5<&- 6>&-); }\n" : "run() { (run_recorder </dev/null >&4 2>&1 4>&-); }\n";
    script += scriptText("record.sh");
    return script;
}

} // namespace helio
