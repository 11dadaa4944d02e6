#include "core/recording/recording.h"

#include "core/base/json.h"
#include "core/base/shell_words.h"
#include "core/store/file/temporary_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <poll.h>
#include <set>
#include <thread>
#include <unistd.h>
#include <utility>

namespace helio {
namespace {

namespace fs = std::filesystem;
using Phase = RecordingStatus::Phase;

constexpr auto ProbeTime = std::chrono::seconds(30);
constexpr auto CleanupTime = std::chrono::seconds(10);
constexpr std::uintmax_t FullDiskBytes = std::uintmax_t{1} << 20; ///< Less free space at the end means that data may be missing.

std::string trimmed(std::string text)
{
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.pop_back();
    return text;
}

/// Returns a name that is safe as the name of a folder: letters, digits, ".", "-" and "_".
std::string folderName(const std::string& text)
{
    std::string name;
    for (const char c : text)
        name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ? c : '-';
    name.erase(0, name.find_first_not_of('.'));
    return name.empty() ? "recording" : name.substr(0, 64);
}

ScriptPlace placeOf(const RecordingRequest& request, bool keepsTerminal)
{
    return {request.host, request.host.empty() ? request.elevation : Elevation::None, keepsTerminal};
}

std::string isoTime(std::chrono::system_clock::time_point time)
{
    const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

std::optional<std::int64_t> numberIn(const std::string& text)
{
    char* end = nullptr;
    const long long number = std::strtoll(text.c_str(), &end, 10);
    return end != text.c_str() ? std::optional<std::int64_t>(number) : std::nullopt;
}

/// Saves the environment of this process for a command that runs under root privileges, which sudo and pkexec would leave out.
bool writeEnvironment(const fs::path& file)
{
    // Shells like bash do not allow to set these variables, and end when a script tries.
    constexpr std::array<std::string_view, 6> ReadOnly{"UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO"};
    const auto isName = [&](std::string_view name) {
        return !name.empty() && std::ranges::find(ReadOnly, name) == ReadOnly.end()
            && !std::isdigit(static_cast<unsigned char>(name.front()))
            && std::ranges::all_of(name, [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); });
    };
    std::ofstream out(file);
    for (char** variable = environ; variable && *variable; ++variable) {
        const std::string_view text = *variable;
        const std::size_t equals = text.find('=');
        if (equals != std::string_view::npos && isName(text.substr(0, equals)))
            out << "export " << text.substr(0, equals) << '=' << shellQuoted(text.substr(equals + 1)) << '\n';
    }
    return bool(out.flush());
}

} // namespace

/// Script of one machine, and what it has said.
struct Recording::Script {
    std::unique_ptr<ScriptProcess> process;
    std::string folder; ///< Name of the machine's folder in the recording; empty for a single machine.
    std::ofstream archive; ///< Files of a remote machine as they arrive.
    std::unique_ptr<ScriptProcess> unpacker; ///< Unpacks `archive` after it has arrived; nullptr before.
    bool isReady = false;
    bool hasStarted = false;
    bool hasStopped = false; ///< True if the tool has ended; the script then reads no more requests.
    bool hasFailed = false; ///< True if the script has printed why there is no recording.
    bool wasKilled = false; ///< True if kill() ended the recorder.
    int earlyStatus = 0; ///< Exit status of the tool if it ended by itself, e.g. because the disk was full; 0 if it did not fail.
    bool hasRecorded = false; ///< True if the script has printed that the recording ended.
    bool hasEnded = false; ///< True if the script has ended and everything was handled.
    std::int64_t bytes = 0;
    std::optional<std::int64_t> lost;
};

Result<RecordedMachine> inspectMachine(RecordingRequest request, bool keepsTerminal, const std::stop_token& stop)
{
    const ScriptPlace place{request.host, Elevation::None, keepsTerminal};
    const std::string program = request.target.command.empty() ? std::string() : request.target.command.front();
    std::string script;
    if (request.host.empty() && !request.target.workingFolder.empty())
        script = "cd " + shellQuoted(request.target.workingFolder.native()) + " || exit\n";
    script += probeScript(request.preset, request.host.empty() ? request.folder.native() : "/tmp/x", program);
    const auto output = runScript(place, script, ProbeTime, stop);
    if (!output)
        return Error{output.error().kind, (request.host.empty() ? "" : "cannot be reached with ssh: ") + output.error().what};
    auto facts = readMachineFacts(*output);
    if (!facts)
        return facts.error();
    if (request.host.empty() && !facts->commandPath.empty())
        facts->hasFramePointers = keepsFramePointers(
            fs::path(facts->commandPath).is_absolute() ? fs::path(facts->commandPath) : request.target.workingFolder / facts->commandPath);
    RecordingPlan plan = planRecording(request, *facts);
    return RecordedMachine{std::move(request), std::move(*facts), std::move(plan)};
}

Result<std::unique_ptr<Recording>> Recording::start(std::vector<RecordedMachine> machines, bool keepsTerminal)
{
    std::unique_ptr<Recording> recording(new Recording);
    recording->m_folder = machines.front().request.folder;
    recording->m_keepsTerminal = keepsTerminal;
    std::error_code failure;
    const fs::path folder = recording->m_folder;
    fs::create_directories(folder.parent_path(), failure);
    if (!fs::create_directory(folder, failure))
        return failure ? Error{Error::Kind::Unreadable, "cannot create " + folder.native() + ": " + failure.message()}
                       : Error{Error::Kind::Usage, folder.native() + " exists; choose another name"};
    fs::permissions(folder, fs::perms::owner_all, failure);
    recording->m_machines = std::move(machines);
    std::set<std::string> names;
    for (const RecordedMachine& machine : recording->m_machines) {
        auto script = std::make_unique<Script>();
        if (!machine.request.host.empty()) {
            names.insert("symbols"); // Folder of the symbols of all machines.
            const std::string name = folderName(machine.facts.host.empty() ? machine.request.host : machine.facts.host);
            script->folder = name;
            for (int i = 2; !names.insert(script->folder).second; ++i)
                script->folder = name + '-' + std::to_string(i);
        }
        const ScriptPlace place = placeOf(machine.request, keepsTerminal);
        const bool needsEnvironment =
            place.elevation != Elevation::None && !machine.request.target.command.empty() && !machine.request.runsCommandAsRoot;
        if (needsEnvironment && !writeEnvironment(folder / ".environment")) {
            fs::remove_all(folder, failure);
            return Error{Error::Kind::Unreadable, "cannot write to " + folder.native()};
        }
        auto process = ScriptProcess::start(place, recordingScript(machine.plan, machine.request, machine.facts, keepsTerminal));
        if (!process) {
            fs::remove_all(folder, failure);
            return process.error();
        }
        script->process = std::move(*process);
        recording->m_scripts.push_back(std::move(script));
    }
    recording->writeDescription(false);
    return recording;
}

Recording::~Recording()
{
    for (const auto& script : m_scripts)
        script->process->closeInput();
    const auto end = std::chrono::steady_clock::now() + CleanupTime;
    for (std::size_t i = 0; i < m_scripts.size(); ++i) {
        Script& script = *m_scripts[i];
        while (!script.hasEnded && std::chrono::steady_clock::now() < end) {
            update();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
}

const RecordingStatus& Recording::update()
{
    for (std::size_t i = 0; i < m_scripts.size(); ++i) {
        Script& script = *m_scripts[i];
        if (script.hasEnded)
            continue;
        if (script.unpacker) {
            finishUnpacking(i);
            continue;
        }
        for (const std::string& line : script.process->readLines())
            readLine(i, line);
        if (script.process->hasOutputEnded() && script.process->exitStatus() >= 0)
            noteEnd(i);
        else if (script.process->exitStatus() >= 0 && !script.hasRecorded) // Killed: other processes may hold its output open.
            noteEnd(i);
    }
    advance();
    return m_status;
}

std::vector<int> Recording::descriptors() const
{
    std::vector<int> descriptors;
    for (const auto& script : m_scripts)
        if (!script->hasEnded && script->process->descriptor() >= 0)
            descriptors.push_back(script->process->descriptor());
    return descriptors;
}

/// Handles a line of the script; see recordingScript() for the words.
void Recording::readLine(std::size_t index, const std::string& line)
{
    Script& script = *m_scripts[index];
    const std::string word = line.substr(0, line.find(' '));
    const std::string rest = line.size() > word.size() ? line.substr(word.size() + 1) : std::string();
    if (word == "ready") {
        script.isReady = true;
    } else if (word == "started") {
        script.hasStarted = true;
    } else if (word == "stopped") {
        script.hasStopped = true;
        script.wasKilled = m_isStopped && numberIn(rest) == 128 + SIGKILL;
        if (const auto status = numberIn(rest); status && !m_isStopped && m_status.exitStatus == 0)
            m_status.exitStatus = script.earlyStatus = static_cast<int>(*status);
    } else if (word == "size") {
        script.bytes = numberIn(rest).value_or(0) * 1024;
        const std::size_t space = rest.find(' ');
        script.lost = space == std::string::npos ? std::nullopt : numberIn(rest.substr(space + 1));
    } else if (word == "saved") {
        m_status.saved.push_back(m_folder / script.folder / rest);
    } else if (word == "unsaved") {
        ++m_status.unsaved;
    } else if (word == "missing") {
        m_status.skippedOptions += static_cast<int>(numberIn(rest).value_or(0));
    } else if (word == "ended") {
        script.hasRecorded = true;
    } else if (word == "failed") {
        script.hasFailed = true;
        fail(index, trimmed(rest));
    } else if (word == "archive" && !script.folder.empty()) {
        script.archive.open(m_folder / (script.folder + ".tar"), std::ios::binary);
        script.process->redirect(
            [&script](std::span<const char> bytes) { script.archive.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
    }
}

void Recording::fail(std::size_t index, const std::string& why)
{
    const std::string& host = m_machines[index].request.host;
    m_status.problem += (m_status.problem.empty() ? "" : "; ") + (host.empty() ? std::string() : host + ": ")
        + (why.empty() ? "the recording failed" : why);
}

/// Starts to unpack the files of a remote machine into its folder. Does not wait: they may be large.
void Recording::startUnpacking(std::size_t index)
{
    Script& script = *m_scripts[index];
    script.archive.close();
    const fs::path folder = m_folder / script.folder;
    std::error_code failure;
    fs::create_directory(folder, failure);
    const std::string command =
        "tar -C " + shellQuoted(folder.native()) + " --no-same-owner --no-same-permissions -xf " + shellQuoted(folder.native() + ".tar");
    auto unpacker = ScriptProcess::start({}, command);
    if (!unpacker) {
        fail(index, unpacker.error().what);
        script.hasEnded = true;
        return;
    }
    script.unpacker = std::move(*unpacker);
    script.unpacker->closeInput();
}

/// If the files of a remote machine are unpacked, puts its symbols beside those of other machines, where they are found.
void Recording::finishUnpacking(std::size_t index)
{
    Script& script = *m_scripts[index];
    script.unpacker->readLines();
    if (script.unpacker->exitStatus() < 0)
        return;
    script.unpacker->readLines();
    script.hasEnded = true;
    const fs::path folder = m_folder / script.folder;
    std::error_code failure;
    fs::remove(folder.native() + ".tar", failure);
    if (script.unpacker->exitStatus() != 0)
        return fail(index, "the files did not arrive completely: " + trimmed(script.unpacker->errors()));
    fs::create_directory(m_folder / "symbols", failure);
    for (fs::directory_iterator it(folder / "symbols", failure); !failure && it != fs::directory_iterator(); it.increment(failure)) {
        std::error_code ignored;
        if (const fs::path target = m_folder / "symbols" / it->path().filename(); !fs::exists(target, ignored))
            fs::rename(it->path(), target, ignored);
    }
    fs::remove_all(folder / "symbols", failure);
}

/// Removes what a killed script has left enabled.
void Recording::removeWhatIsEnabled(std::size_t index)
{
    const RecordedMachine& machine = m_machines[index];
    if (machine.request.host.empty()) {
        std::ifstream file(m_folder / ".recorder");
        pid_t recorder = 0;
        if (file >> recorder && recorder > 1)
            ::kill(recorder, machine.plan.stopSignal == "INT" ? SIGINT : SIGTERM);
    }
    (void)runScript(placeOf(machine.request, m_keepsTerminal), cleanupScript(machine.plan), CleanupTime);
}

void Recording::noteEnd(std::size_t index)
{
    Script& script = *m_scripts[index];
    for (const std::string& line : script.process->readLines())
        readLine(index, line);
    if (script.archive.is_open() && script.hasRecorded)
        return startUnpacking(index);
    script.hasEnded = true;
    if (!script.hasRecorded) {
        if (!script.hasFailed && (script.hasStarted || script.process->exitStatus() >= 128))
            removeWhatIsEnabled(index);
        const bool hasSaidWhy = !m_status.problem.empty();
        if (!hasSaidWhy)
            fail(index, script.isReady ? "the recording was killed" : trimmed(script.process->errors()));
    }
}

void Recording::advance()
{
    const auto all = [&](const auto& property) { return std::ranges::all_of(m_scripts, property); };
    const auto any = [&](const auto& property) { return std::ranges::any_of(m_scripts, property); };
    if (m_status.phase == Phase::Connecting && !m_isStopped && all([](const auto& it) { return it->isReady; })) {
        sendToAll("start");
        m_status.phase = Phase::Recording;
    }
    const bool isOver = all([](const auto& it) { return it->hasEnded; });
    if (m_status.phase == Phase::Connecting && (m_isStopped || any([](const auto& it) { return it->hasEnded; })))
        for (const auto& script : m_scripts) // One machine is not there, so none records.
            script->process->closeInput();
    if (m_status.phase == Phase::Recording) {
        const auto& duration = m_machines.front().request.target.duration;
        if (m_wallBegin == decltype(m_wallBegin)() && any([](const auto& it) { return it->hasStarted; })) {
            m_begin = std::chrono::steady_clock::now();
            m_wallBegin = std::chrono::system_clock::now();
        }
        if (m_wallBegin != decltype(m_wallBegin)())
            m_status.elapsed = std::chrono::steady_clock::now() - m_begin;
        // Tools take time to start and to end, which is not recorded.
        if (duration)
            m_status.elapsed = std::min(m_status.elapsed, *duration);
        // Machines stop together: with the first whose command or tool ended.
        if (m_isStopped || any([](const auto& it) { return it->hasStopped || it->hasEnded; })) {
            if (!m_isStopped)
                stop();
            m_status.phase = Phase::Ending;
        }
        if (duration && !m_isStopped && m_status.elapsed >= *duration && !m_machines.front().request.target.command.empty())
            stop();
    }
    m_status.bytes = 0;
    m_status.lost.reset();
    for (const auto& script : m_scripts) {
        m_status.bytes += script->bytes;
        if (script->lost)
            m_status.lost = m_status.lost.value_or(0) + *script->lost;
    }
    if (!isOver || m_status.phase == Phase::Done || m_status.phase == Phase::Failed)
        return;
    const bool hasFiles = any([](const auto& it) { return it->hasRecorded; });
    m_status.phase = hasFiles ? Phase::Done : Phase::Failed;
    if (!hasFiles && m_status.problem.empty())
        m_status.problem = "it was cancelled";
    if (!hasFiles)
        return discard();
    noteMissingData();
    writeDescription(true);
}

/// Notes as a problem that the tools may not have written everything.
void Recording::noteMissingData()
{
    // Tools that end by the signals of Ctrl+C or of a stop were asked to end.
    const auto isWrong = [](int status) { return status != 0 && status != 128 + SIGINT && status != 128 + SIGTERM; };
    for (std::size_t i = 0; i < m_scripts.size(); ++i)
        if (m_machines[i].request.target.command.empty() && isWrong(m_scripts[i]->earlyStatus))
            fail(i, "the tool ended with status " + std::to_string(m_scripts[i]->earlyStatus) + ", so the recording may be incomplete");
    for (std::size_t i = 0; i < m_scripts.size(); ++i)
        if (m_scripts[i]->wasKilled && m_machines[i].plan.stopSignal == "INT") // Otherwise, the recorder writes nothing.
            fail(i, "the tool was killed, so the recording may be incomplete");
    std::error_code failure;
    if (const auto space = fs::space(m_folder, failure); !failure && space.available < FullDiskBytes)
        m_status.problem += std::string(m_status.problem.empty() ? "" : "; ") + "the disk is full, so the recording may be incomplete";
}

void Recording::measure() { sendToAll("size"); }
void Recording::save() { sendToAll("save"); }

void Recording::stop()
{
    m_isStopped = true;
    sendToAll("stop");
}

void Recording::kill() { sendToAll("kill"); }

void Recording::sendToAll(std::string_view line)
{
    for (std::size_t i = 0; i < m_scripts.size(); ++i) {
        Script& script = *m_scripts[i];
        const bool isRequest = script.hasStarted || line == "start";
        if (script.hasEnded || script.hasStopped || script.hasFailed || (!isRequest && line != "stop"))
            continue;
        // The part of the script that reads requests may have been killed: then only this process can stop the tool.
        if (!script.process->send(line) && line != "size")
            removeWhatIsEnabled(i);
    }
}

void Recording::discard()
{
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
}

void Recording::writeDescription(bool isComplete)
{
    std::string text;
    JsonWriter json(text);
    json.beginObject();
    json.member("version", 1);
    json.member("complete", isComplete);
    json.member("preset", m_machines.front().request.preset.id);
    if (m_wallBegin.time_since_epoch().count() != 0)
        json.member("begin", isoTime(m_wallBegin));
    json.member("duration_ns", std::int64_t(m_status.elapsed.count()));
    json.key("command").beginArray();
    for (const std::string& word : m_machines.front().request.target.command)
        json.value(word);
    json.endArray();
    json.member("exit_status", m_status.exitStatus);
    json.key("machines").beginArray();
    for (std::size_t i = 0; i < m_machines.size(); ++i) {
        const RecordedMachine& machine = m_machines[i];
        const fs::path folder = i < m_scripts.size() ? fs::path(m_scripts[i]->folder) : fs::path();
        json.beginObject();
        json.member("host", machine.facts.host);
        json.member("kernel", machine.facts.kernel);
        json.member("tool", wordOf(machine.plan.tool));
        json.member("tool_version", machine.facts.version(machine.plan.tool));
        json.member("recording", (folder / machine.plan.output).native());
        json.key("commands").beginArray();
        for (const std::string& line : shownCommands(machine.plan, (m_folder / folder).lexically_normal().native()))
            json.value(line);
        json.endArray();
        json.endObject();
    }
    json.endArray();
    json.endObject();
    text += '\n';
    if (const Status saved = saveFile(m_folder / "record.json", text); !saved && m_status.problem.empty())
        m_status.problem = "record.json cannot be written: " + saved.error().what;
}

fs::path newRecordingFolder(const fs::path& parent, const RecordingRequest& request)
{
    const std::string name =
        folderName(request.target.command.empty() ? request.preset.id : fs::path(request.target.command.front()).filename().native());
    for (int i = 1;; ++i) {
        const fs::path folder = parent / (name + (i == 1 ? "" : '-' + std::to_string(i)) + RecordingSuffix);
        std::error_code ignored;
        if (!fs::exists(fs::symlink_status(folder, ignored)))
            return folder;
    }
}

std::string sessionName(const std::string& host)
{
    std::string name = "heliograph-";
    if (!host.empty()) {
        std::array<char, 256> here{};
        ::gethostname(here.data(), here.size() - 1);
        for (const char c : std::string_view(here.data()))
            name += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
        name += '-';
    }
    return name + std::to_string(::getpid());
}

void sweepKilledRecordings() { (void)runScript({}, sweepScript(), CleanupTime); }

} // namespace helio
