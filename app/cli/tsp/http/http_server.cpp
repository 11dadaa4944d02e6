#include "app/cli/tsp/http/http_server.h"

#include "app/cli/tsp/http/socket_stream.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <list>
#include <mutex>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <new>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace helio {
namespace {

using Clock = SocketStream::Clock;

constexpr int WatchMilliseconds = 100; ///< Interval at which deadlines of running requests are checked.

/// Lets a limited number of threads pass.
class Gate {
public:
    explicit Gate(std::size_t most)
        : m_free(most)
    {
    }

    /// Waits for room. Returns false if a stop is requested first.
    bool enter(const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait(lock, stop, [this] { return m_free > 0; }))
            return false;
        --m_free;
        return true;
    }
    void leave()
    {
        const std::lock_guard lock(m_mutex);
        ++m_free;
        m_changed.notify_one();
    }

private:
    std::mutex m_mutex; ///< Guards m_free.
    std::condition_variable_any m_changed;
    std::size_t m_free;
};

HttpResponse handleSafely(const HttpServer::Handlers& handlers, const HttpRequest& request, const std::stop_token& stop)
{
    try {
        return handlers.handle(request, stop);
    } catch (const std::bad_alloc&) {
        return makeErrorResponse(503, "the server has not enough memory for the request");
    } catch (const std::exception& error) {
        return makeErrorResponse(500, error.what());
    }
}

struct FreeAddresses {
    void operator()(addrinfo* first) const { freeaddrinfo(first); }
};

sockaddr_storage boundAddress(int socket)
{
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    return address;
}

} // namespace

/// A connected client, and the thread that answers its requests.
class HttpServer::Connection {
public:
    Connection(int socket, const HttpLimits& limits, const Handlers& handlers, Gate& gate)
        : m_socket(socket)
        , m_limits(limits)
        , m_handlers(handlers)
        , m_gate(gate)
    {
    }
    ~Connection()
    {
        if (m_thread.joinable())
            m_thread.join();
        ::close(m_socket);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Errors: throws std::system_error if no thread can be started.
    void start()
    {
        m_thread = std::thread([this] {
            try {
                run();
            } catch (const std::bad_alloc&) {
                // Without memory for the request, only this client is disconnected.
            }
            ::shutdown(m_socket, SHUT_RDWR);
            m_isDone = true;
        });
    }
    void stop()
    {
        m_isStopping = true;
        {
            const std::lock_guard lock(m_mutex);
            m_stop.request_stop();
        }
        ::shutdown(m_socket, SHUT_RDWR);
    }
    bool isDone() const { return m_isDone; }
    int socket() const { return m_socket; }

    /// Returns the time at which the running request is cancelled; nullopt if no request is running.
    std::optional<Clock::time_point> deadline() const
    {
        const std::lock_guard lock(m_mutex);
        return m_deadline;
    }
    void cancelRequest()
    {
        const std::lock_guard lock(m_mutex);
        if (m_deadline)
            m_stop.request_stop();
    }

private:
    void run();
    bool receiveHead(HttpRequest& request);
    bool receiveBody(HttpRequest& request);
    HttpResponse handle(const HttpRequest& request);
    bool send(const HttpResponse& response, bool isLast);
    bool refuse(const HttpFault& fault);

    const int m_socket;
    const SocketStream m_stream{m_socket};
    const HttpLimits& m_limits;
    const Handlers& m_handlers;
    Gate& m_gate;
    std::string m_buffer; ///< Received bytes that belong to no handled request.
    std::size_t m_headBytes = 0; ///< Length of the head at the beginning of m_buffer.
    Clock::time_point m_receiveDeadline;
    std::atomic<bool> m_isDone = false;
    std::atomic<bool> m_isStopping = false;
    mutable std::mutex m_mutex; ///< Guards m_stop and m_deadline.
    std::stop_source m_stop; ///< Stops the running request.
    std::optional<Clock::time_point> m_deadline; ///< Time limit of the running request; nullopt if none is running.
    std::thread m_thread;
};

void HttpServer::Connection::run()
{
    while (!m_isStopping) {
        HttpRequest request;
        if (!receiveHead(request))
            return;
        std::optional<HttpResponse> response = m_handlers.check(request);
        bool isLast = !request.keepsConnection;
        if (response)
            isLast = isLast || request.bodyBytes > 0; // The body stays unread.
        else if (!receiveBody(request))
            return;
        else
            response = handle(request);
        m_buffer.erase(0, std::min(m_buffer.size(), m_headBytes + (isLast ? 0 : request.bodyBytes)));
        m_handlers.complete(request, *response);
        if (!send(*response, isLast) || isLast)
            return;
    }
}

/// Receives a head. Returns false if there is none, or if it was refused.
bool HttpServer::Connection::receiveHead(HttpRequest& request)
{
    constexpr std::string_view End = "\r\n\r\n";
    m_receiveDeadline = Clock::now() + (m_buffer.empty() ? m_limits.idleTime : m_limits.receiveTime);
    std::size_t end = m_buffer.find(End);
    while (end == std::string::npos && m_buffer.size() <= MostHeadBytes) {
        const bool isFirst = m_buffer.empty();
        const std::size_t searched = m_buffer.size() < End.size() ? 0 : m_buffer.size() - End.size() + 1;
        const auto outcome = m_stream.receive(m_buffer, m_receiveDeadline);
        if (outcome == SocketStream::Outcome::End)
            return false;
        if (outcome == SocketStream::Outcome::Late)
            return !isFirst && refuse({408, "the request took too long to arrive"});
        if (isFirst)
            m_receiveDeadline = Clock::now() + m_limits.receiveTime;
        end = m_buffer.find(End, searched);
    }
    if (end == std::string::npos || end + End.size() > MostHeadBytes)
        return refuse({431, "the request line and headers have more than " + std::to_string(MostHeadBytes) + " bytes"});
    m_headBytes = end + End.size();
    if (const auto fault = parseHead(std::string_view(m_buffer).substr(0, m_headBytes), request))
        return refuse(*fault);
    return true;
}

bool HttpServer::Connection::receiveBody(HttpRequest& request)
{
    if (request.bodyBytes > m_limits.bodyBytes)
        return refuse({413, "the body has more than " + std::to_string(m_limits.bodyBytes) + " bytes"});
    if (const std::string* expected = request.header("expect"); expected && m_buffer.size() < m_headBytes + request.bodyBytes)
        if (*expected == "100-continue" && !m_stream.send("HTTP/1.1 100 Continue\r\n\r\n", m_limits.sendTime))
            return false;
    while (m_buffer.size() - m_headBytes < request.bodyBytes) {
        const auto outcome = m_stream.receive(m_buffer, m_receiveDeadline);
        if (outcome == SocketStream::Outcome::Late)
            return refuse({408, "the request took too long to arrive"});
        if (outcome == SocketStream::Outcome::End)
            return false;
    }
    request.body = m_buffer.substr(m_headBytes, request.bodyBytes);
    return true;
}

HttpResponse HttpServer::Connection::handle(const HttpRequest& request)
{
    std::stop_token stop;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_isStopping)
            m_stop = std::stop_source();
        m_deadline = Clock::now() + m_limits.handleTime;
        stop = m_stop.get_token();
    }
    HttpResponse response;
    if (m_gate.enter(stop)) {
        response = handleSafely(m_handlers, request, stop);
        m_gate.leave();
    } else {
        response = makeErrorResponse(503, "the server is busy; try again later");
    }
    const std::lock_guard lock(m_mutex);
    m_deadline.reset();
    return response;
}

bool HttpServer::Connection::send(const HttpResponse& response, bool isLast)
{
    if (!m_stream.send(headOf(response, isLast), m_limits.sendTime)
        || (response.status != 204 && !m_stream.send(response.body, m_limits.sendTime)))
        return false;
    if (isLast)
        m_stream.finish();
    return true;
}

/// Sends the reason for which a request is not handled, and ends the connection. Returns false.
bool HttpServer::Connection::refuse(const HttpFault& fault)
{
    send(makeErrorResponse(fault.status, fault.what), true);
    return false;
}

/// The open connections.
class HttpServer::Connections {
public:
    Connections(const HttpLimits& limits, const Handlers& handlers)
        : m_limits(limits)
        , m_handlers(handlers)
        , m_gate(limits.runningRequests)
    {
    }
    ~Connections()
    {
        for (const auto& connection : m_all)
            connection->stop();
        m_all.clear();
    }

    bool isEmpty() const { return m_all.empty(); }

    /// Answers the requests of a client. Takes ownership of the descriptor.
    void add(int socket)
    {
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        auto connection = std::make_unique<Connection>(socket, m_limits, m_handlers, m_gate);
        const auto turnAway = [socket] {
            const HttpResponse busy = makeErrorResponse(503, "too many connections are open");
            const std::string bytes = headOf(busy, true) + busy.body;
            [[maybe_unused]] const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        };
        if (m_all.size() >= m_limits.connections)
            return turnAway();
        try {
            connection->start();
        } catch (const std::system_error&) {
            return turnAway();
        }
        m_all.push_back(std::move(connection));
    }

    void addRunningTo(std::vector<pollfd>& waits) const
    {
        for (const auto& connection : m_all)
            if (connection->deadline())
                waits.push_back({connection->socket(), POLLRDHUP, 0});
    }

    /// Removes connections that have ended, and cancels requests that take too long or whose client has gone.
    void update(const std::vector<pollfd>& waits)
    {
        const auto now = Clock::now();
        std::erase_if(m_all, [](const auto& connection) { return connection->isDone(); });
        for (const auto& connection : m_all) {
            const auto hasGone = [&](const pollfd& wait) { return wait.fd == connection->socket() && wait.revents != 0; };
            const auto deadline = connection->deadline();
            if (deadline && (*deadline <= now || std::ranges::any_of(waits, hasGone)))
                connection->cancelRequest();
        }
    }

private:
    const HttpLimits& m_limits;
    const Handlers& m_handlers;
    Gate m_gate;
    std::list<std::unique_ptr<Connection>> m_all;
};

Result<ListenAddress> parseListenAddress(std::string_view text)
{
    const auto colon = text.rfind(':');
    ListenAddress address;
    if (colon == std::string_view::npos || colon == 0)
        return Error{Error::Kind::Usage, '"' + std::string(text) + "\" is not HOST:PORT, e.g. 127.0.0.1:8080"};
    address.host = text.substr(0, colon);
    if (address.host.starts_with('[') && address.host.ends_with(']'))
        address.host = address.host.substr(1, address.host.size() - 2);
    else if (address.host.find(':') != std::string::npos)
        return Error{Error::Kind::Usage, "an IPv6 address needs brackets, e.g. [::1]:8080"};
    const std::string_view port = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (port.empty() || error != std::errc() || end != port.data() + port.size())
        return Error{Error::Kind::Usage, '"' + std::string(port) + "\" is not a port, 0 to 65535"};
    return address;
}

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const ListenAddress& address, const HttpLimits& limits)
{
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found))
        return Error{Error::Kind::Usage, address.host + ": " + gai_strerror(error)};
    const std::unique_ptr<addrinfo, FreeAddresses> owner(found);
    int problem = 0;
    for (const addrinfo* each = found; each; each = each->ai_next) {
        const int socket = ::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (socket < 0) {
            problem = errno;
            continue;
        }
        const int on = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (::bind(socket, each->ai_addr, each->ai_addrlen) == 0 && ::listen(socket, SOMAXCONN) == 0)
            return std::unique_ptr<HttpServer>(new HttpServer(socket, limits));
        problem = errno;
        ::close(socket);
    }
    return Error{Error::Kind::Unreadable,
                 "cannot listen on " + address.host + ':' + std::to_string(address.port) + ": " + std::strerror(problem)};
}

HttpServer::~HttpServer() { ::close(m_socket); }

std::string HttpServer::address() const
{
    const sockaddr_storage bound = boundAddress(m_socket);
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (bound.ss_family == AF_INET6) {
        sockaddr_in6 six;
        std::memcpy(&six, &bound, sizeof six);
        ::inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
        return '[' + std::string(text.data()) + "]:" + std::to_string(ntohs(six.sin6_port));
    }
    sockaddr_in four;
    std::memcpy(&four, &bound, sizeof four);
    ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
    return std::string(text.data()) + ':' + std::to_string(ntohs(four.sin_port));
}

bool HttpServer::isLoopback() const
{
    const sockaddr_storage bound = boundAddress(m_socket);
    if (bound.ss_family == AF_INET6) {
        sockaddr_in6 six;
        std::memcpy(&six, &bound, sizeof six);
        return IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
    }
    sockaddr_in four;
    std::memcpy(&four, &bound, sizeof four);
    return bound.ss_family == AF_INET && ntohl(four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

Status HttpServer::run(const Handlers& handlers, int stopDescriptor)
{
    Connections connections(m_limits, handlers);
    std::vector<pollfd> waits;
    bool isFull = false; // True if the process has no descriptor left for another connection.
    for (;;) {
        waits = {{stopDescriptor, POLLIN, 0}, {m_socket, static_cast<short>(isFull ? 0 : POLLIN), 0}};
        connections.addRunningTo(waits);
        if (::poll(waits.data(), waits.size(), connections.isEmpty() && !isFull ? -1 : WatchMilliseconds) < 0 && errno != EINTR)
            return Error{Error::Kind::Unreadable, std::string("cannot wait for connections: ") + std::strerror(errno)};
        if (waits[0].revents != 0)
            return Done{};
        connections.update(waits);
        isFull = false;
        if (waits[1].revents == 0)
            continue;
        const int socket = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (socket >= 0)
            connections.add(socket);
        else
            isFull = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    }
}

} // namespace helio
