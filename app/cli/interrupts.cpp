#include "app/cli/interrupts.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace helio {
namespace {

std::array<int, 2> s_pipe{-1, -1};
volatile std::sig_atomic_t s_first = 0;

constexpr std::array Signals{SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, Signals.size()> s_previous{};

void onInterrupt(int signal)
{
    const int problem = errno;
    if (s_first == 0)
        s_first = signal;
    [[maybe_unused]] const auto written = ::write(s_pipe[1], "", 1);
    errno = problem;
}

} // namespace

Interrupts::Interrupts(Kind kind)
    : m_signals(kind == Kind::Each ? 1 : Signals.size())
{
    s_first = 0;
    if (::pipe2(s_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        s_pipe = {-1, -1};
        return;
    }
    struct sigaction action { };
    action.sa_handler = onInterrupt;
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(kind == Kind::First ? SA_RESTART | SA_RESETHAND : SA_RESTART);
    for (std::size_t i = 0; i < m_signals; ++i)
        if (::sigaction(Signals[i], &action, &s_previous[i]) == 0 && s_previous[i].sa_handler == SIG_IGN) // E.g. by nohup.
            ::sigaction(Signals[i], &s_previous[i], nullptr);
}

Interrupts::~Interrupts()
{
    if (s_pipe[0] < 0)
        return;
    for (std::size_t i = 0; i < m_signals; ++i)
        ::sigaction(Signals[i], &s_previous[i], nullptr);
    for (int& end : s_pipe) {
        ::close(end);
        end = -1;
    }
}

int Interrupts::first() { return s_first; }

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
    m_end = ::eventfd(0, EFD_CLOEXEC);
    if (m_end < 0 || interrupts.descriptor() < 0)
        return;
    try {
        m_waiter = std::thread([this, descriptor = interrupts.descriptor()] {
            std::array<pollfd, 2> wait{pollfd{descriptor, POLLIN, 0}, pollfd{m_end, POLLIN, 0}};
            while (::poll(wait.data(), wait.size(), -1) < 0 && errno == EINTR) { }
            if (wait[0].revents != 0)
                m_stop.request_stop();
        });
    } catch (const std::exception&) {
        // Without a thread, the work goes on to its end.
    }
}

StopAtInterrupt::~StopAtInterrupt()
{
    if (m_waiter.joinable()) {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(m_end, &one, sizeof one);
        m_waiter.join();
    }
    if (m_end >= 0)
        ::close(m_end);
}

} // namespace helio
