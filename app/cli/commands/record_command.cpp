#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/output/output.h"
#include "app/cli/recording/run_recording.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "core/query/filters/time_text.h"
#include "core/recording/dump_socket.h"
#include "core/recording/recording.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace helio {
namespace {

namespace fs = std::filesystem;

constexpr const char* DefaultPreset = "system";
constexpr const char* ThisMachine = "local";

struct RecordOptions {
    std::string preset;
    std::vector<std::string> command;
    fs::path output;
    std::vector<std::string> hosts;
    std::optional<std::int64_t> process;
    std::optional<Duration> duration;
    std::optional<RecordingTool> tool;
    bool usesSudo = false;
    bool runsCommandAsRoot = false;
    bool isDryRun = false;
    bool dumps = false;
    bool lists = false;
    bool opensNoWindow = false;
    bool isQuiet = false;

    void addTo(OptionList& options)
    {
        options.value("PRESET", preset, "", "What to record [system]; --list lists the presets");
        options.remainder(command, "Program to record, after --; without it, the machine is recorded");
        options.value("--for", m_given.duration, "TIME", "Stop after this time, e.g. 10s");
        options.value("-o,--output", output, "FOLDER", "Folder to create [NAME.heliotrace]");
        options.value("--pid", process, "PID", "Record a running process, with perf");
        options.repeated("--host", hosts, "HOST", "Record another machine over ssh; local is this one");
        options.value("--tool", m_given.tool, "TOOL", "Record with perf, lttng, trace-cmd or tracefs");
        options.flag("--sudo", usesSudo, "Run the tools as root; the command runs as you");
        options.flag("--as-root", runsCommandAsRoot, "With --sudo, run the command as root, too");
        options.flag("--dry-run", isDryRun, "Print the checks and the commands, and record nothing");
        options.flag("--dump", dumps, "Save the ring buffers of running snapshot recordings");
        options.flag("--list", lists, "List the presets");
        options.flag("--no-open", opensNoWindow, "Do not open the recording in a window");
        options.flag("--quiet", isQuiet, "Print no progress");
    }
    std::string missing() const { return {}; }

    Status read()
    {
        if (!m_given.duration.empty()) {
            const auto given = parseDuration(m_given.duration);
            if (!given || *given <= 0)
                return makeUsageError("--for", '"' + m_given.duration + "\" is not a time, e.g. 10s");
            duration = Duration(*given);
        }
        if (!m_given.tool.empty() && !(tool = recordingToolOf(m_given.tool)))
            return makeUsageError("--tool", '"' + m_given.tool + "\" is not perf, lttng, trace-cmd or tracefs");
        if (process && *process <= 0)
            return makeUsageError("--pid", "is not a process ID");
        if (process && !command.empty())
            return makeUsageError("--pid", "is not valid with a command");
        if (runsCommandAsRoot && !usesSudo)
            return makeUsageError("--as-root", "is only valid with --sudo");
        if (std::ranges::any_of(hosts, [](const std::string& host) { return host.empty() || host.front() == '-'; }))
            return makeUsageError("--host", "is not a host name");
        if (hosts.size() > 1 && (!command.empty() || process))
            return makeUsageError("--host", "several machines record no command or process, but all that runs on them");
        return Done{};
    }

private:
    struct {
        std::string duration, tool;
    } m_given;
};

std::string presetNames(const RecordingPresets& presets)
{
    std::string names;
    for (const RecordingPreset& preset : presets.all)
        names += (names.empty() ? "" : ", ") + preset.id;
    return names;
}

int listPresets(const RecordingPresets& presets)
{
    Output output;
    for (const RecordingPreset& preset : presets.all) {
        std::string tools;
        for (const RecordingTool tool : preset.tools)
            tools += (tools.empty() ? "" : ", ") + std::string(wordOf(tool));
        output.buffer() += fmt::format("{:<10} {} ({})\n", preset.id, preset.summary, tools);
    }
    output.buffer() += fmt::format("\nPresets of your own: {}\n", userPresetFolder().native());
    return ExitDone;
}

int dumpRings()
{
    const auto saved = requestDumps();
    if (!saved)
        return failWith(saved.error());
    Output output;
    for (const std::string& path : *saved)
        output.buffer() += path + '\n';
    return ExitDone;
}

/// Replaces this process by a window with the recording.
int openWindow(const fs::path& recording)
{
    const std::string path = recording.native();
    ::execl("/proc/self/exe", "heliograph", path.c_str(), static_cast<char*>(nullptr));
    return failWith({Error::Kind::Unreadable, "cannot open a window for " + path});
}

/// Prints why a recording is impossible. Returns false if it is possible.
bool isRefused(const RecordedMachine& machine)
{
    const auto checks = checkRecording(machine.request, machine.facts, machine.plan);
    for (const RecordingCheck& check : checks) {
        if (check.outcome != RecordingCheck::Outcome::Failed)
            continue;
        std::string text = (machine.request.host.empty() ? "" : machine.request.host + ": ") + check.title;
        if (!check.detail.empty())
            text += ": " + check.detail;
        if (!check.remedy.empty())
            text += "; mend it with: " + check.remedy;
        if (check.needsRoot && machine.request.host.empty())
            text += "; or record as root: --sudo";
        warn(text);
    }
    return !allowsRecording(checks);
}

int run(const RecordOptions& options)
{
    if (options.dumps)
        return dumpRings();
    const RecordingPresets presets = findPresets();
    for (const PresetProblem& problem : presets.problems)
        warn(problem.file.native() + ": " + problem.what);
    if (options.lists)
        return listPresets(presets);
    const RecordingPreset* const preset = presets.find(options.preset.empty() ? DefaultPreset : options.preset);
    if (!preset)
        return failWith(
            {Error::Kind::Usage,
             "there is no preset \"" + options.preset + "\"; presets: " + presetNames(presets) + ". Write -- before a command"});
    sweepKilledRecordings();
    std::error_code ignored;
    const fs::path here = fs::current_path(ignored);
    RecordingRequest request;
    request.preset = *preset;
    request.target = {options.command, here, options.process, options.duration};
    request.tool = options.tool;
    request.elevation = options.usesSudo ? Elevation::Sudo : Elevation::None;
    request.runsCommandAsRoot = options.runsCommandAsRoot;
    request.folder = options.output.empty() ? newRecordingFolder(here, request) : fs::absolute(options.output, ignored).lexically_normal();
    if (!request.folder.has_filename())
        request.folder = request.folder.parent_path();
    std::vector<RecordedMachine> machines;
    bool isPossible = true;
    for (const std::string& host : options.hosts.empty() ? std::vector<std::string>{ThisMachine} : options.hosts) {
        request.host = host == ThisMachine ? "" : host;
        request.session = sessionName(request.host);
        auto machine = inspectMachine(request, true);
        if (!machine)
            return failWith({machine.error().kind, (request.host.empty() ? "" : request.host + ": ") + machine.error().what});
        isPossible = (options.isDryRun || !isRefused(*machine)) && isPossible;
        machines.push_back(std::move(*machine));
    }
    if (options.isDryRun) {
        printRecordingPlan(machines);
        return ExitDone;
    }
    if (!isPossible)
        return ExitInput;
    fs::path result;
    const int status = runRecording(std::move(machines), options.isQuiet, result);
    if (status != ExitDone || options.opensNoWindow || !hasDisplayVariable())
        return status;
    return openWindow(result);
}

} // namespace

extern const Command recordCommand;
const Command recordCommand{13,
                            "record",
                            "Record with the right tool and options, then open the recording",
                            callOf<RecordOptions, run>,
                            R"(heliograph record cpu -- ./my-program
heliograph record system --for 10s
heliograph record off-cpu --sudo -o slow.heliotrace -- ./my-program
heliograph record --host web1 --host db1 --for 30s
heliograph record snapshot
heliograph record --dump
)",
                            R"(Without a command or --for, Ctrl+C ends the recording. The folder has the recorded files, the symbols that
name them on other machines, and record.json. Nothing stays enabled, even if the program is killed.
)"};

} // namespace helio
