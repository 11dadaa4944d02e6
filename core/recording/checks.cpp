#include "core/recording/checks.h"

#include "core/base/shell_words.h"

#include <array>
#include <cstdio>

namespace helio {
namespace {

using Outcome = RecordingCheck::Outcome;

constexpr std::int64_t LeastFreeBytes = std::int64_t{64} << 20; ///< Free space below which no recording starts.
constexpr double ScarceSeconds = 120; ///< Warn if the free space lasts for less.
constexpr std::array<const char*, RecordingToolCount> ToolNames{"perf", "LTTng", "trace-cmd", "tracefs"};
constexpr std::array<const char*, RecordingToolCount> Packages{"linux-perf", "lttng-tools", "trace-cmd", ""};

const char* nameOf(RecordingTool tool) { return ToolNames[static_cast<std::size_t>(tool)]; }

bool isElevated(const RecordingRequest& request) { return request.elevation != Elevation::None; }

/// True if the plan records tracepoints with perf.
bool usesTracepoints(const RecordingRequest& request) { return !request.preset.kernelEvents.empty(); }

void checkTool(const RecordingRequest& request, const MachineFacts& facts, const RecordingPlan& plan, std::vector<RecordingCheck>& checks)
{
    const std::string name = nameOf(plan.tool);
    const auto& offered = request.preset.tools;
    if (request.tool && std::ranges::find(offered, *request.tool) == offered.end()) {
        std::string words;
        for (const RecordingTool tool : offered)
            words += (words.empty() ? "" : ", ") + std::string(wordOf(tool));
        checks.push_back({"tool", Outcome::Failed, name + " cannot record this preset", "it can be recorded with: " + words});
    } else if (plan.tool == RecordingTool::Tracefs) {
        if (facts.has(plan.tool))
            checks.push_back({"tool", Outcome::Passed, "tracefs is mounted", facts.tracefs});
        else
            checks.push_back({"tool", Outcome::Failed, "tracefs is not mounted",
                              "no tool for this preset is installed, and tracefs is not mounted",
                              "sudo mount -t tracefs nodev /sys/kernel/tracing"});
    } else if (facts.has(plan.tool)) {
        checks.push_back({"tool", Outcome::Passed, name + " is installed", name + ' ' + facts.version(plan.tool)});
    } else {
        const std::string package = Packages[static_cast<std::size_t>(plan.tool)];
        checks.push_back(
            {"tool", Outcome::Failed, name + " is not installed", "package " + package + " of Debian", "sudo apt-get install " + package});
    }
}

void checkModules(const RecordingRequest& request, const MachineFacts& facts, std::vector<RecordingCheck>& checks)
{
    if (request.preset.lttngEvents.empty())
        return;
    if (facts.hasLttngModules)
        checks.push_back({"events", Outcome::Passed, "LTTng's kernel modules are installed", "for Linux " + facts.kernel});
    else
        checks.push_back({"events", Outcome::Failed, "LTTng's kernel modules are not installed", "for Linux " + facts.kernel,
                          "sudo apt-get install lttng-modules-dkms"});
}

void checkLibraries(const RecordingRequest& request, const MachineFacts& facts, std::vector<RecordingCheck>& checks)
{
    const RecordingPreset& preset = request.preset;
    if (preset.preloads.empty())
        return;
    for (const std::string& name : preset.preloads) {
        const auto found = facts.libraries.find(name);
        if (found == facts.libraries.end() || found->second.empty()) {
            checks.push_back({"libraries", Outcome::Failed, name + " is not installed", "package liblttng-ust1 of Debian",
                              "sudo apt-get install liblttng-ust1"});
            return;
        }
    }
    checks.push_back({"libraries", Outcome::Passed, "The tracing libraries are installed", "liblttng-ust"});
    if (facts.isInstrumented)
        checks.push_back({"instrumented", Outcome::Passed, "The program records its calls", "compiled with -finstrument-functions"});
    else if (!facts.commandPath.empty())
        checks.push_back({"instrumented", Outcome::Warning, "The program may not record its calls",
                          "it was not compiled with gcc -finstrument-functions; its libraries may be"});
}

void checkKernelEvents(const RecordingRequest& request, const MachineFacts& facts, const RecordingPlan& plan,
                       std::vector<RecordingCheck>& checks)
{
    if (!usesTracepoints(request))
        return;
    const std::size_t all = plan.missingEvents.size() + plan.events.size() - (request.preset.samples ? 1 : 0);
    if (!facts.canReadTracefs) {
        const bool isMounted = !facts.tracefs.empty();
        const std::string remedy = isMounted ? "sudo mount -o remount,mode=755 " + shellQuoted(facts.tracefs)
                                             : "sudo mount -t tracefs -o mode=755 nodev /sys/kernel/tracing";
        if (isElevated(request) && isMounted)
            checks.push_back({"events", Outcome::Passed, "Kernel events", "read by root when the recording starts"});
        else
            checks.push_back({"events", Outcome::Failed, "The kernel's events cannot be read",
                              isMounted ? facts.tracefs + " is closed to " + facts.user : "tracefs is not mounted", remedy, isMounted});
        return;
    }
    const std::string found = std::to_string(all - plan.missingEvents.size()) + " of " + std::to_string(all) + " tracepoints";
    std::string missing;
    for (const std::string& event : plan.missingEvents)
        missing += (missing.empty() ? "; missing: " : ", ") + event;
    if (plan.missingEvents.empty())
        checks.push_back({"events", Outcome::Passed, "The kernel has the events of this preset", found});
    else if (plan.missingEvents.front() == request.preset.kernelEvents.front())
        checks.push_back({"events", Outcome::Failed, "The kernel lacks " + plan.missingEvents.front(), found + missing});
    else
        checks.push_back({"events", Outcome::Warning, "The kernel lacks some events of this preset", found + missing});
}

/// Returns the largest value of kernel.perf_event_paranoid with which a user without privileges can record what the plan records; see
/// Documentation/admin-guide/perf-security.rst of Linux, and 3, a value of Debian and Android that forbids all use.
int allowedParanoia(const RecordingRequest& request)
{
    const bool isForCommandOnly = request.target.process || (!request.preset.needsMachine && !request.target.command.empty());
    return usesTracepoints(request) ? -1 : isForCommandOnly ? 2 : 0;
}

void checkPerfPrivileges(const RecordingRequest& request, const MachineFacts& facts, std::vector<RecordingCheck>& checks)
{
    const int allowed = allowedParanoia(request);
    const std::string found = "kernel.perf_event_paranoid is " + std::to_string(facts.perfParanoid);
    if (isElevated(request))
        checks.push_back({"privileges", Outcome::Passed, "Privileges", "root, for this recording"});
    else if (facts.canTrace)
        checks.push_back({"privileges", Outcome::Passed, "Privileges", facts.user + " may trace the machine"});
    else if (facts.perfParanoid <= allowed)
        checks.push_back({"privileges", Outcome::Passed, "Privileges", found});
    else
        checks.push_back(
            {"privileges", Outcome::Failed,
             usesTracepoints(request) ? "Tracepoints need more privileges"
                 : allowed == 0       ? "Recording all processes needs more privileges"
                                      : "perf needs more privileges",
             found + "; " + (usesTracepoints(request) ? "tracepoints need " : "this recording needs ") + std::to_string(allowed),
             "sudo sysctl kernel.perf_event_paranoid=" + std::to_string(allowed), true});
}

void checkRootPrivileges(const RecordingRequest& request, const MachineFacts& facts, const RecordingPlan& plan,
                         std::vector<RecordingCheck>& checks)
{
    const bool isLttng = plan.tool == RecordingTool::Lttng;
    if (isLttng && request.preset.lttngEvents.empty())
        return;
    if (isElevated(request))
        checks.push_back({"privileges", Outcome::Passed, "Privileges", "root, for this recording"});
    else if (facts.isRoot || (isLttng && facts.isInTracingGroup))
        checks.push_back({"privileges", Outcome::Passed, "Privileges", facts.isRoot ? "root" : facts.user + " is in the group tracing"});
    else
        checks.push_back({"privileges", Outcome::Failed, std::string(nameOf(plan.tool)) + " needs more privileges",
                          isLttng ? facts.user + " is not in the group tracing" : facts.user + " is not root",
                          isLttng ? "sudo usermod -a -G tracing " + shellQuoted(facts.user) : "", true});
}

void checkDisk(const RecordingRequest& request, const MachineFacts& facts, std::vector<RecordingCheck>& checks)
{
    if (facts.freeBytes < 0) {
        checks.push_back({"disk", Outcome::Warning, "Disk space", "unknown"});
        return;
    }
    const double rate = expectedBytesPerSecond(request.preset, facts);
    const std::string detail = bytesText(static_cast<double>(facts.freeBytes)) + " free"
        + (rate > 0 ? "; about " + bytesText(rate) + "/s needed if all CPUs are busy" : "");
    const bool isScarce = rate * ScarceSeconds > static_cast<double>(facts.freeBytes);
    checks.push_back({"disk",
                      facts.freeBytes < LeastFreeBytes ? Outcome::Failed
                          : isScarce                   ? Outcome::Warning
                                                       : Outcome::Passed,
                      facts.freeBytes < LeastFreeBytes ? "The disk is full"
                          : isScarce                   ? "Disk space is scarce"
                                                       : "Disk space",
                      detail});
}

void checkSymbols(const RecordingRequest& request, const MachineFacts& facts, const RecordingPlan& plan,
                  std::vector<RecordingCheck>& checks)
{
    if (plan.tool != RecordingTool::Perf || !(request.preset.hasCallStacks || request.preset.samples))
        return;
    if (facts.showsKernelAddresses || isElevated(request))
        checks.push_back({"symbols", Outcome::Passed, "Symbols can be saved for other machines", "programs, kallsyms, perf maps"});
    else
        checks.push_back({"symbols", Outcome::Warning, "Kernel symbols cannot be saved",
                          "kernel.kptr_restrict hides their addresses; symbols of programs are saved", "sudo sysctl kernel.kptr_restrict=0",
                          true});
}

void checkTarget(const RecordingRequest& request, const MachineFacts& facts, std::vector<RecordingCheck>& checks)
{
    const RecordingTarget& target = request.target;
    if (request.preset.needsCommand() && target.command.empty())
        checks.push_back({"command", Outcome::Failed, "A command is missing", "this preset records a program from its start"});
    if (target.command.empty())
        return;
    if (facts.commandPath.empty())
        checks.push_back({"command", Outcome::Failed, "The command was not found", target.command.front()});
    else
        checks.push_back({"command", Outcome::Passed, "The command was found", facts.commandPath});
}

void checkCallStacks(const RecordingRequest& request, const MachineFacts& facts, std::vector<RecordingCheck>& checks)
{
    const bool isForCommandOnly = !request.preset.needsMachine && !request.target.command.empty();
    if (!request.preset.hasCallStacks || request.target.command.empty())
        return;
    if (!facts.hasFramePointers) {
        if (isForCommandOnly)
            checks.push_back(
                {"stacks", Outcome::Passed, "Call stacks", "by DWARF: it is unknown whether the program keeps frame pointers"});
        return;
    }
    if (*facts.hasFramePointers)
        checks.push_back({"stacks", Outcome::Passed, "Call stacks", "by frame pointers, which the program keeps"});
    else if (isForCommandOnly)
        checks.push_back({"stacks", Outcome::Passed, "Call stacks", "by DWARF: the program keeps no frame pointers"});
    else
        checks.push_back({"stacks", Outcome::Warning, "Call stacks of the program will be broken",
                          "it keeps no frame pointers: compile it with -fno-omit-frame-pointer"});
}

void checkClock(const RecordingPlan& plan, std::vector<RecordingCheck>& checks)
{
    switch (plan.tool) {
    case RecordingTool::Perf: checks.push_back({"clock", Outcome::Passed, "Wall clock", "anchored with CLOCK_MONOTONIC"}); break;
    case RecordingTool::Lttng: checks.push_back({"clock", Outcome::Passed, "Wall clock", "recorded by LTTng"}); break;
    case RecordingTool::TraceCmd:
    case RecordingTool::Tracefs:
        checks.push_back({"clock", Outcome::Warning, "Wall clock", "not recorded: times count from the boot (CLOCK_MONOTONIC)"});
        break;
    }
}

} // namespace

double expectedBytesPerSecond(const RecordingPreset& preset, const MachineFacts& facts)
{
    return preset.eventsPerSecond * preset.bytesPerEvent * std::max(facts.cpus, 1u);
}

std::string bytesText(double bytes)
{
    constexpr std::array<const char*, 5> Units{"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < Units.size(); ++unit)
        bytes /= 1000;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), unit > 1 && bytes < 99.95 ? "%.1f %s" : "%.0f %s", bytes, Units[unit]);
    return text.data();
}

std::vector<RecordingCheck> checkRecording(const RecordingRequest& request, const MachineFacts& facts, const RecordingPlan& plan)
{
    std::vector<RecordingCheck> checks;
    checkTarget(request, facts, checks);
    if (request.target.process && plan.tool != RecordingTool::Perf)
        checks.push_back({"command", Outcome::Failed, "Only perf records a running process", nameOf(plan.tool)});
    checkTool(request, facts, plan, checks);
    if (plan.tool == RecordingTool::Lttng) {
        checkModules(request, facts, checks);
        checkLibraries(request, facts, checks);
    } else {
        checkKernelEvents(request, facts, plan, checks);
    }
    plan.tool == RecordingTool::Perf ? checkPerfPrivileges(request, facts, checks) : checkRootPrivileges(request, facts, plan, checks);
    checkDisk(request, facts, checks);
    checkSymbols(request, facts, plan, checks);
    checkCallStacks(request, facts, checks);
    checkClock(plan, checks);
    return checks;
}

bool allowsRecording(const std::vector<RecordingCheck>& checks)
{
    return std::ranges::none_of(checks, [](const RecordingCheck& check) { return check.outcome == Outcome::Failed; });
}

} // namespace helio
