#include "app/cli/prompt/interrupts.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace helio {
namespace {

std::array<int, 2> s_pipe{-1, -1};
struct sigaction s_previous { };

void onInterrupt(int)
{
    const int problem = errno;
    [[maybe_unused]] const auto written = ::write(s_pipe[1], "", 1);
    errno = problem;
}

} // namespace

Interrupts::Interrupts()
{
    if (::pipe2(s_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        s_pipe = {-1, -1};
        return;
    }
    struct sigaction action { };
    action.sa_handler = onInterrupt;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGINT, &action, &s_previous);
}

Interrupts::~Interrupts()
{
    if (s_pipe[0] < 0)
        return;
    ::sigaction(SIGINT, &s_previous, nullptr);
    for (int& end : s_pipe) {
        ::close(end);
        end = -1;
    }
}

int Interrupts::descriptor() const { return s_pipe[0]; }

bool Interrupts::take()
{
    bool was = false;
    std::array<char, 64> bytes{};
    while (s_pipe[0] >= 0 && ::read(s_pipe[0], bytes.data(), bytes.size()) > 0)
        was = true;
    return was;
}

StopAtInterrupt::StopAtInterrupt(Interrupts& interrupts)
{
    interrupts.take();
    m_waiter = std::jthread([this, descriptor = interrupts.descriptor()](const std::stop_token& isOver) {
        constexpr int MillisecondsBetweenChecks = 50;
        pollfd wait{descriptor, POLLIN, 0};
        while (descriptor >= 0 && !isOver.stop_requested())
            if (::poll(&wait, 1, MillisecondsBetweenChecks) > 0) {
                m_stop.request_stop();
                return;
            }
    });
}

StopAtInterrupt::~StopAtInterrupt() = default;

} // namespace helio
