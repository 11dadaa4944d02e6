#pragma once

#include "core/base/result.h"
#include "core/remote/script_process.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Heliograph on another machine, reached with ssh, which answers requests (resources/guide/serve.md).
///
/// Threads: to be used by one thread at a time.
/// Ownership: the destructor ends the connection, by which the other Heliograph ends, and does not wait.
class RemoteSession {
public:
    /// Starts ssh; errors of the connection come with the first response. `host`: RemoteAddress::host. The environment variable
    /// HELIOGRAPH_REMOTE names the program there, if it is not in the PATH of ssh.
    /// Errors: Unreadable if ssh cannot be started.
    static Result<std::unique_ptr<RemoteSession>> start(const std::string& host);

    /// Sends a request. `params`: JSON object. Does not wait: what cannot be sent now is sent by receive(). Returns false if the connection
    /// is lost.
    bool send(std::uint64_t id, std::string_view method, std::string_view params);

    /// Returns the responses that have come, each a line of JSON. Waits up to `milliseconds` for the first, or until `wakeUp`, a
    /// descriptor, is readable; -1 for none.
    std::vector<std::string> receive(int milliseconds, int wakeUp = -1);
    bool isLost() { return m_process->hasOutputEnded(); } ///< True if no more responses will come.

    /// Sends a request and waits for its result, which is returned as JSON. Must not be called while another request is not answered.
    /// `most`: time after which the other machine counts as silent.
    /// Errors: those of the response; Unreadable if the connection is lost, with what ssh said, or silent; Cancelled.
    Result<std::string> call(std::string_view method, std::string_view params, const std::stop_token& stop,
                             std::chrono::seconds most = std::chrono::hours(24));

    Error lost(); ///< Returns the error that the connection is lost, with what ssh or the other machine said.

private:
    RemoteSession(std::string host, std::unique_ptr<ScriptProcess> process)
        : m_host(std::move(host))
        , m_process(std::move(process))
    {
    }

    bool flush();

    std::string m_host;
    std::string m_unsent; ///< Requests, or the end of one, that could not be sent yet.
    std::unique_ptr<ScriptProcess> m_process;
};

/// Response to a request.
struct RemoteResponse {
    std::uint64_t id = 0; ///< ID of the request; 0 if the line has none.
    std::string result; ///< Value of "result" as JSON; empty if the line has none, or has `data`.
    std::optional<std::string> data; ///< Member "data" of "result"; nullopt if there is none.
    std::string error; ///< Message of an error; empty if there is none.
};
/// Parses a line of JSON. Errors: Corrupt.
Result<RemoteResponse> readResponse(std::string_view line);

} // namespace helio
