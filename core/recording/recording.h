#pragma once

#include "core/base/time.h"
#include "core/recording/checks.h"
#include "core/recording/plan.h"
#include "core/remote/script_process.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// One machine of a recording, ready to record.
struct RecordedMachine {
    RecordingRequest request;
    MachineFacts facts;
    RecordingPlan plan;
};

/// Asks a machine for its facts, here or over ssh.
/// Errors: the machine cannot be reached, or has no POSIX shell.
/// Cost: about 50 ms on this machine; up to 30 s for another one.
Result<RecordedMachine> inspectMachine(RecordingRequest request, bool keepsTerminal, const std::stop_token& stop = {});

/// Progress of a recording.
struct RecordingStatus {
    enum class Phase {
        Connecting, ///< The machines are getting ready.
        Recording,
        Ending, ///< The tools write what they have, and symbols are saved.
        Done,
        Failed, ///< Nothing was recorded; `problem` says why.
    };
    Phase phase = Phase::Connecting;
    Duration elapsed{}; ///< Time since the first tool started, at most the chosen duration; stands still after the end.
    std::int64_t bytes = 0; ///< Size of the recording so far, as last measured.
    std::optional<std::int64_t> lost; ///< Number of lost events as last measured; nullopt if the tools say it only at the end.
    std::vector<std::filesystem::path> saved; ///< Snapshots of a ring buffer, in the order in which they were saved.
    int unsaved = 0; ///< Number of requests to save the ring buffer that failed.
    int skippedOptions = 0; ///< Number of events and options that the tools refused, so that the recording lacks them.
    int exitStatus = 0; ///< Exit status of the recorded command or of the tool, if the recording ended by itself.
    std::string problem; ///< Reason for Phase::Failed, or for which data may be missing; a clause, empty if there is none.
};

/// A recording that is being made on one machine or several, into one folder NAME.heliotrace. On Done, the folder contains the recorded
/// files, for several machines in a folder each, the folder "symbols", and record.json, which describes the recording.
///
/// Nothing stays enabled however the recording ends: a script on each machine removes everything when this process ends
/// (recordingScript()), and this object does when the script is killed. Threads: to be used by one thread.
class Recording {
public:
    /// Creates the folder and starts the scripts. `keepsTerminal`: see ScriptPlace.
    /// Errors: Usage if the folder exists; Unreadable if the folder or a script cannot be made.
    static Result<std::unique_ptr<Recording>> start(std::vector<RecordedMachine> machines, bool keepsTerminal);
    /// Stops the recording, as if the program were killed, and waits up to 10 s for the scripts.
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    /// Handles what the scripts have printed, and returns the state of the recording. Does not wait.
    const RecordingStatus& update();
    /// Returns the descriptors that are readable when update() has something to do.
    std::vector<int> descriptors() const;
    void measure(); ///< Asks for the size and losses so far; update() notes the answers.
    void save(); ///< Saves the content of the ring buffers; update() notes the result.
    void stop(); ///< Ends the recording; the folder is complete when the phase is Done.
    void kill(); ///< Kills the tools, for tools that do not end after stop().

    const std::filesystem::path& folder() const { return m_folder; }
    const std::vector<RecordedMachine>& machines() const { return m_machines; }
    /// Removes the folder with everything in it. Requires: the phase is Done or Failed.
    void discard();

private:
    struct Script;

    Recording() = default;
    void readLine(std::size_t index, const std::string& line);
    void noteEnd(std::size_t index);
    void removeWhatIsEnabled(std::size_t index);
    void advance();
    void fail(std::size_t index, const std::string& why);
    void startUnpacking(std::size_t index);
    void finishUnpacking(std::size_t index);
    void noteMissingData();
    void writeDescription(bool isComplete);
    void sendToAll(std::string_view line);

    std::filesystem::path m_folder;
    std::vector<RecordedMachine> m_machines;
    std::vector<std::unique_ptr<Script>> m_scripts; ///< Script of each machine.
    bool m_keepsTerminal = false;
    bool m_isStopped = false; ///< True after stop().
    RecordingStatus m_status;
    std::chrono::steady_clock::time_point m_begin{}; ///< Begin of the recording, when the first tool started.
    std::chrono::system_clock::time_point m_wallBegin{};
};

/// Ending of the names of recordings' folders.
inline constexpr const char* RecordingSuffix = ".heliotrace";

/// Returns a folder for a new recording that does not exist: `parent`/NAME.heliotrace, where NAME is the recorded command or the preset,
/// and a number if needed.
std::filesystem::path newRecordingFolder(const std::filesystem::path& parent, const RecordingRequest& request);

/// Returns the name of this process's tracing sessions: "heliograph-PID". On another machine, where the process does not exist, it is
/// "heliograph-HERE-PID", which sweepScript() leaves alone; HERE is the name of this machine.
std::string sessionName(const std::string& host = {});

/// Removes what killed recordings have left behind on this machine; see sweepScript().
void sweepKilledRecordings();

} // namespace helio
