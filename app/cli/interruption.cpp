#include "app/cli/interruption.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace helio {
namespace {

std::atomic<int> s_pipe{-1}; ///< Write end of the pipe of the Interruption object.
std::atomic<int> s_signal{0}; ///< First signal that came.

void handleSignal(int signal)
{
    const int kept = errno;
    s_signal = signal;
    const char wake = 's';
    (void)!::write(s_pipe, &wake, 1);
    errno = kept;
}

void setHandler(void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    for (const int signal : {SIGINT, SIGTERM})
        ::sigaction(signal, &action, nullptr);
}

} // namespace

Interruption::Interruption()
{
    s_signal = 0;
    if (::pipe2(m_pipe.data(), O_CLOEXEC) != 0)
        return; // Without a pipe, a signal ends the program as usual.
    try {
        m_thread = std::jthread([this] {
            char wake = 0;
            while (::read(m_pipe[0], &wake, 1) < 0 && errno == EINTR) { }
            if (wake == 's')
                m_stop.request_stop();
        });
    } catch (const std::system_error&) { // If the system allows no more threads, a signal ends the program as usual.
        return;
    }
    s_pipe = m_pipe[1];
    setHandler(handleSignal);
}

Interruption::~Interruption()
{
    if (m_thread.joinable()) {
        setHandler(SIG_DFL);
        const char end = 'e';
        (void)!::write(m_pipe[1], &end, 1);
        m_thread.join();
        s_pipe = -1;
    }
    for (const int end : m_pipe)
        if (end >= 0)
            ::close(end);
}

int Interruption::signal() const { return s_signal; }

} // namespace helio
