#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace helio {

/// Bytes of a connected socket, with time limits.
/// Ownership: the descriptor stays the caller's. It must not block (O_NONBLOCK).
/// Threads: to be used by one thread. Another thread may call ::shutdown() on the descriptor, which ends all waiting.
class SocketStream {
public:
    using Clock = std::chrono::steady_clock;

    explicit SocketStream(int socket)
        : m_socket(socket)
    {
    }

    enum class Outcome {
        Bytes, ///< Bytes were received.
        End, ///< The client has closed the connection, or the connection has failed.
        Late, ///< The time limit has passed.
    };
    /// Waits for bytes and appends them to `buffer`, at most 64 KiB.
    Outcome receive(std::string& buffer, Clock::time_point deadline) const;
    /// Sends all bytes. Returns false if the connection has failed, if the client received nothing for the time `patience`, or if it has
    /// not received all bytes after that time and 10 s for each MB.
    bool send(std::string_view bytes, std::chrono::milliseconds patience) const;
    /// Ends the connection such that the client can still read the last response, although not all of its request was received.
    void finish() const;

private:
    bool waitFor(short events, Clock::time_point deadline) const;

    int m_socket;
};

} // namespace helio
