#pragma once

#include "core/base/result.h"
#include "core/formats/ctf/foreign/foreign_wire.h"

#include <chrono>
#include <memory>
#include <sys/types.h>

namespace helio::foreign {

/// What a foreign reader gets, to be sure that it ends.
struct Limits {
    unsigned cpuSeconds = 20; ///< From one message to the next.
    std::chrono::milliseconds silence = std::chrono::seconds(60); ///< Without a word from it.
};

/// heliograph-babeltrace2 at work: a program of its own, so that what the library does with hostile input harms nobody.
///
/// Threads: one at a time. Ends the program when it goes.
class Process {
public:
    /// Looks for the program beside this one, and where it is installed. Errors: Unsupported where it is not there.
    static Result<std::unique_ptr<Process>> start(std::vector<std::string> arguments, Limits limits);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    struct Message {
        Kind kind = Kind::Failure;
        std::span<const std::byte> bytes; ///< Valid until the next read().
    };
    /// The next message; none where it has not come after some 50 ms. Errors: it hangs, died, or says what makes no sense.
    Result<std::optional<Message>> read();

private:
    Process(pid_t id, int pipe, Limits limits)
        : m_id(id)
        , m_pipe(pipe)
        , m_limits(limits)
    {
    }
    bool fill();
    Error hung() const;
    Error died();

    using SteadyClock = std::chrono::steady_clock;

    pid_t m_id; ///< 0: it is gone.
    int m_pipe;
    Limits m_limits;
    SteadyClock::time_point m_heard = SteadyClock::now();
    std::vector<std::byte> m_bytes; ///< Read, the first m_used of them handed out.
    std::size_t m_size = 0;
    std::size_t m_used = 0;
};

} // namespace helio::foreign
