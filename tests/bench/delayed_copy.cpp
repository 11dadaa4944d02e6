// heliograph_delayed_copy MILLISECONDS: copies standard input to standard output, each byte MILLISECONDS later, like a network with a delay
// and any bandwidth.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <poll.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

struct Packet {
    Clock::time_point due;
    std::string bytes;
};

bool writeAll(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

int millisecondsTo(Clock::time_point due)
{
    return std::max(0, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now()).count()));
}

} // namespace

int main(int argc, char** argv)
{
    const std::chrono::milliseconds delay(argc > 1 ? std::atoi(argv[1]) : 0);
    std::deque<Packet> packets;
    static std::array<char, 1 << 16> buffer;
    bool isAtEnd = false;
    while (!isAtEnd || !packets.empty()) {
        pollfd input{isAtEnd ? -1 : STDIN_FILENO, POLLIN, 0};
        ::poll(&input, 1, packets.empty() ? -1 : millisecondsTo(packets.front().due));
        if (input.revents != 0) {
            const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
            if (got > 0)
                packets.push_back({Clock::now() + delay, std::string(buffer.data(), static_cast<std::size_t>(got))});
            else
                isAtEnd = true;
        }
        for (; !packets.empty() && packets.front().due <= Clock::now(); packets.pop_front())
            if (!writeAll(packets.front().bytes))
                return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
