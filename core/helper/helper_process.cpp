#include "core/helper/helper_process.h"

#include "core/base/version.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <poll.h>
#include <set>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace helio {
namespace {

namespace fs = std::filesystem;

constexpr int PollMilliseconds = 50;
constexpr std::size_t ReadBytes = std::size_t{256} << 10;
constexpr std::chrono::milliseconds ExitTime{500}; ///< Time that a process gets to exit after it has closed its socket.

/// Libraries whose helper programs this process has started.
class StartedLibraries {
public:
    static StartedLibraries& instance()
    {
        static StartedLibraries all;
        return all;
    }
    void add(const char* library)
    {
        const std::lock_guard lock(m_mutex);
        m_names.insert(library);
    }
    std::vector<std::string> names()
    {
        const std::lock_guard lock(m_mutex);
        return {m_names.begin(), m_names.end()};
    }

private:
    std::mutex m_mutex; ///< Guards m_names.
    std::set<std::string> m_names;
};

fs::path findProgram(const char* file)
{
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* place : {".", "../libexec/heliograph", "../bin"})
        if (const auto path = here / place / file; access(path.c_str(), X_OK) == 0)
            return path;
    return {};
}

/// Copies of descriptors with numbers that are larger than those that a helper program gets, so that no copy for the program overwrites
/// another descriptor that is still to be copied.
class HighDescriptors {
public:
    HighDescriptors(int socket, std::span<const int> files)
    {
        const int first = FirstFile + static_cast<int>(files.size());
        m_copies.push_back(::fcntl(socket, F_DUPFD_CLOEXEC, first));
        for (const int file : files)
            m_copies.push_back(::fcntl(file, F_DUPFD_CLOEXEC, first));
    }
    ~HighDescriptors()
    {
        for (const int copy : m_copies)
            if (copy >= 0)
                ::close(copy);
    }
    HighDescriptors(const HighDescriptors&) = delete;
    HighDescriptors& operator=(const HighDescriptors&) = delete;

    bool isComplete() const
    {
        return std::ranges::none_of(m_copies, [](int copy) { return copy < 0; });
    }
    int socket() const { return m_copies.front(); }
    std::span<const int> files() const { return std::span(m_copies).subspan(1); }

private:
    std::vector<int> m_copies;
};

/// Starts `program` with its standard input and output connected to `socket` and with copies of `files`, and sets `id` to its process ID.
/// Returns 0, or an errno value if that failed.
int spawn(const fs::path& program, const std::vector<std::string>& arguments, int socket, std::span<const int> files, pid_t& id)
{
    const HighDescriptors copies(socket, files);
    if (!copies.isComplete())
        return errno;
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const auto& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, copies.socket(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, copies.socket(), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int last = FirstFile;
    for (const int file : copies.files())
        posix_spawn_file_actions_adddup2(&actions, file, last++);
    posix_spawn_file_actions_addclosefrom_np(&actions, last);
    const int failure = posix_spawn(&id, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

} // namespace

std::vector<std::string> usedLibraries() { return StartedLibraries::instance().names(); }

Result<std::unique_ptr<HelperProcess>> HelperProcess::start(const HelperProgram& program, std::vector<std::string> arguments,
                                                            ProcessLimits limits, std::span<const int> files)
{
    const auto path = findProgram(program.file);
    if (path.empty())
        return Error{Error::Kind::Unsupported, std::string("the program ") + program.file + " is not installed"};
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return Error{Error::Kind::Unreadable, std::string("cannot create a socket: ") + std::strerror(errno)};
    arguments.insert(arguments.begin(), {std::to_string(limits.cpuSeconds), version()});
    pid_t id = 0;
    const int failure = spawn(path, arguments, ends[1], files, id);
    close(ends[1]);
    if (failure != 0) {
        close(ends[0]);
        return Error{Error::Kind::Unreadable, path.string() + ": " + std::strerror(failure)};
    }
    StartedLibraries::instance().add(program.library);
    return std::unique_ptr<HelperProcess>(new HelperProcess(program, id, ends[0], limits));
}

HelperProcess::~HelperProcess()
{
    close(m_socket);
    if (m_id == 0)
        return;
    kill(m_id, SIGKILL);
    while (waitpid(m_id, nullptr, 0) < 0 && errno == EINTR) { }
}

Result<std::optional<HelperProcess::Message>> HelperProcess::read()
{
    if (m_id == 0)
        return Error{Error::Kind::Corrupt, std::string(m_program.library) + " has ended"};
    if (!std::exchange(m_isWaiting, true))
        m_waitsSince = SteadyClock::now();
    flush();
    for (;;) {
        MessageHeader head;
        const auto rest = std::span(m_bytes).first(m_size).subspan(m_used);
        if (rest.size() >= sizeof head) {
            std::memcpy(&head, rest.data(), sizeof head);
            if (head.bytes > m_program.mostMessageBytes)
                return Error{Error::Kind::Corrupt, std::string("invalid answer from ") + m_program.library};
            if (rest.size() - sizeof head >= head.bytes) {
                m_used += sizeof head + head.bytes;
                m_isWaiting = false;
                return std::optional(Message{head.kind, rest.subspan(sizeof head, head.bytes)});
            }
        }
        pollfd socket{m_socket, POLLIN, 0};
        if (poll(&socket, 1, PollMilliseconds) <= 0) {
            if (SteadyClock::now() - m_waitsSince > m_limits.silence)
                return hung();
            return std::optional<Message>();
        }
        if (!fill())
            return died();
    }
}

Result<HelperProcess::Message> HelperProcess::wait(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        const auto message = read();
        if (!message)
            return message.error();
        if (*message)
            return **message;
    }
    return Error{Error::Kind::Cancelled, "stopped"};
}

/// Reads bytes from the socket into m_bytes. Returns false if the helper process has closed the socket.
bool HelperProcess::fill()
{
    if (m_used > 0) { // Discards messages that read() has returned, which are no longer valid.
        std::memmove(m_bytes.data(), m_bytes.data() + m_used, m_size - m_used);
        m_size -= m_used;
        m_used = 0;
    }
    if (m_bytes.size() < m_size + ReadBytes)
        m_bytes.resize(2 * m_size + ReadBytes);
    const ssize_t got = ::read(m_socket, m_bytes.data() + m_size, m_bytes.size() - m_size);
    if (got < 0 && errno == EINTR)
        return true;
    m_size += got > 0 ? static_cast<std::size_t>(got) : 0;
    return got > 0;
}

/// Sends the messages that were written. If the process has ended, they are lost; what it wrote before can still be read.
void HelperProcess::flush()
{
    std::span<const std::byte> left(m_outgoing);
    while (!left.empty()) {
        const ssize_t sent = ::send(m_socket, left.data(), left.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            break;
        left = left.subspan(static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
    }
    if (!m_outgoing.empty())
        m_waitsSince = SteadyClock::now(); // The process is silent while it waits for messages.
    m_outgoing.clear();
}

void HelperProcess::write(std::uint8_t kind, std::span<const std::byte> bytes)
{
    const MessageHeader head{bytes.size(), kind};
    const auto header = std::as_bytes(std::span(&head, 1));
    m_outgoing.insert(m_outgoing.end(), header.begin(), header.end());
    m_outgoing.insert(m_outgoing.end(), bytes.begin(), bytes.end());
}

Error HelperProcess::hung() const
{
    return {Error::Kind::Corrupt,
            std::string(m_program.library) + " did not answer for " + std::to_string(m_limits.silence.count() / 1000) + " s"};
}

/// Returns the reason why the process has closed its socket, and makes sure that it has ended.
Error HelperProcess::died()
{
    int status = 0;
    const auto begin = SteadyClock::now();
    pid_t ended = 0;
    while ((ended = waitpid(m_id, &status, WNOHANG)) == 0 && SteadyClock::now() - begin < ExitTime)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (ended == 0) { // The process still runs, without its socket.
        kill(m_id, SIGKILL);
        while (waitpid(m_id, &status, 0) < 0 && errno == EINTR) { }
    }
    m_id = 0;
    const std::string library = m_program.library;
    if (WIFEXITED(status) && WEXITSTATUS(status) == OtherVersionExit)
        return {Error::Kind::Unsupported, "Heliograph was updated while it ran; restart it"};
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return {Error::Kind::Corrupt, library + " did not finish in " + std::to_string(m_limits.cpuSeconds) + " s of CPU time"};
    if (WIFSIGNALED(status))
        return {Error::Kind::Corrupt, library + " crashed: " + strsignal(WTERMSIG(status))};
    return {Error::Kind::Corrupt, library + " failed"};
}

} // namespace helio
