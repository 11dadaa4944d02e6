#include "app/cli/serve/server.h"

#include "app/cli/command.h"
#include "app/cli/output/output.h"
#include "app/cli/serve/line_input.h"
#include "app/cli/serve/open_traces.h"
#include "app/cli/serve/request_queue.h"
#include "app/cli/serve/response_writer.h"
#include "core/base/json.h"
#include "core/base/version.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace helio {
namespace {

constexpr std::size_t MostOpened = 100; ///< Largest number of sets of traces that are open at the same time.

/// Executes requests.
class Server {
public:
    explicit Server(ResponseWriter& responses)
        : m_responses(responses)
    {
    }

    void execute(const RequestQueue::Task& task)
    {
        const auto fail = [&](const Error& error) {
            task.releaseId();
            m_responses.sendError(task.request.id, error);
        };
        if (task.stop.stop_requested())
            return fail({Error::Kind::Cancelled, "the request was cancelled"});
        try {
            if (const Status done = call(task); !done)
                fail(done.error());
        } catch (const std::bad_alloc&) {
            fail({Error::Kind::Full, "not enough memory"});
        } catch (const std::system_error& error) {
            fail({Error::Kind::Full, error.what()});
        }
    }

private:
    /// Executes a request and sends its response.
    /// Errors: the request could not begin; no response was sent.
    Status call(const RequestQueue::Task& task)
    {
        const ServeRequest& request = task.request;
        if (request.method == "version")
            return sendVersion(task);
        if (request.method == "open")
            return open(task);
        if (request.method == "query")
            return OpenTraces::query(task, m_responses);
        constexpr std::array<std::string_view, 6> Methods{"close", "sql", "render", "command", "index", "read"};
        if (std::ranges::find(Methods, request.method) == Methods.end() && !OpenTraces::isTableCommand(request.method))
            return Error{Error::Kind::NotFound, "there is no method \"" + request.method + '"'};
        if (!request.trace)
            return Error{Error::Kind::Usage, "the parameter \"trace\" is missing"};
        const auto found = m_opened.find(*request.trace);
        if (found == m_opened.end())
            return Error{Error::Kind::NotFound, "no traces are open with the number " + std::to_string(*request.trace)};
        if (request.method == "close")
            return close(task);
        OpenTraces& traces = *found->second;
        if (request.method == "sql")
            return traces.sql(task, m_responses);
        if (request.method == "render")
            return traces.render(task, m_responses);
        if (request.method == "command")
            return traces.command(task, m_responses);
        if (request.method == "index")
            return traces.index(task, m_responses);
        if (request.method == "read")
            return traces.read(task, m_responses);
        return traces.table(task, m_responses);
    }

    Status sendVersion(const RequestQueue::Task& task)
    {
        task.releaseId();
        m_responses.send(task.request.id, [](JsonWriter& json) {
            json.key("result").beginObject();
            json.member("version", version());
            json.member("protocol", ServeProtocol);
            json.endObject();
        });
        return Done{};
    }

    Status open(const RequestQueue::Task& task)
    {
        if (m_opened.size() == MostOpened)
            return Error{Error::Kind::Full, "too many traces are open; close some of them"};
        auto opened = std::make_unique<OpenTraces>();
        Status done = opened->open(m_next, task, m_responses);
        if (done && opened->isOpen())
            m_opened.emplace(m_next++, std::move(opened));
        return done;
    }

    Status close(const RequestQueue::Task& task)
    {
        m_opened.erase(*task.request.trace);
        task.releaseId();
        m_responses.send(task.request.id, [](JsonWriter& json) {
            json.key("result").beginObject();
            json.endObject();
        });
        return Done{};
    }

    ResponseWriter& m_responses;
    std::map<std::int64_t, std::unique_ptr<OpenTraces>> m_opened; ///< Opened traces by their number.
    std::int64_t m_next = 1; ///< Number of the traces that are opened next.
};

/// Answers a request to cancel another one. This request does not wait for others.
void cancel(const ServeRequest& request, RequestQueue& queue, ResponseWriter& responses)
{
    if (request.request.empty())
        return responses.sendError(request.id, {Error::Kind::Usage, "the parameter \"request\" is missing"});
    const bool isCancelled = queue.cancel(request.request);
    responses.send(request.id, [&](JsonWriter& json) {
        json.key("result").beginObject();
        json.member("cancelled", isCancelled);
        json.endObject();
    });
}

void readRequests(LineInput& input, RequestQueue& queue, ResponseWriter& responses)
{
    std::string_view line;
    for (;;) {
        const LineInput::Outcome outcome = input.next(line);
        if (outcome == LineInput::Outcome::End)
            return;
        if (outcome == LineInput::Outcome::TooLong) {
            responses.sendError("null", {Error::Kind::Usage, "the line is longer than " + std::to_string(MostRequestBytes) + " bytes"});
            continue;
        }
        if (line.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        try {
            ReadRequest read = readRequest(line);
            const std::string id = read.request.id;
            if (read.error)
                responses.sendError(id, *read.error);
            else if (read.request.method == "cancel")
                cancel(read.request, queue, responses);
            else if (const Status added = queue.add(std::move(read.request)); !added)
                responses.sendError(id, added.error());
        } catch (const std::bad_alloc&) {
            responses.sendError("null", {Error::Kind::Full, "not enough memory for the request"});
        }
    }
}

} // namespace

int serveStandardStreams()
{
    // Responses go to a descriptor of their own, so that nothing that a library prints can get between them.
    const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        warn(std::string("standard output: ") + std::strerror(errno));
        return ExitInput;
    }
    std::signal(SIGPIPE, SIG_IGN); // A client that ended is noticed by the failed write.
    ResponseWriter responses(output);
    RequestQueue queue;
    LineInput input(STDIN_FILENO, MostRequestBytes);
    std::jthread reader;
    try {
        reader = std::jthread([&] {
            readRequests(input, queue, responses);
            queue.close();
            if (input.waitForClosed(output))
                queue.cancelAll();
        });
    } catch (const std::system_error& error) {
        warn(std::string("cannot start a thread: ") + error.what());
        return ExitInput;
    }
    Server server(responses);
    while (const auto task = queue.take()) {
        server.execute(*task);
        if (responses.hasFailed())
            break;
    }
    input.interrupt();
    reader.join();
    close(output);
    return responses.hasFailed() ? ExitInput : ExitDone;
}

} // namespace helio
