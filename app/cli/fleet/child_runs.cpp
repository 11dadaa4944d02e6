#include "app/cli/fleet/child_runs.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ; // NOLINT: declared by no header.

namespace helio {
namespace {

constexpr std::size_t MostErrorBytes = 4096;

/// File actions of a process that is started: its standard streams.
class StreamActions {
public:
    StreamActions(const std::filesystem::path& output, const std::filesystem::path& errors)
    {
        constexpr int Flags = O_WRONLY | O_CREAT | O_TRUNC;
        posix_spawn_file_actions_init(&m_actions);
        posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&m_actions, STDOUT_FILENO, output.c_str(), Flags, 0600);
        posix_spawn_file_actions_addopen(&m_actions, STDERR_FILENO, errors.c_str(), Flags, 0600);
    }
    ~StreamActions() { posix_spawn_file_actions_destroy(&m_actions); }
    StreamActions(const StreamActions&) = delete;
    StreamActions& operator=(const StreamActions&) = delete;

    const posix_spawn_file_actions_t* get() const { return &m_actions; }

private:
    posix_spawn_file_actions_t m_actions{};
};

std::string beginOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::string text(MostErrorBytes, '\0');
    stream.read(text.data(), std::streamsize(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return text;
}

/// Runs the processes on threads, each of which starts a process and waits for its end.
class ChildRunner {
public:
    explicit ChildRunner(const ChildRunRequest& request)
        : m_request(request)
    {
    }

    void run(const std::function<bool(std::size_t, const ChildRun&)>& take)
    {
        const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
        const std::size_t jobs = std::min<std::size_t>(m_request.jobs > 0 ? m_request.jobs : cores, m_request.count);
        // Finished processes wait with their output for their turn, but not too many of them.
        m_ahead = 4 * jobs + 16;
        const std::stop_callback stopped(m_request.stop, [this] { cancel(); });
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < jobs; ++i)
            threads.emplace_back([this] { work(); });
        for (std::size_t index = 0; index < m_request.count; ++index) {
            const std::optional<ChildRun> run = waitFor(index);
            if (!run)
                break;
            const bool goesOn = take(index, *run);
            std::error_code ignored;
            std::filesystem::remove(run->output, ignored);
            if (!goesOn)
                break;
        }
        cancel();
    }

private:
    std::optional<ChildRun> waitFor(std::size_t index)
    {
        std::unique_lock lock(m_mutex);
        m_taken = index;
        m_changed.notify_all();
        m_changed.wait(lock, [&] { return m_isCancelled || m_done.contains(index); });
        const auto found = m_done.find(index);
        if (found == m_done.end())
            return {};
        ChildRun run = std::move(found->second);
        m_done.erase(found);
        return run;
    }

    void cancel()
    {
        const std::scoped_lock lock(m_mutex);
        m_isCancelled = true;
        for (const pid_t child : m_running)
            kill(child, SIGTERM);
        m_changed.notify_all();
    }

    void work()
    {
        for (;;) {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [&] { return m_isCancelled || m_next == m_request.count || m_next < m_taken + m_ahead; });
            if (m_isCancelled || m_next == m_request.count)
                return;
            const std::size_t index = m_next++;
            lock.unlock();
            ChildRun run = runOne(index);
            lock.lock();
            m_done.emplace(index, std::move(run));
            m_changed.notify_all();
        }
    }

    ChildRun runOne(std::size_t index)
    {
        ChildRun run;
        run.output = m_request.folder / (std::to_string(index) + ".out");
        const std::filesystem::path errors = m_request.folder / (std::to_string(index) + ".err");
        std::vector<std::string> arguments = m_request.argumentsOf(index);
        arguments.insert(arguments.begin(), "heliograph");
        std::vector<char*> pointers;
        for (std::string& argument : arguments)
            pointers.push_back(argument.data());
        pointers.push_back(nullptr);
        const StreamActions streams(run.output, errors);
        pid_t child = 0;
        {
            const std::scoped_lock lock(m_mutex);
            if (m_isCancelled)
                return run;
            if (const int error = posix_spawn(&child, "/proc/self/exe", streams.get(), nullptr, pointers.data(), environ); error != 0) {
                run.problem = std::string("cannot start a process: ") + std::strerror(error);
                return run;
            }
            m_running.insert(child);
        }
        siginfo_t ended{};
        while (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) { }
        { // The process is forgotten before its id becomes free, so that no other process gets a signal.
            const std::scoped_lock lock(m_mutex);
            m_running.erase(child);
        }
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) { }
        run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        run.errors = beginOf(errors);
        std::error_code ignored;
        std::filesystem::remove(errors, ignored);
        return run;
    }

    const ChildRunRequest& m_request;
    std::size_t m_ahead = 0; ///< Largest number of processes that are started before the result of the first of them was taken.
    std::mutex m_mutex; ///< Guards the members below.
    std::condition_variable m_changed;
    std::size_t m_next = 0; ///< Index of the process that is started next.
    std::size_t m_taken = 0; ///< Index of the process whose result is taken next.
    std::map<std::size_t, ChildRun> m_done;
    std::set<pid_t> m_running;
    bool m_isCancelled = false;
};

} // namespace

void runChildren(const ChildRunRequest& request, const std::function<bool(std::size_t, const ChildRun&)>& take)
{
    ChildRunner(request).run(take);
}

} // namespace helio
