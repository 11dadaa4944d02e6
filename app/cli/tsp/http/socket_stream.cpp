#include "app/cli/tsp/http/socket_stream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

namespace helio {
namespace {

constexpr std::size_t PartBytes = 64 << 10; ///< Size of the buffer of a receiving call, in bytes.
constexpr std::size_t MostDroppedBytes = 16 << 20; ///< Maximum number of bytes of a refused request that are read and dropped.
constexpr std::size_t LeastBytesPerMillisecond = 100; ///< Speed at which a client must receive a long response.
constexpr std::chrono::seconds DropTime(2); ///< Time limit for reading the bytes of a refused request.

} // namespace

/// Returns false after the deadline. Requests for the same socket, or its end, are noticed by the following call.
bool SocketStream::waitFor(short events, Clock::time_point deadline) const
{
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0)
            return false;
        pollfd wait{m_socket, events, 0};
        const int count = ::poll(&wait, 1, static_cast<int>(std::min<long>(left + 1, 60'000)));
        if (count > 0 || (count < 0 && errno != EINTR))
            return true;
    }
}

SocketStream::Outcome SocketStream::receive(std::string& buffer, Clock::time_point deadline) const
{
    std::array<char, PartBytes> part;
    for (;;) {
        const ssize_t count = ::recv(m_socket, part.data(), part.size(), 0);
        if (count > 0) {
            buffer.append(part.data(), static_cast<std::size_t>(count));
            return Outcome::Bytes;
        }
        if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            return Outcome::End;
        if (!waitFor(POLLIN, deadline))
            return Outcome::Late;
    }
}

bool SocketStream::send(std::string_view bytes, std::chrono::milliseconds patience) const
{
    const auto deadline = Clock::now() + patience + std::chrono::milliseconds(bytes.size() / LeastBytesPerMillisecond);
    while (!bytes.empty()) {
        const ssize_t count = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count > 0)
            bytes.remove_prefix(static_cast<std::size_t>(count));
        else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            return false;
        else if (errno != EINTR && !waitFor(POLLOUT, std::min(deadline, Clock::now() + patience)))
            return false;
    }
    return true;
}

void SocketStream::finish() const
{
    ::shutdown(m_socket, SHUT_WR);
    // If the socket were closed while it has unread bytes, the kernel would reset the connection, and the response would be lost.
    std::string dropped;
    const auto deadline = Clock::now() + DropTime;
    for (std::size_t bytes = 0; bytes < MostDroppedBytes && receive(dropped, deadline) == Outcome::Bytes; dropped.clear())
        bytes += dropped.size();
    ::shutdown(m_socket, SHUT_RDWR);
}

} // namespace helio
