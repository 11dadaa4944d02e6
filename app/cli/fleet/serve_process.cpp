#include "app/cli/fleet/serve_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT: declared by no header.

namespace helio {
namespace {

constexpr std::size_t MostErrorBytes = 4096;

/// File actions of a process that is started: its standard streams.
class StreamActions {
public:
    StreamActions(int socket, const std::filesystem::path& errors)
    {
        posix_spawn_file_actions_init(&m_actions);
        posix_spawn_file_actions_adddup2(&m_actions, socket, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&m_actions, socket, STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&m_actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    }
    ~StreamActions() { posix_spawn_file_actions_destroy(&m_actions); }
    StreamActions(const StreamActions&) = delete;
    StreamActions& operator=(const StreamActions&) = delete;

    const posix_spawn_file_actions_t* get() const { return &m_actions; }

private:
    posix_spawn_file_actions_t m_actions{};
};

/// Attributes of a process that is started: it gets a process group of its own.
class GroupAttributes {
public:
    GroupAttributes()
    {
        posix_spawnattr_init(&m_attributes);
        posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETPGROUP);
        posix_spawnattr_setpgroup(&m_attributes, 0);
    }
    ~GroupAttributes() { posix_spawnattr_destroy(&m_attributes); }
    GroupAttributes(const GroupAttributes&) = delete;
    GroupAttributes& operator=(const GroupAttributes&) = delete;

    const posix_spawnattr_t* get() const { return &m_attributes; }

private:
    posix_spawnattr_t m_attributes{};
};

} // namespace

ServeProcess::ServeProcess(std::filesystem::path errors)
    : m_errors(std::move(errors))
{
}

ServeProcess::~ServeProcess()
{
    if (m_socket >= 0) // The end of its input ends the process.
        shutdown(m_socket, SHUT_RDWR);
    waitForEnd();
}

std::string ServeProcess::start()
{
    if (pollfd state{m_socket, POLLIN, 0}; m_socket >= 0 && poll(&state, 1, 0) > 0) // It ended while it had nothing to do.
        waitForEnd();
    const std::scoped_lock lock(m_mutex);
    if (m_process != 0 || m_isStopped)
        return {};
    const auto fail = [](int error) { return std::string("cannot start a process: ") + std::strerror(error); };
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return fail(errno);
    const StreamActions streams(ends[1], m_errors);
    std::array<std::string, 3> words{"heliograph", "serve", "--stdio"};
    std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
    const GroupAttributes group;
    const int error = posix_spawn(&m_process, "/proc/self/exe", streams.get(), group.get(), arguments.data(), environ);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        m_process = 0;
        return fail(error);
    }
    m_socket = ends[0];
    m_responses.emplace(m_socket, std::numeric_limits<std::size_t>::max());
    return {};
}

bool ServeProcess::send(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t sent = ::send(m_socket, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent > 0)
            text.remove_prefix(static_cast<std::size_t>(sent));
        else if (errno != EINTR)
            return false;
    }
    return true;
}

bool ServeProcess::ask(std::string_view request, const std::function<bool(std::string_view)>& take)
{
    if (m_socket < 0 || !send(std::string(request) + '\n'))
        return false;
    for (std::string_view line; m_responses->next(line) == LineInput::Outcome::Line;)
        if (!take(line))
            return true;
    return false;
}

int ServeProcess::waitForEnd()
{
    pid_t process = 0;
    {
        const std::scoped_lock lock(m_mutex);
        process = m_process;
    }
    if (process == 0)
        return 0;
    siginfo_t ended{};
    while (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) { }
    { // The process is forgotten before its id becomes free, so that no other process gets a signal.
        const std::scoped_lock lock(m_mutex);
        m_process = 0;
    }
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) { }
    m_responses.reset();
    close(m_socket);
    m_socket = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void ServeProcess::end()
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_process != 0)
            kill(m_process, SIGTERM);
    }
    waitForEnd();
}

std::string ServeProcess::takeErrors()
{
    std::string text(MostErrorBytes, '\0');
    {
        std::ifstream stream(m_errors, std::ios::binary);
        stream.read(text.data(), std::streamsize(text.size()));
        text.resize(static_cast<std::size_t>(stream.gcount()));
    }
    std::error_code ignored;
    if (!text.empty()) // The process appends to the file.
        std::filesystem::resize_file(m_errors, 0, ignored);
    return text;
}

void ServeProcess::stop()
{
    const std::scoped_lock lock(m_mutex);
    m_isStopped = true;
    if (m_process != 0)
        kill(m_process, SIGTERM);
}

} // namespace helio
