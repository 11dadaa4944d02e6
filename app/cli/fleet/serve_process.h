#pragma once

#include "app/cli/serve/line_input.h"

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace helio {

/// A process of this program that answers requests: `heliograph serve --stdio`.
/// Threads: stop() from any thread, all else from one.
class ServeProcess {
public:
    /// `errors`: file for its standard error output.
    explicit ServeProcess(std::filesystem::path errors);
    /// Ends the process and waits for its end.
    ~ServeProcess();
    ServeProcess(const ServeProcess&) = delete;
    ServeProcess& operator=(const ServeProcess&) = delete;

    /// Starts the process, unless it runs. It gets no signals from the keyboard, so that after Ctrl+C the caller decides. Returns the
    /// reason if that failed; empty on success, and after stop().
    std::string start();
    /// Sends a request, one line without its end, and passes the lines of the response to `take` until that returns false. Returns true
    /// then, and false if the process ended before, or was not started.
    bool ask(std::string_view request, const std::function<bool(std::string_view line)>& take);
    /// Waits for the end of the process, which a failed ask() found, and forgets it. Returns its exit status; 128 + N if signal N ended it.
    int waitForEnd();
    /// Ends the process in the middle of a response, and waits for its end. The next start() starts another one.
    void end();
    /// Returns the first 4 KiB of what the process wrote to standard error since the call before.
    std::string takeErrors();

    /// Ends the process with SIGTERM, and lets no other one start.
    void stop();

private:
    bool send(std::string_view text);

    std::filesystem::path m_errors;
    int m_socket = -1; ///< Standard input and output of the process; -1 if none runs.
    std::optional<LineInput> m_responses;
    std::mutex m_mutex; ///< Guards the members below.
    pid_t m_process = 0; ///< 0 if none runs.
    bool m_isStopped = false;
};

} // namespace helio
