#pragma once

#include "core/base/result.h"
#include "core/formats/ctf/foreign/foreign_wire.h"

#include <chrono>
#include <memory>
#include <sys/types.h>

namespace helio::foreign {

/// Limits of the helper process, so that it always ends.
struct ProcessLimits {
    unsigned cpuSeconds = 20; ///< Maximum CPU time of the process from one message to the next, in seconds.
    std::chrono::milliseconds silence = std::chrono::seconds(60); ///< Time without output after which the process counts as hung.
};

/// A running heliograph-babeltrace2 process. libbabeltrace2 runs in a separate process, so that hostile input cannot harm this process.
///
/// Threads: to be used by one thread at a time.
/// Ownership: the destructor kills the process.
class HelperProcess {
public:
    /// Finds the program in this program's folder or in the installation folder, and starts it.
    /// Errors: Unsupported if it is not installed.
    static Result<std::unique_ptr<HelperProcess>> start(std::vector<std::string> arguments, ProcessLimits limits);
    ~HelperProcess();
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    struct Message {
        WireMessageKind kind = WireMessageKind::Failure;
        std::span<const std::byte> bytes; ///< Content of the message; valid until the next read().
    };
    /// Returns the next message; nullopt if none arrives within about 50 ms.
    /// Errors: the process hangs, died, or sent an invalid message.
    Result<std::optional<Message>> read();

private:
    HelperProcess(pid_t id, int pipe, ProcessLimits limits)
        : m_id(id)
        , m_pipe(pipe)
        , m_limits(limits)
    {
    }
    bool fill();
    Error hung() const;
    Error died();

    using SteadyClock = std::chrono::steady_clock;

    pid_t m_id; ///< Id of the process; 0 once the process has ended.
    int m_pipe;
    ProcessLimits m_limits;
    SteadyClock::time_point m_heard = SteadyClock::now(); ///< Time of the last output of the process.
    std::vector<std::byte> m_bytes; ///< Buffer for bytes that were read from the process's pipe.
    std::size_t m_size = 0; ///< Number of bytes in m_bytes that were read from the pipe.
    std::size_t m_used = 0; ///< Number of bytes at the start of m_bytes that read() has returned.
};

} // namespace helio::foreign
