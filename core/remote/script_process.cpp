#include "core/remote/script_process.h"

#include "core/base/shell_words.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace helio {
namespace {

constexpr int FirstFreeDescriptor = 16; ///< Below are the descriptors that the script gets.
constexpr int TerminalInput = 5; ///< Descriptors of the script for the terminal; see recordingScript().
constexpr int TerminalOutput = 6;
constexpr std::size_t MostErrorBytes = 4096;
constexpr std::size_t MostLineBytes = std::size_t{1} << 26; ///< A longer line is cut: a machine may send anything.

/// Returns the arguments of a process whose shell reads a script of `bytes` bytes from its standard input and runs it.
std::vector<std::string> shellFor(const ScriptPlace& place, std::size_t bytes)
{
    const std::string reader = "eval \"$(dd bs=1 count=" + std::to_string(bytes) + " 2>/dev/null)\"";
    if (!place.host.empty())
        return {"ssh",
                "-T",
                "-o",
                std::string("BatchMode=") + (place.keepsTerminal ? "no" : "yes"),
                "-o",
                "ConnectTimeout=15",
                "-o",
                "ServerAliveInterval=5",
                "--",
                place.host,
                "exec sh -c " + shellQuoted(reader)};
    switch (place.elevation) {
    case Elevation::None: break;
    case Elevation::Sudo: return {"sudo", "--", "/bin/sh", "-c", reader};
    case Elevation::Pkexec: return {"pkexec", "/bin/sh", "-c", reader};
    }
    return {"/bin/sh", "-c", reader};
}

/// Moves a descriptor to a number that no descriptor of the script has, and makes programs not inherit it.
void moveUp(int& descriptor)
{
    const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, FirstFreeDescriptor);
    ::close(descriptor);
    descriptor = moved;
}

void closeIfOpen(int& descriptor)
{
    if (descriptor >= 0)
        ::close(descriptor);
    descriptor = -1;
}

bool setNonblocking(int descriptor) { return ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0; }

/// The two ends of the script's channels: `ours` for this process, `its` for the script.
struct Channel {
    int ours = -1;
    int its = -1;

    bool openSocket()
    {
        std::array<int, 2> ends{};
        return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0 && take(ends[0], ends[1]);
    }
    bool openPipe()
    {
        std::array<int, 2> ends{};
        return ::pipe2(ends.data(), O_CLOEXEC) == 0 && take(ends[0], ends[1]);
    }
    void closeAll()
    {
        closeIfOpen(ours);
        closeIfOpen(its);
    }

private:
    bool take(int first, int second)
    {
        ours = first;
        its = second;
        moveUp(ours);
        moveUp(its);
        return ours >= 0 && its >= 0;
    }
};

/// Starts a process whose standard input, output and error output are the given descriptors; `errors` of -1 keeps that of this process.
/// Returns 0 or an errno value.
int spawn(const std::vector<std::string>& arguments, int input, int output, int errors, bool keepsTerminal, pid_t& id)
{
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (keepsTerminal) {
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, TerminalInput);
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, TerminalOutput);
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (errors >= 0)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    // Signals that this process ignores or blocks must reach the recorded program as usual.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    for (const int signal : {SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGHUP})
        sigaddset(&signals, signal);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int failure = ::posix_spawnp(&id, argv.front(), &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

/// Notes a process whose exit status is of no interest, and removes the zombies of those noted so far that have ended.
/// Threads: any.
void removeZombies(pid_t added)
{
    static std::mutex mutex;
    static std::vector<pid_t> processes; // Guarded by mutex.
    const std::lock_guard lock(mutex);
    if (added > 0)
        processes.push_back(added);
    std::erase_if(processes, [](pid_t process) { return ::waitpid(process, nullptr, WNOHANG) != 0; });
}

/// Returns the output that a descriptor has, at most 256 KiB; empty if it has none now. Closes the descriptor and sets it to -1 at the end.
std::string readAvailable(int& descriptor)
{
    std::string text;
    std::array<char, 65536> buffer{};
    while (descriptor >= 0 && text.size() < 4 * buffer.size()) {
        const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
        if (got > 0)
            text.append(buffer.data(), static_cast<std::size_t>(got));
        else if (got == 0 || (errno != EINTR && errno != EAGAIN))
            closeIfOpen(descriptor);
        else if (errno == EAGAIN)
            break;
    }
    return text;
}

} // namespace

Result<std::unique_ptr<ScriptProcess>> ScriptProcess::start(const ScriptPlace& place, const std::string& script)
{
    removeZombies(0);
    Channel input;
    Channel output;
    Channel errors;
    const bool isOpen = input.openSocket() && output.openPipe() && (place.keepsTerminal || errors.openPipe());
    const std::string text = script.ends_with('\n') ? script : script + '\n';
    const auto arguments = shellFor(place, text.size());
    pid_t id = 0;
    const int failure = isOpen ? spawn(arguments, input.its, output.its, errors.its, place.keepsTerminal, id) : errno;
    for (Channel* const channel : {&input, &output, &errors})
        closeIfOpen(channel->its);
    if (failure != 0) {
        for (Channel* const channel : {&input, &output, &errors})
            channel->closeAll();
        return Error{Error::Kind::Unreadable, "cannot start " + arguments.front() + ": " + std::strerror(failure)};
    }
    std::unique_ptr<ScriptProcess> process(new ScriptProcess);
    process->m_id = id;
    process->m_input = input.ours;
    process->m_output = output.ours;
    process->m_errors = errors.ours;
    setNonblocking(process->m_output);
    if (process->m_errors >= 0)
        setNonblocking(process->m_errors);
    if (!process->send(text)) {
        const std::string why = process->lastErrors();
        return Error{Error::Kind::Unreadable, why.empty() ? arguments.front() + " ended at once" : why};
    }
    setNonblocking(process->m_input); // The UI thread must not wait for a script that is stopped.
    return process;
}

ScriptProcess::~ScriptProcess()
{
    closeIfOpen(m_input);
    closeIfOpen(m_output);
    closeIfOpen(m_errors);
    if (exitStatus() < 0)
        removeZombies(m_id);
}

std::vector<std::string> ScriptProcess::readLines()
{
    readErrors();
    std::string read = readAvailable(m_output);
    if (m_take) {
        m_take(read);
        return {};
    }
    m_text += read;
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end = m_text.find('\n'); end != std::string::npos; end = m_text.find('\n', begin)) {
        lines.push_back(m_text.substr(begin, end - begin));
        begin = end + 1;
        if (lines.back() == "archive") // Binary output follows, which the caller redirects.
            break;
    }
    m_text.erase(0, begin);
    if (m_text.size() > MostLineBytes)
        m_text.clear();
    if (hasOutputEnded() && !m_text.empty() && (lines.empty() || lines.back() != "archive"))
        lines.push_back(std::exchange(m_text, {}));
    return lines;
}

void ScriptProcess::redirect(std::function<void(std::span<const char>)> take)
{
    m_take = std::move(take);
    m_take(std::exchange(m_text, {}));
}

bool ScriptProcess::send(std::string_view line)
{
    std::string text(line);
    if (!text.ends_with('\n'))
        text += '\n';
    std::string_view left = text;
    while (m_input >= 0 && !left.empty()) {
        const ssize_t sent = ::send(m_input, left.data(), left.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        left.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
    }
    return left.empty();
}

std::optional<std::size_t> ScriptProcess::sendSome(std::string_view text)
{
    for (;;) {
        const ssize_t sent = m_input >= 0 ? ::send(m_input, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) : -1;
        if (sent >= 0)
            return static_cast<std::size_t>(sent);
        if (m_input < 0 || (errno != EINTR && errno != EAGAIN))
            return {};
        if (errno == EAGAIN)
            return 0;
    }
}

void ScriptProcess::closeInput() { closeIfOpen(m_input); }

int ScriptProcess::exitStatus()
{
    int status = 0;
    if (m_id > 0 && ::waitpid(m_id, &status, WNOHANG) == m_id) {
        m_id = 0;
        m_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    return m_status;
}

void ScriptProcess::readErrors()
{
    m_errorText += readAvailable(m_errors);
    if (m_errorText.size() > MostErrorBytes)
        m_errorText.erase(0, m_errorText.size() - MostErrorBytes);
}

/// Returns the errors of a process that has ended, or soon ends.
std::string ScriptProcess::lastErrors()
{
    constexpr int Most = 1000; // Milliseconds to wait for more.
    for (pollfd descriptor{m_errors, POLLIN, 0}; m_errors >= 0 && ::poll(&descriptor, 1, Most) > 0;)
        readErrors();
    while (m_errorText.ends_with('\n') || m_errorText.ends_with('\r'))
        m_errorText.pop_back();
    return m_errorText;
}

std::string ScriptProcess::errors() const { return m_errorText; }

Result<std::string> runScript(const ScriptPlace& place, const std::string& script, std::chrono::milliseconds most,
                              const std::stop_token& stop)
{
    constexpr std::size_t MostOutput = std::size_t{8} << 20;
    auto process = ScriptProcess::start(place, script);
    if (!process)
        return process.error();
    (*process)->closeInput();
    std::string output;
    const auto end = std::chrono::steady_clock::now() + most;
    while (!(*process)->hasOutputEnded() || (*process)->exitStatus() < 0) {
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "cancelled"};
        if (std::chrono::steady_clock::now() > end || output.size() > MostOutput)
            return Error{Error::Kind::Unreadable, (place.host.empty() ? "the shell" : place.host) + " does not answer"};
        pollfd descriptor{(*process)->descriptor(), POLLIN, 0};
        ::poll(&descriptor, 1, 50);
        for (const std::string& line : (*process)->readLines())
            output += line + '\n';
    }
    if (const int status = (*process)->exitStatus(); status != 0) {
        std::string why = (*process)->errors();
        while (why.ends_with('\n') || why.ends_with('\r'))
            why.pop_back();
        return Error{Error::Kind::Unreadable, why.empty() ? "the shell ended with status " + std::to_string(status) : why};
    }
    return output;
}

} // namespace helio
