#include "app/cli/recording/run_recording.h"

#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/output/output.h"
#include "app/cli/selection/open_experiment.h"
#include "core/base/utf8.h"
#include "core/recording/dump_socket.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace helio {
namespace {

using Phase = RecordingStatus::Phase;
using SteadyClock = std::chrono::steady_clock;

constexpr int PollMilliseconds = 200;
constexpr auto MeasureInterval = std::chrono::seconds(1);

const char* markOf(RecordingCheck::Outcome outcome)
{
    switch (outcome) {
    case RecordingCheck::Outcome::Passed: return "ok";
    case RecordingCheck::Outcome::Warning: return "warning";
    case RecordingCheck::Outcome::Failed: return "FAILED";
    }
    return "";
}

/// Progress of a recording on the terminal: one line that is written again and again.
class ProgressDisplay {
public:
    explicit ProgressDisplay(bool isShown)
        : m_isShown(isShown && ::isatty(STDERR_FILENO) != 0)
    {
    }
    ~ProgressDisplay() { clear(); }
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;

    void show(const RecordingStatus& status)
    {
        if (!m_isShown)
            return;
        const double seconds = static_cast<double>(status.elapsed.count()) / 1e9;
        std::string line = fmt::format("\r{:02}:{:04.1f}  {}", int(seconds) / 60, seconds - 60 * (int(seconds) / 60),
                                       bytesText(static_cast<double>(status.bytes)));
        if (seconds >= 1)
            line += fmt::format("  {}/s", bytesText(static_cast<double>(status.bytes) / seconds));
        if (status.lost)
            line += fmt::format("  {} events lost", *status.lost);
        if (status.phase == Phase::Ending)
            line += "  ending...";
        line += "\x1b[K";
        std::fwrite(line.data(), 1, line.size(), stderr);
        m_hasLine = true;
    }
    void clear()
    {
        if (m_hasLine)
            std::fputs("\r\x1b[K", stderr);
        m_hasLine = false;
    }

private:
    bool m_isShown;
    bool m_hasLine = false;
};

void printSaved(const std::filesystem::path& path)
{
    Output output;
    output.buffer() += "Saved ";
    appendPrintable(output.buffer(), path.native());
    output.buffer() += '\n';
}

/// Waits until a script, a signal, the user or another process has something to say.
/// Returns true if the user pressed Enter.
bool waitForNews(const Recording& recording, const Interrupts& interrupts, const DumpSocket* dumps, bool readsKeys)
{
    std::vector<pollfd> descriptors;
    for (const int descriptor : recording.descriptors())
        descriptors.push_back({descriptor, POLLIN, 0});
    descriptors.push_back({interrupts.descriptor(), POLLIN, 0});
    if (dumps)
        descriptors.push_back({dumps->descriptor(), POLLIN, 0});
    if (readsKeys)
        descriptors.push_back({STDIN_FILENO, POLLIN, 0});
    ::poll(descriptors.data(), descriptors.size(), PollMilliseconds);
    if (!readsKeys || descriptors.back().revents == 0)
        return false;
    std::array<char, 256> line{};
    return ::read(STDIN_FILENO, line.data(), line.size()) > 0;
}

/// Prints how the recording ended. Returns the exit status.
int reportEnd(const Recording& recording, const RecordingStatus& status, bool hasCommand, bool isQuiet)
{
    if (!status.problem.empty())
        warn(status.problem);
    if (status.phase == Phase::Failed)
        return ExitInput;
    if (status.skippedOptions > 0)
        warn(fmt::format("the tools refused {} events or options; {} says which", status.skippedOptions,
                         (recording.folder() / "record.log").native()));
    if (hasCommand && status.exitStatus != 0)
        warn(fmt::format("the command ended with status {}", status.exitStatus));
    if (!isQuiet) {
        Output output;
        output.buffer() += "Recorded ";
        appendPrintable(output.buffer(), recording.folder().native());
        output.buffer() += fmt::format(" ({:.1f} s)\n", static_cast<double>(status.elapsed.count()) / 1e9);
    }
    return status.problem.empty() ? ExitDone : ExitInput;
}

} // namespace

void printRecordingPlan(const std::vector<RecordedMachine>& machines)
{
    Output output;
    std::string& out = output.buffer();
    for (const RecordedMachine& machine : machines) {
        const RecordingRequest& request = machine.request;
        out += fmt::format("{}{} with {} {}\n", request.host.empty() ? "" : request.host + ": ", request.preset.title,
                           wordOf(machine.plan.tool), machine.facts.version(machine.plan.tool));
        for (const RecordingCheck& check : checkRecording(request, machine.facts, machine.plan)) {
            out += fmt::format("  {:<8} ", markOf(check.outcome));
            appendPrintable(out, check.title + (check.detail.empty() ? "" : ": " + check.detail));
            out += '\n';
            if (check.outcome != RecordingCheck::Outcome::Passed && !check.remedy.empty()) {
                out += "           ";
                appendPrintable(out, check.remedy);
                out += '\n';
            }
        }
        out += "\nCommands:\n";
        for (const std::string& line : shownCommands(machine.plan, request.host.empty() ? request.folder.native() : "FOLDER")) {
            out += "  ";
            appendPrintable(out, line);
            out += '\n';
        }
        const double rate = expectedBytesPerSecond(request.preset, machine.facts);
        if (rate > 0)
            out += fmt::format("\nExpected if all CPUs are busy: about {}/s\n", bytesText(rate));
    }
}

int runRecording(std::vector<RecordedMachine> machines, bool isQuiet, std::filesystem::path& result)
{
    const RecordingRequest request = machines.front().request;
    const bool isRing = request.preset.isRing;
    const bool hasCommand = !request.target.command.empty();
    Interrupts interrupts(Interrupts::Kind::Always);
    std::unique_ptr<DumpSocket> dumps;
    if (isRing) {
        auto opened = DumpSocket::open();
        opened ? void(dumps = std::move(*opened)) : warn("record --dump will not work: " + opened.error().what);
    }
    auto started = Recording::start(std::move(machines), true);
    if (!started)
        return failWith(started.error());
    Recording& recording = **started;
    ProgressDisplay display(!isQuiet && !hasCommand); // The terminal belongs to the command.
    const bool readsKeys = isRing && !hasCommand && ::isatty(STDIN_FILENO) != 0;
    if (!isQuiet && isRing)
        std::fputs(readsKeys ? "Recording into a ring buffer. Press Enter to save it, Ctrl+C to stop.\n"
                             : "Recording into a ring buffer. Save it with heliograph record --dump.\n",
                   stderr);
    auto measured = SteadyClock::now();
    std::size_t saved = 0;
    int unsaved = 0;
    int stops = 0;
    for (;;) {
        const RecordingStatus& status = recording.update();
        if (status.saved.size() > saved || status.unsaved > unsaved)
            display.clear();
        for (; saved < status.saved.size(); ++saved) {
            printSaved(status.saved[saved]);
            if (dumps)
                dumps->answer(status.saved[saved].native());
        }
        for (; unsaved < status.unsaved; ++unsaved) {
            warn("the ring buffer could not be saved; record.log says why");
            if (dumps)
                dumps->answer("error: the ring buffer could not be saved");
        }
        if (status.phase == Phase::Done || status.phase == Phase::Failed)
            break;
        display.show(status);
        if (waitForNews(recording, interrupts, dumps.get(), readsKeys))
            recording.save();
        if (dumps && dumps->takeRequest())
            recording.save();
        if (interrupts.take())
            ++stops == 1 ? recording.stop() : recording.kill();
        if (SteadyClock::now() - measured >= MeasureInterval) {
            measured = SteadyClock::now();
            recording.measure();
        }
    }
    display.clear();
    const RecordingStatus status = recording.update();
    result = isRing && !status.saved.empty() ? status.saved.back() : recording.folder();
    return reportEnd(recording, status, hasCommand, isQuiet);
}

} // namespace helio
