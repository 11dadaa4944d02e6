#include "app/cli/fleet/trace_runs.h"

#include "app/cli/command.h"
#include "app/cli/fleet/serve_process.h"
#include "core/base/utf8.h"
#include "core/fleet/query_response.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace helio {
namespace {

constexpr std::size_t MostMessageBytes = 4096;

/// Appends a message as the program writes it to standard error.
void appendMessage(std::string& out, std::string_view message)
{
    for (std::size_t begin = 0; begin <= message.size();) {
        const std::size_t end = std::min(message.find('\n', begin), message.size());
        appendPrintable(out, message.substr(begin, end - begin));
        out += '\n';
        begin = end + 1;
    }
}

/// Returns the number of the error after a stream failed; never 0.
int errorNumber() { return errno != 0 ? errno : EIO; }

std::string cannotKeep(const std::filesystem::path& responses, int error)
{
    return "cannot write " + responses.string() + ": " + std::strerror(error);
}

/// Runs the statements on threads, each of which has a process.
class TraceRunner {
public:
    explicit TraceRunner(const TraceRunRequest& request)
        : m_request(request)
    {
    }

    void run(const std::function<bool(std::size_t, const TraceRun&)>& take)
    {
        const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
        const std::size_t jobs = std::min<std::size_t>(m_request.jobs > 0 ? m_request.jobs : cores, m_request.paths.size());
        // Results wait for their turn, but not too many of them.
        m_ahead = 4 * jobs + 16;
        for (std::size_t i = 0; i < jobs; ++i)
            m_processes.push_back(std::make_unique<ServeProcess>(m_request.folder / ("process-" + std::to_string(i) + ".err")));
        const std::stop_callback stopped(m_request.stop, [this] { cancel(); });
        std::vector<std::jthread> threads;
        const struct Ending { // Also after an exception: the threads would go on to the last trace.
            TraceRunner& runner;
            ~Ending() { runner.cancel(); }
        } ending{*this};
        for (const auto& process : m_processes)
            threads.emplace_back([this, &process] { work(*process); });
        for (std::size_t index = 0; index < m_request.paths.size(); ++index) {
            const std::optional<TraceRun> run = waitFor(index);
            if (!run)
                break;
            const bool goesOn = take(index, *run);
            std::error_code ignored;
            std::filesystem::remove(run->responses, ignored);
            if (!goesOn)
                break;
        }
    }

private:
    std::optional<TraceRun> waitFor(std::size_t index)
    {
        std::unique_lock lock(m_mutex);
        m_taken = index;
        m_changed.notify_all();
        m_changed.wait(lock, [&] { return m_isCancelled || m_done.contains(index); });
        if (m_isCancelled) // Its result may say no more than that its process was ended.
            return {};
        return std::move(m_done.extract(index).mapped());
    }

    void cancel()
    {
        const std::scoped_lock lock(m_mutex);
        m_isCancelled = true;
        for (const auto& process : m_processes)
            process->stop();
        m_changed.notify_all();
    }

    void work(ServeProcess& process)
    {
        for (;;) {
            std::unique_lock lock(m_mutex);
            const std::size_t count = m_request.paths.size();
            m_changed.wait(lock, [&] { return m_isCancelled || m_next == count || m_next < m_taken + m_ahead; });
            if (m_isCancelled || m_next == count)
                return;
            const std::size_t index = m_next++;
            lock.unlock();
            TraceRun run = runOne(index, process);
            lock.lock();
            m_done.emplace(index, std::move(run));
            m_changed.notify_all();
        }
    }

    TraceRun runOne(std::size_t index, ServeProcess& process)
    {
        TraceRun run;
        run.responses = m_request.folder / (std::to_string(index) + ".out");
        std::ofstream responses(run.responses, std::ios::binary);
        int writeError = responses ? 0 : errorNumber();
        run.problem = writeError != 0 ? cannotKeep(run.responses, writeError) : process.start();
        if (!run.problem.empty())
            return run;
        std::optional<fleet::QueryEnd> end;
        const auto take = [&](std::string_view line) {
            auto read = fleet::readQueryEnd(line);
            if (read && *read)
                end = std::move(**read);
            else if (!((responses << line) << '\n')) // The reader of the file reports lines that are no responses.
                writeError = errorNumber();
            return !end && writeError == 0;
        };
        if (!process.ask(m_request.requestFor(m_request.paths[index]), take))
            run.status = process.waitForEnd();
        else if (end)
            run.status = end->isUsageError ? ExitUsage : end->status;
        else // The rest of the response, which may be endless, is not wanted.
            process.end();
        if (end)
            for (const std::string& message : end->messages)
                appendMessage(run.errors, message);
        if (writeError == 0 && !responses.flush())
            writeError = errorNumber();
        if (writeError != 0)
            run.problem = cannotKeep(run.responses, writeError);
        run.errors += process.takeErrors();
        run.errors.resize(std::min(run.errors.size(), MostMessageBytes));
        return run;
    }

    const TraceRunRequest& m_request;
    std::size_t m_ahead = 0; ///< Largest number of statements that are begun before the result of the first of them was taken.
    std::vector<std::unique_ptr<ServeProcess>> m_processes;
    std::mutex m_mutex; ///< Guards the members below.
    std::condition_variable m_changed;
    std::size_t m_next = 0; ///< Index of the trace that is asked next.
    std::size_t m_taken = 0; ///< Index of the trace whose result is taken next.
    std::map<std::size_t, TraceRun> m_done;
    bool m_isCancelled = false;
};

} // namespace

void runOverTraces(const TraceRunRequest& request, const std::function<bool(std::size_t, const TraceRun&)>& take)
{
    TraceRunner(request).run(take);
}

} // namespace helio
