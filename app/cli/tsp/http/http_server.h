#pragma once

#include "app/cli/tsp/http/http_message.h"
#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace helio {

/// Bounds of what clients may use.
struct HttpLimits {
    std::size_t bodyBytes = 4 << 20; ///< Maximum length of a request's body.
    std::size_t connections = 64; ///< Maximum number of open connections; each has a thread.
    std::size_t runningRequests = 8; ///< Maximum number of requests that are handled at the same time; others wait.
    std::chrono::milliseconds idleTime{30'000}; ///< Time after which a connection without a request is closed.
    std::chrono::milliseconds receiveTime{20'000}; ///< Maximum time from the first byte of a request to its last byte.
    std::chrono::milliseconds handleTime{60'000}; ///< Time after which the handler of a request is asked to stop.
    std::chrono::milliseconds sendTime{30'000}; ///< Time after which a client that receives nothing is disconnected.
};

/// An address to listen on.
struct ListenAddress {
    std::string host; ///< Name or number of the address without brackets, e.g. "127.0.0.1" or "::1".
    std::uint16_t port = 0; ///< TCP port; 0 for any free port.
};

/// Parses HOST:PORT, with an IPv6 address in brackets: "127.0.0.1:8080", "[::1]:8080".
/// Errors: Usage.
Result<ListenAddress> parseListenAddress(std::string_view text);

/// A small server for HTTP/1.1 without encryption, for clients that send one request after the other. Everything that a client sends is
/// bounded by HttpLimits; a request that violates HTTP is refused and its connection is closed.
class HttpServer {
public:
    /// Functions that answer requests.
    /// Threads: called by several threads at the same time.
    struct Handlers {
        /// Decides on a request before its body is received. Returns the response to a request that needs no handler; else nullopt.
        std::function<std::optional<HttpResponse>(const HttpRequest&)> check;
        /// Returns the response to a request. Should return soon after the token is requested: the client has gone, the time limit has
        /// passed or the server ends. Exceptions become responses with the status 500 or 503.
        std::function<HttpResponse(const HttpRequest&, std::stop_token)> handle;
        /// Adds headers to a response of `check` or `handle`.
        std::function<void(const HttpRequest&, HttpResponse&)> complete;
    };

    /// Binds the address and begins to listen. Clients can connect at once; run() answers them.
    /// Errors: Usage if the host is not known; Unreadable if the address cannot be used.
    static Result<std::unique_ptr<HttpServer>> listen(const ListenAddress& address, const HttpLimits& limits = {});
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    std::string address() const; ///< Returns the bound address as in a URL: "127.0.0.1:8080" or "[::1]:8080".
    bool isLoopback() const; ///< True if only programs of this machine can connect.

    /// Answers requests until `stopDescriptor` becomes readable. Running handlers are then asked to stop, and waited for.
    /// Errors: Unreadable if the socket fails.
    Status run(const Handlers& handlers, int stopDescriptor);

private:
    class Connection;
    class Connections;

    HttpServer(int socket, const HttpLimits& limits)
        : m_socket(socket)
        , m_limits(limits)
    {
    }

    int m_socket;
    HttpLimits m_limits;
};

} // namespace helio
