#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <sys/types.h>
#include <vector>

namespace helio {

/// A program of Heliograph that calls a third-party library in a process of its own.
struct HelperProgram {
    const char* file; ///< File name of the program, for example "heliograph-babeltrace2".
    const char* library; ///< Name of the library in error messages, for example "babeltrace2".
    std::uint64_t mostMessageBytes = std::uint64_t{64} << 20; ///< Maximum size in bytes of a message from the program.
};

/// Header of each message between Heliograph and a helper process. It is sent as it is in memory, because both programs are from the same
/// build and run on the same machine.
struct MessageHeader {
    std::uint64_t bytes = 0; ///< Size of the message in bytes without this header.
    std::uint8_t kind = 0; ///< Kind of the message; each helper program has its own kinds.
};

/// Limits of the helper process.
struct ProcessLimits {
    unsigned cpuSeconds = 20; ///< Maximum CPU time of the process from one message to the next, in seconds.
    std::chrono::milliseconds silence =
        std::chrono::seconds(60); ///< Time without a complete message after which the process counts as hung.
};

constexpr int OtherVersionExit = 3; ///< Exit code of a helper program that belongs to another version of Heliograph.
constexpr int FirstFile = 3; ///< First descriptor that a helper program gets besides its standard input, output and error.

/// Returns the libraries whose helper programs this process has started, in alphabetical order, for example "libarchive".
/// Threads: any.
std::vector<std::string> usedLibraries();

/// A running helper program. If its library crashes or hangs, only the helper program is affected, not this process.
///
/// Threads: to be used by one thread at a time.
/// Ownership: the destructor kills the process.
class HelperProcess {
public:
    /// Finds the helper program in the folder of the running program or in an installation folder beside it, and starts it. The standard
    /// input and output of the helper program are a socket for messages. Its first arguments are ProcessLimits::cpuSeconds and Heliograph's
    /// version. The open files `files` are copied to the descriptors FirstFile, FirstFile + 1 and so on; no other file stays open in it.
    /// Errors: Unsupported if the helper program is not installed.
    static Result<std::unique_ptr<HelperProcess>> start(const HelperProgram& program, std::vector<std::string> arguments,
                                                        ProcessLimits limits, std::span<const int> files = {});
    ~HelperProcess();
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    struct Message {
        std::uint8_t kind = 0;
        std::span<const std::byte> bytes; ///< Content of the message; valid until the next read().
    };
    /// Returns the next message; nullopt if none arrives within about 50 ms.
    /// Errors: the process hangs, died, or sent an invalid message.
    Result<std::optional<Message>> read();

    /// Waits for the next message.
    /// Errors: those of read(); Cancelled soon after a stop was requested.
    Result<Message> wait(const std::stop_token& stop = {});

    /// Appends a message to those that the next read() sends. If the process has ended, that read() says so.
    void write(std::uint8_t kind, std::span<const std::byte> bytes);

private:
    HelperProcess(const HelperProgram& program, pid_t id, int socket, ProcessLimits limits)
        : m_program(program)
        , m_id(id)
        , m_socket(socket)
        , m_limits(limits)
    {
    }
    void flush();
    bool fill();
    Error hung() const;
    Error died();

    using SteadyClock = std::chrono::steady_clock;

    const HelperProgram m_program;
    pid_t m_id; ///< Id of the process; 0 once the process has ended.
    int m_socket;
    ProcessLimits m_limits;
    bool m_isWaiting = false; ///< True if read() was called, but the message has not arrived yet.
    SteadyClock::time_point m_waitsSince; ///< Time since which the next message is awaited; valid if m_isWaiting is true.
    std::vector<std::byte> m_outgoing; ///< Messages that were written, but not sent yet.
    std::vector<std::byte> m_bytes; ///< Buffer for bytes that were read from the socket.
    std::size_t m_size = 0; ///< Number of bytes in m_bytes that were read from the socket.
    std::size_t m_used = 0; ///< Number of bytes at the start of m_bytes that read() has returned.
};

} // namespace helio
