#pragma once

#include <array>
#include <stop_token>
#include <thread>

namespace helio {

/// Turns the first SIGINT or SIGTERM during its lifetime into a stop request, so that a command can remove what it has written partly. The
/// second signal ends the program at once.
/// Threads: only one object at a time.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }
    /// Returns the signal that came, or 0.
    int signal() const;

private:
    std::stop_source m_stop;
    std::array<int, 2> m_pipe{-1, -1}; ///< Ends of the pipe through which the signal handler wakes m_thread.
    std::jthread m_thread;
};

} // namespace helio
