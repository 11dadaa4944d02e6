// The HTTP server: its limits, and clients that do not behave.

#include "app/cli/tsp/http/http_server.h"
#include "tests/app/cli/tsp/http_client.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <sys/eventfd.h>
#include <thread>

using namespace helio;
using helio::test::exchange;
using helio::test::RawConnection;
using helio::test::ReceivedResponse;
using std::chrono::milliseconds;

namespace {

/// A server in this process. Its handler answers with the body of the request; some paths behave otherwise:
/// /wait waits until the handler is asked to stop, /throw and /memory throw, /large answers with 8 MiB.
class TestServer {
public:
    explicit TestServer(HttpLimits limits = {})
        : m_stop(::eventfd(0, EFD_CLOEXEC))
    {
        auto listening = HttpServer::listen({"127.0.0.1", 0}, limits);
        if (!listening)
            qFatal("%s", listening.error().what.c_str());
        m_server = std::move(*listening);
        m_thread = std::thread([this] {
            m_isDone =
                bool(m_server->run({[this](const HttpRequest& request) { return check(request); },
                                    [this](const HttpRequest& request, std::stop_token stop) { return handle(request, stop); },
                                    [](const HttpRequest&, HttpResponse& response) { response.headers.emplace_back("X-Last", "1"); }},
                                   m_stop));
        });
    }
    ~TestServer()
    {
        stop();
        ::close(m_stop);
    }

    void stop()
    {
        const std::uint64_t one = 1;
        if (::write(m_stop, &one, sizeof one) != sizeof one)
            qFatal("cannot write");
        if (m_thread.joinable())
            m_thread.join();
    }
    int port() const { return QByteArray::fromStdString(m_server->address()).split(':').last().toInt(); }
    HttpServer& server() { return *m_server; }
    bool isDone() const { return m_isDone; }

    /// Waits until this many handlers of /wait have begun, or have been asked to stop.
    bool waitForBegun(int count)
    {
        return waitFor([&] { return m_begun >= count; });
    }
    bool waitForStopped(int count)
    {
        return waitFor([&] { return m_stopped >= count; });
    }
    int checked() const { return m_checked; }

private:
    template <typename Is> bool waitFor(const Is& is)
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, std::chrono::seconds(60), is);
    }
    std::optional<HttpResponse> check(const HttpRequest& request)
    {
        ++m_checked;
        return request.path[0] == "refused" ? std::optional(makeErrorResponse(403, "refused")) : std::nullopt;
    }
    HttpResponse handle(const HttpRequest& request, std::stop_token stop)
    {
        HttpResponse response;
        if (request.path[0] == "throw")
            throw std::runtime_error("thrown");
        if (request.path[0] == "memory")
            throw std::bad_alloc();
        response.body = request.path[0] == "large" ? std::string(8 << 20, 'x') : request.body;
        if (request.path[0] != "wait")
            return response;
        std::unique_lock lock(m_mutex);
        ++m_begun;
        m_changed.notify_all();
        std::condition_variable_any stopped;
        stopped.wait(lock, stop, [] { return false; });
        ++m_stopped;
        m_changed.notify_all();
        response.body = "\"stopped\"";
        return response;
    }

    int m_stop;
    std::unique_ptr<HttpServer> m_server;
    std::mutex m_mutex; ///< Guards m_begun and m_stopped.
    std::condition_variable m_changed;
    int m_begun = 0;
    int m_stopped = 0;
    std::atomic<int> m_checked = 0;
    std::atomic<bool> m_isDone = false;
    std::thread m_thread;
};

const QByteArray Host = "Host: 127.0.0.1\r\n";

} // namespace

class HttpServerTest : public QObject {
    Q_OBJECT

private slots:
    void aConnectionServesManyRequests()
    {
        TestServer server;
        RawConnection client(server.port());
        for (const QByteArray body : {"\"a\"", "", "\"third\""}) {
            client.send("POST /echo HTTP/1.1\r\n" + Host + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
            const ReceivedResponse response = client.response();
            QCOMPARE(response.status, 200);
            QCOMPARE(response.body, body);
            QCOMPARE(response.header("connection"), QByteArray("keep-alive"));
            QCOMPARE(response.header("x-last"), QByteArray("1"));
        }
        // Two requests in one packet, and one in single bytes.
        client.send("POST /1 HTTP/1.1\r\n" + Host + "Content-Length: 2\r\n\r\n11POST /2 HTTP/1.1\r\n" + Host
                    + "Content-Length: 1\r\n\r\n2");
        QCOMPARE(client.response().body, QByteArray("11"));
        QCOMPARE(client.response().body, QByteArray("2"));
        for (const char byte : "POST /3 HTTP/1.1\r\n" + Host + "Connection: close\r\nContent-Length: 1\r\n\r\n3")
            client.send(QByteArray(1, byte));
        const ReceivedResponse last = client.response();
        QCOMPARE(last.body, QByteArray("3"));
        QCOMPARE(last.header("connection"), QByteArray("close"));
        QVERIFY(client.isClosedByServer());
    }

    void aRequestMayExpectToContinue()
    {
        TestServer server;
        RawConnection client(server.port());
        client.send("POST /echo HTTP/1.1\r\n" + Host + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n");
        QCOMPARE(client.response().status, 100);
        client.send("42");
        QCOMPARE(client.response().body, QByteArray("42"));
    }

    void refusedRequestsAreAnswered_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");
        const QByteArray large(200'000, 'x');
        test::addRow("no HTTP", QByteArray("\x16\x03\x01\r\n\r\n"), 400);
        test::addRow("large head", "GET / HTTP/1.1\r\n" + Host + "X: " + large + "\r\n\r\n", 431);
        test::addRow("head without end", large, 431);
        test::addRow("large body", "POST / HTTP/1.1\r\n" + Host + "Content-Length: 200000\r\n\r\n" + large, 413);
        test::addRow("huge body", "POST / HTTP/1.1\r\n" + Host + "Content-Length: 18446744073709551615\r\n\r\n" + large, 413);
        test::addRow("chunked body", "POST / HTTP/1.1\r\n" + Host + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n", 501);
        test::addRow("refused by the check", "POST /refused HTTP/1.1\r\n" + Host + "Content-Length: 200000\r\n\r\n" + large, 403);
    }
    void refusedRequestsAreAnswered()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, status);
        HttpLimits limits;
        limits.bodyBytes = 100'000;
        TestServer server(limits);
        RawConnection client(server.port());

        client.send(bytes);

        const ReceivedResponse response = client.response();
        QCOMPARE(response.status, status);
        QVERIFY(!response.title().isEmpty());
        QCOMPARE(response.header("connection"), QByteArray("close"));
        QVERIFY(client.isClosedByServer());
        QCOMPARE(exchange(server.port(), "POST", "/echo", "1").body, QByteArray("1")); // The server goes on.
    }

    void slowClientsAreDisconnected()
    {
        HttpLimits limits;
        limits.receiveTime = milliseconds(300);
        limits.idleTime = milliseconds(300);
        TestServer server(limits);
        RawConnection silent(server.port());
        RawConnection slow(server.port());
        slow.send("GET / HT");
        RawConnection halfBody(server.port());
        halfBody.send("POST / HTTP/1.1\r\n" + Host + "Content-Length: 10\r\n\r\n12345");
        QVERIFY(silent.isClosedByServer());
        QCOMPARE(slow.response().status, 408);
        QCOMPARE(halfBody.response().status, 408);
    }

    /// Property: a client that sends a byte now and then does not keep its connection for longer than the limit.
    void drippingBytesDoNotExtendTheLimit()
    {
        HttpLimits limits;
        limits.receiveTime = milliseconds(500);
        TestServer server(limits);
        RawConnection client(server.port());
        int bytes = 0;
        for (; bytes < 1'000 && !client.hasArrived(); ++bytes) {
            client.send("G");
            std::this_thread::sleep_for(milliseconds(20));
        }
        QVERIFY(bytes < 1'000);
        QCOMPARE(client.response().status, 408);
    }

    void aClientThatDoesNotReadIsDisconnected()
    {
        HttpLimits limits;
        limits.sendTime = milliseconds(300);
        limits.connections = 1;
        TestServer server(limits);
        {
            RawConnection client(server.port());
            client.send(("GET /large HTTP/1.1\r\n" + Host + "\r\n").repeated(10));
            // Its connection is the only one. It ends although the client stays.
            ReceivedResponse response;
            for (int i = 0; i < 300 && response.status != 200; ++i) {
                response = exchange(server.port(), "POST", "/echo", "1");
                std::this_thread::sleep_for(milliseconds(20));
            }
            QCOMPARE(response.status, 200);
        }
    }

    void tooManyConnectionsAreTurnedAway()
    {
        HttpLimits limits;
        limits.connections = 2;
        TestServer server(limits);
        RawConnection first(server.port()), second(server.port());
        first.send("POST /echo HTTP/1.1\r\n" + Host + "Content-Length: 1\r\n\r\n1");
        second.send("POST /echo HTTP/1.1\r\n" + Host + "Content-Length: 1\r\n\r\n2");
        QCOMPARE(first.response().body, QByteArray("1"));
        QCOMPARE(second.response().body, QByteArray("2"));
        RawConnection third(server.port());
        QCOMPARE(third.response().status, 503);
        QVERIFY(third.isClosedByServer());
    }

    void handlersAreStopped()
    {
        HttpLimits limits;
        limits.handleTime = milliseconds(200);
        TestServer server(limits);
        QCOMPARE(exchange(server.port(), "GET", "/wait").body, QByteArray("\"stopped\"")); // The time limit ended it.

        HttpLimits patient;
        TestServer other(patient);
        {
            RawConnection client(other.port());
            client.send("GET /wait HTTP/1.1\r\n" + Host + "\r\n");
            QVERIFY(other.waitForBegun(1));
        }
        QVERIFY(other.waitForStopped(1)); // The client has gone.
        RawConnection client(other.port());
        client.send("GET /wait HTTP/1.1\r\n" + Host + "\r\n");
        QVERIFY(other.waitForBegun(2));
        other.stop();
        QVERIFY(other.waitForStopped(2)); // The end of the server ended it.
        QVERIFY(other.isDone());
    }

    void onlySomeRequestsRunAtTheSameTime()
    {
        HttpLimits limits;
        limits.runningRequests = 1;
        limits.handleTime = milliseconds(1'000);
        TestServer server(limits);
        RawConnection first(server.port());
        first.send("GET /wait HTTP/1.1\r\n" + Host + "\r\n");
        QVERIFY(server.waitForBegun(1));
        RawConnection second(server.port());
        second.send("POST /echo HTTP/1.1\r\n" + Host + "Content-Length: 1\r\n\r\n2");
        QCOMPARE(first.response().body, QByteArray("\"stopped\""));
        const int status = second.response().status;
        QVERIFY2(status == 200 || status == 503, QByteArray::number(status)); // It waited, for as long as it may take itself.
    }

    void exceptionsBecomeResponses()
    {
        TestServer server;
        const ReceivedResponse thrown = exchange(server.port(), "GET", "/throw");
        QCOMPARE(thrown.status, 500);
        QCOMPARE(thrown.title(), QString("thrown"));
        QCOMPARE(exchange(server.port(), "GET", "/memory").status, 503);
    }

    void addressesAreRead()
    {
        const auto read = [](const char* text) {
            const auto address = parseListenAddress(text);
            return address ? QByteArray::fromStdString(address->host) + ' ' + QByteArray::number(address->port)
                           : QByteArray::fromStdString("! " + address.error().what);
        };
        QCOMPARE(read("127.0.0.1:8080"), QByteArray("127.0.0.1 8080"));
        QCOMPARE(read("[::1]:0"), QByteArray("::1 0"));
        QCOMPARE(read("localhost:65535"), QByteArray("localhost 65535"));
        for (const char* wrong : {"", ":", "8080", ":8080", "a:", "a:65536", "a:-1", "a:+1", "a:8x", "::1:8080"})
            QVERIFY2(read(wrong).startsWith("! "), wrong);

        QVERIFY(!HttpServer::listen({"256.256.256.256", 1}));
        const auto first = HttpServer::listen({"127.0.0.1", 0});
        QVERIFY(bool(first) && (*first)->isLoopback());
        const auto taken = parseListenAddress((*first)->address());
        const auto second = HttpServer::listen(*taken);
        QVERIFY(!second && second.error().what.starts_with("cannot listen on 127.0.0.1:"));
        const auto everywhere = HttpServer::listen({"0.0.0.0", 0});
        QVERIFY(bool(everywhere) && !(*everywhere)->isLoopback());
    }
};

HELIO_TEST(HttpServerTest)
#include "tst_http_server.moc"
