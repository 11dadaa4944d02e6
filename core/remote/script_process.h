#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace helio {

/// Program by which a script gets the privileges of root.
enum class Elevation : std::uint8_t { None, Sudo, Pkexec };

/// Machine on which a script runs, and its privileges.
struct ScriptPlace {
    std::string host{}; ///< Machine to reach with ssh; empty for this machine.
    Elevation elevation = Elevation::None;
    /// True if the programs of the script share the terminal of this process: its standard input and output are the script's descriptors 5
    /// and 6, and ssh may ask questions. False for windows, where nothing can be asked.
    bool keepsTerminal = false;
};

/// A shell that runs a script: here, as root, or on another machine. The script is sent through the standard input of the shell, so that it
/// does not appear in lists of processes; what the caller sends later follows it.
///
/// Threads: to be used by one thread at a time.
/// Ownership: the destructor closes the standard input of the script, by which scripts notice that they must end, and does not wait.
class ScriptProcess {
public:
    /// Errors: Unreadable if the shell, ssh, sudo or pkexec cannot be started.
    static Result<std::unique_ptr<ScriptProcess>> start(const ScriptPlace& place, const std::string& script);
    ~ScriptProcess();
    ScriptProcess(const ScriptProcess&) = delete;
    ScriptProcess& operator=(const ScriptProcess&) = delete;

    int descriptor() const { return m_output; } ///< Readable if there is output; -1 after the end of the output.

    /// Returns the lines that the script has printed since the last call, without their ends. Does not wait. A last line without an end is
    /// returned when the output ends.
    std::vector<std::string> readLines();
    /// From now on, passes the output to `take` instead of readLines(), beginning with what was read after the last returned line.
    void redirect(std::function<void(std::span<const char>)> take);
    bool hasOutputEnded() const { return m_output < 0; }

    /// Sends a line. Does not wait. Returns false if the script reads no more, or has not read what was sent for minutes.
    bool send(std::string_view line);
    /// Sends as much of `text` as the script can take now. Returns the number of bytes; nullopt if the script reads no more.
    std::optional<std::size_t> sendSome(std::string_view text);
    int inputDescriptor() const { return m_input; } ///< Writable if the script can take more; -1 after closeInput().
    void closeInput(); ///< Ends the standard input of the script.

    /// Returns the exit status of the shell, 128 + N if signal N killed it, or -1 if it runs. Does not wait.
    int exitStatus();
    std::string errors() const; ///< Last part of the standard error output, if ScriptPlace::keepsTerminal is false; at most 4 KiB.

private:
    ScriptProcess() = default;
    void readErrors();
    std::string lastErrors();

    pid_t m_id = 0; ///< Process ID of the shell; 0 once it has ended.
    int m_status = -1;
    int m_input = -1;
    int m_output = -1;
    int m_errors = -1; ///< Descriptor of the script's standard error output; -1 if it is not read.
    std::string m_text; ///< Output that was read, but not returned.
    std::string m_errorText;
    std::function<void(std::span<const char>)> m_take;
};

/// Runs a script and returns its output.
/// Errors: the shell cannot be started, does not end in `most`, or ends with another status than 0; Cancelled.
Result<std::string> runScript(const ScriptPlace& place, const std::string& script, std::chrono::milliseconds most,
                              const std::stop_token& stop = {});

} // namespace helio
