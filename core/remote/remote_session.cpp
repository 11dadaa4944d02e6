#include "core/remote/remote_session.h"

#include "core/base/shell_words.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <poll.h>
#include <simdjson.h>
#include <thread>

namespace helio {
namespace {

/// Script that becomes Heliograph. A shell that ssh starts may have a short PATH.
std::string startScript()
{
    if (const char* const program = std::getenv("HELIOGRAPH_REMOTE"); program && *program)
        return "exec " + shellQuoted(program) + " serve --stdio";
    return R"(command -v heliograph >/dev/null 2>&1 && exec heliograph serve --stdio
for program in "$HOME/.local/bin/heliograph" "$HOME/bin/heliograph" /usr/local/bin/heliograph /opt/heliograph/bin/heliograph; do
    [ -x "$program" ] && exec "$program" serve --stdio
done
echo 'heliograph is not installed there, or not in the PATH of ssh' >&2
exit 127)";
}

} // namespace

Result<std::unique_ptr<RemoteSession>> RemoteSession::start(const std::string& host)
{
    auto process = ScriptProcess::start({.host = host}, startScript());
    if (!process)
        return process.error();
    return std::unique_ptr<RemoteSession>(new RemoteSession(host, std::move(*process)));
}

bool RemoteSession::send(std::uint64_t id, std::string_view method, std::string_view params)
{
    m_unsent += "{\"id\":" + std::to_string(id) + ",\"method\":\"" + std::string(method) + "\",\"params\":" + std::string(params) + "}\n";
    return flush();
}

/// Sends what can be sent now. Returns false if the connection is lost.
bool RemoteSession::flush()
{
    const auto sent = m_process->sendSome(m_unsent);
    if (sent)
        m_unsent.erase(0, *sent);
    return sent.has_value();
}

std::vector<std::string> RemoteSession::receive(int milliseconds, int wakeUp)
{
    std::array<pollfd, 3> descriptors{pollfd{m_process->descriptor(), POLLIN, 0}, pollfd{wakeUp, POLLIN, 0},
                                      pollfd{m_unsent.empty() ? -1 : m_process->inputDescriptor(), POLLOUT, 0}};
    ::poll(descriptors.data(), descriptors.size(), milliseconds);
    if (!m_unsent.empty())
        (void)flush(); // A lost connection is noticed by the end of the output.
    return m_process->readLines();
}

Result<std::string> RemoteSession::call(std::string_view method, std::string_view params, const std::stop_token& stop,
                                        std::chrono::seconds most)
{
    constexpr int Slice = 50; // Milliseconds after which a stop is noticed.
    constexpr std::uint64_t Id = 1;
    if (!send(Id, method, params))
        return lost();
    const auto begin = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        const bool isLast = isLost();
        if (std::chrono::steady_clock::now() - begin > most)
            return Error{Error::Kind::Unreadable, m_host + " does not answer"};
        for (const std::string& line : receive(Slice)) {
            auto response = readResponse(line);
            if (!response)
                return Error{Error::Kind::Unreadable,
                             m_host + " answers something else than Heliograph does. A shell may print text when ssh logs in"};
            if (!response->error.empty())
                return Error{Error::Kind::Unreadable, m_host + ": " + response->error};
            if (response->id == Id && !response->result.empty())
                return std::move(response->result);
        }
        if (isLast)
            return lost();
    }
    return Error{Error::Kind::Cancelled, "cancelled"};
}

Error RemoteSession::lost()
{
    // The process ends right after its output; wait for its status and last messages, but not for one that hangs.
    for (int i = 0; i < 20 && m_process->exitStatus() < 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    m_process->readLines();
    std::string why = m_process->errors();
    while (why.ends_with('\n') || why.ends_with('\r'))
        why.pop_back();
    const int status = m_process->exitStatus();
    if (why.empty())
        why = status >= 0 ? "the connection ended with status " + std::to_string(status) : "the connection was lost";
    return {Error::Kind::Unreadable, m_host + ": " + why};
}

Result<RemoteResponse> readResponse(std::string_view line)
{
    static thread_local simdjson::dom::parser parser; // Making its buffers takes longer than parsing a usual response.
    simdjson::dom::element document;
    simdjson::dom::object object;
    if (parser.parse(line.data(), line.size()).get(document) != simdjson::SUCCESS || document.get_object().get(object) != simdjson::SUCCESS)
        return Error{Error::Kind::Corrupt, "not JSON"};
    RemoteResponse response;
    simdjson::dom::element member;
    if (object["id"].get(member) == simdjson::SUCCESS && member.get_uint64().get(response.id) != simdjson::SUCCESS)
        response.id = 0;
    std::string_view text;
    if (object["result"]["data"].get_string().get(text) == simdjson::SUCCESS)
        response.data = text;
    else if (object["result"].get(member) == simdjson::SUCCESS)
        response.result = simdjson::minify(member);
    if (object["error"].get(member) == simdjson::SUCCESS)
        response.error = member["message"].get_string().get(text) == simdjson::SUCCESS ? std::string(text) : "an unknown error";
    return response;
}

} // namespace helio
