#include "core/plugin/plugin_crash_guard.h"

#include <array>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

namespace helio {
namespace {

constexpr std::array Signals{SIGSEGV, SIGILL, SIGFPE, SIGABRT};

thread_local const char* t_note = nullptr;
/// Actions that the signals had before the guard installed its handler, indexed like `Signals`; written once, before any handler can run.
std::array<struct sigaction, Signals.size()> s_previous;

void noteCrash()
{
    const char* const note = t_note;
    if (!note || !*note)
        return;
    const int descriptor = ::open(note, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
    constexpr char Words[] = "heliograph: crashed in a plug-in, which will not be loaded again automatically\n";
    (void)!::write(STDERR_FILENO, Words, sizeof Words - 1);
}

/// Creates the note, then restores the previous action of the signal. The faulting instruction runs again, or the signal is raised
/// again, so the program ends as it would without the handler.
void onCrash(int number, siginfo_t* info, void*)
{
    noteCrash();
    for (std::size_t i = 0; i < Signals.size(); ++i)
        if (Signals[i] == number)
            ::sigaction(number, &s_previous[i], nullptr);
    // A fault recurs, because the faulting instruction runs again. A signal that a program sent (si_code <= 0) does not recur, so raise the
    // signal again.
    if (info->si_code <= 0)
        ::raise(number);
}

void install()
{
    struct sigaction action = {};
    action.sa_sigaction = onCrash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < Signals.size(); ++i)
        ::sigaction(Signals[i], &action, &s_previous[i]);
}

} // namespace

PluginCrashGuard::PluginCrashGuard(const std::string& note)
    : m_before(t_note)
{
    static std::once_flag isInstalled;
    if (!note.empty())
        std::call_once(isInstalled, install);
    t_note = note.c_str();
}

PluginCrashGuard::~PluginCrashGuard() { t_note = m_before; }

} // namespace helio
