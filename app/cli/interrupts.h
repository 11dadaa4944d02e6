#pragma once

#include "core/base/task_stop.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <thread>

namespace helio {

/// Catches signals that ask the program to end, as long as it exists, so that the program goes on.
///
/// A signal handler may do hardly anything, so it only writes to a pipe.
/// Threads: one object at a time in a process, used by one thread.
class Interrupts {
public:
    enum class Kind : std::uint8_t {
        Each, ///< SIGINT (Ctrl-C), each time.
        Always, ///< SIGINT, SIGTERM and SIGHUP, each time.
        First, ///< The first SIGINT, SIGTERM and SIGHUP; a second one of the same kind ends the program at once.
    };
    explicit Interrupts(Kind kind);
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    int descriptor() const; ///< Readable after a signal that was not taken; -1 if there is no pipe.
    bool take(); ///< Forgets the signals so far. Returns true if there was one.
    static int first(); ///< Number of the first signal, for example SIGINT; 0 before it.
    /// Returns the exit status of a command that failed: 128 + N after signal N, as shells have it; else `status`.
    static int exitStatusOr(int status) { return first() != 0 ? 128 + first() : status; }

private:
    std::size_t m_signals; ///< Number of the signals that are caught.
};

/// Requests a stop after a signal, as long as the object exists. Its token is that of the thread's task.
/// Threads: to be used by the thread that made it.
class StopAtInterrupt {
public:
    explicit StopAtInterrupt(Interrupts& interrupts);
    ~StopAtInterrupt();
    StopAtInterrupt(const StopAtInterrupt&) = delete;
    StopAtInterrupt& operator=(const StopAtInterrupt&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    TaskStop m_task{m_stop.get_token()};
    int m_end = -1; ///< Descriptor of an event that ends the wait for a signal; -1 if there is none.
    std::thread m_waiter; ///< Waits for a signal; not started if that is impossible.
};

} // namespace helio
