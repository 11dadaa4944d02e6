#pragma once

#include "core/base/time.h"
#include "core/recording/machine.h"
#include "core/recording/preset.h"
#include "core/remote/script_process.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// Target of a recording, and its duration.
struct RecordingTarget {
    std::vector<std::string> command{}; ///< Program and its arguments; empty to record the machine or `process`.
    std::filesystem::path workingFolder{}; ///< Absolute folder in which the command runs.
    std::optional<std::int64_t> process{}; ///< ID of a running process to record; only perf can do that.
    std::optional<Duration> duration{}; ///< Time after which the recording ends; nullopt to end with the command, or on request.
};

constexpr unsigned DefaultBuffer = 8; ///< Size of a tool's buffer of each CPU in MiB.

/// Choices of the user for a recording on one machine.
struct RecordingRequest {
    RecordingPreset preset;
    RecordingTarget target{};
    std::optional<RecordingTool> tool{}; ///< Tool to use; nullopt to let chooseTool() choose.
    unsigned buffer = DefaultBuffer; ///< Size of the tool's buffer of each CPU in MiB, a power of 2 from 1 to 1024.
    Elevation elevation = Elevation::None;
    bool runsCommandAsRoot = false; ///< With `elevation`: true if root runs the command, too; false if the user runs it.
    std::string host{}; ///< Machine to record over ssh, e.g. "user@db1"; empty for this machine.
    std::filesystem::path folder{}; ///< Absolute path of the recording's folder on this machine, NAME.heliotrace.
    std::string session{}; ///< Name of the tracer's session, e.g. "heliograph-1234"; letters, digits and "-".
};

/// Returns the tool for a request: the user's choice, else the preset's first tool that can record on this machine. If no tool can, its
/// first installed tool, else its first tool; checkRecording() then names the missing tool or privilege.
RecordingTool chooseTool(const RecordingRequest& request, const MachineFacts& facts);

/// Commands of a recording, in the order in which they run. All are lines for a POSIX shell in which $folder is the recording's folder.
struct RecordingPlan {
    RecordingTool tool = RecordingTool::Perf;
    std::vector<std::string> preparations; ///< Run before the recording. If one fails, there is no recording.
    std::vector<std::string> options; ///< Run after `preparations`. If one fails, the recording goes on with less content.
    std::string starter; ///< Starts the tracer; empty if `recorder` does.
    /// Runs as long as the recording: the tool, the recorded command, or a sleep.
    std::string recorder;
    std::string stopSignal; ///< Signal that ends `recorder`: "INT" or "TERM".
    std::vector<std::string> endings; ///< Run after the recording, also if it failed. Remove everything that is still enabled.
    std::string saver; ///< Saves the content of a ring buffer while it records; empty if there is no ring.
    std::string lossCounter; ///< Prints the number of lost events so far; empty if the tool says it only at the end.
    std::string output; ///< Recorded file or folder, relative to the recording's folder, e.g. "perf.data".
    std::vector<std::string> events; ///< Names of the recorded events.
    std::vector<std::string> missingEvents; ///< Events of the preset that the kernel does not have.
};

/// Plans a recording.
/// Requires: request.target fits the preset, as checkRecording() says.
RecordingPlan planRecording(const RecordingRequest& request, const MachineFacts& facts);

/// Returns the commands of a plan as the user would type them, with `folder` in place of $folder.
std::vector<std::string> shownCommands(const RecordingPlan& plan, const std::string& folder);

/// Returns the shell script that runs a plan. It reads requests from its standard input and answers on its standard output, one line each;
/// see Recorder. When its standard input ends, because Heliograph was closed or killed, the script stops the recording and removes
/// everything that was enabled. If the script is killed, the part of it that reads the requests does the same.
/// @param keepsTerminal True if the command uses the terminal of Heliograph; see ScriptPlace.
std::string recordingScript(const RecordingPlan& plan, const RecordingRequest& request, const MachineFacts& facts, bool keepsTerminal);

/// Returns the shell script that removes what a recording has enabled, for a recording whose script was killed.
std::string cleanupScript(const RecordingPlan& plan);

/// Returns the shell script that removes the sessions of recordings that were killed together with their scripts: those named
/// heliograph-PID where no process PID exists.
std::string sweepScript();

} // namespace helio
