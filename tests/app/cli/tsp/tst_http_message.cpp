#include "app/cli/tsp/http/http_message.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

/// Status of the fault of a head; 0 if it is accepted.
int statusOf(const std::string& head)
{
    HttpRequest request;
    const auto fault = parseHead(head, request);
    return fault ? fault->status : 0;
}

} // namespace

class HttpMessageTest : public QObject {
    Q_OBJECT

private slots:
    void aRequestIsParsed()
    {
        HttpRequest request;
        const auto fault = parseHead("POST /tsp/api/a%20b/%c3%a9/?x=1+2&y=%26&z HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length:12 \r\n"
                                     "X-A:\t b c \t\r\n\r\n",
                                     request);

        QVERIFY2(!fault, fault ? fault->what.c_str() : "");
        QCOMPARE(request.method, std::string("POST"));
        QCOMPARE(request.path, (std::vector<std::string>{"tsp", "api", "a b", "\xc3\xa9", ""}));
        QCOMPARE(*request.parameter("x"), std::string("1 2"));
        QCOMPARE(*request.parameter("y"), std::string("&"));
        QCOMPARE(*request.parameter("z"), std::string());
        QVERIFY(!request.parameter("Z"));
        QCOMPARE(*request.header("host"), std::string("localhost:8080"));
        QCOMPARE(*request.header("x-a"), std::string("b c"));
        QCOMPARE(request.bodyBytes, std::size_t(12));
        QVERIFY(request.keepsConnection);
    }

    void theConnectionEndsWhereTheClientWantsIt()
    {
        HttpRequest old;
        QVERIFY(!parseHead("GET / HTTP/1.0\r\n\r\n", old) && !old.keepsConnection);
        HttpRequest last;
        QVERIFY(!parseHead("GET / HTTP/1.1\r\nHost: a\r\nConnection: Keep-Alive, Close\r\n\r\n", last) && !last.keepsConnection);
    }

    void ambiguousAndBrokenHeadsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<int>("status");
        const auto add = [](const char* name, const QByteArray& head, int status) { test::addRow(name, head, status); };
        const QByteArray line("GET / HTTP/1.1\r\nHost: a\r\n");
        add("accepted", line + "\r\n", 0);
        add("empty", "\r\n", 400);
        add("line end", "GET / HTTP/1.1\nHost: a\n\n", 400);
        add("no version", "GET /\r\n\r\n", 400);
        add("version 2", "GET / HTTP/2\r\n\r\n", 505);
        add("lower version", "GET / http/1.1\r\nHost: a\r\n\r\n", 505);
        add("no method", " / HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("long method", QByteArray(17, 'A') + " / HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("no Host", "GET / HTTP/1.1\r\n\r\n", 400);
        add("two Hosts", line + "Host: b\r\n\r\n", 400);
        add("two lengths", line + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", 400);
        add("negative length", line + "Content-Length: -1\r\n\r\n", 400);
        add("signed length", line + "Content-Length: +1\r\n\r\n", 400);
        add("hexadecimal length", line + "Content-Length: 0x1\r\n\r\n", 400);
        add("list of lengths", line + "Content-Length: 1, 1\r\n\r\n", 400);
        add("huge length", line + "Content-Length: 99999999999999999999\r\n\r\n", 400);
        add("no length", line + "Content-Length:\r\n\r\n", 400);
        add("chunked", line + "Transfer-Encoding: chunked\r\n\r\n", 501);
        add("folded", line + "X: a\r\n b\r\n\r\n", 400);
        add("blank before colon", line + "X : a\r\n\r\n", 400);
        add("no colon", line + "X\r\n\r\n", 400);
        add("control character", line + QByteArray("X: a\0b\r\n\r\n", 10), 400);
        add("carriage return", line + "X: a\rb\r\n\r\n", 400);
        add("absolute target", "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("asterisk", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("half escape", "GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("wrong escape", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("NUL", "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("no UTF-8", "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("blank in target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("many segments", "GET " + QByteArray("/a").repeated(17) + " HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("many parameters", "GET /?" + QByteArray("a&").repeated(33) + " HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        add("long target", "GET /" + QByteArray(8'192, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414);
        add("many headers", line + QByteArray("X: a\r\n").repeated(100) + "\r\n", 431);
    }
    void ambiguousAndBrokenHeadsAreRefused()
    {
        QFETCH(QByteArray, head);
        QFETCH(int, status);
        QCOMPARE(statusOf(head.toStdString()), status);
    }

    /// Property: no beginning of a request, and no request with a changed byte, is read beyond its end or accepted with another meaning of
    /// its length.
    void damagedHeadsNeverCrash()
    {
        const std::string whole = "POST /tsp/api/experiments/1/outputs?a=b HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n";
        for (std::size_t size = 0; size < whole.size(); ++size)
            statusOf(whole.substr(0, size));
        for (std::size_t at = 0; at < whole.size(); ++at)
            for (int byte = 0; byte < 256; ++byte) {
                std::string changed = whole;
                changed[at] = static_cast<char>(byte);
                HttpRequest request;
                if (!parseHead(changed, request))
                    QVERIFY(request.bodyBytes <= 9 || changed.find(": 7") == std::string::npos);
            }
    }

    void responsesSayTheirLength()
    {
        HttpResponse response = makeErrorResponse(404, "no \"such\" trace");
        response.headers.emplace_back("Vary", "Origin");
        QCOMPARE(QByteArray::fromStdString(response.body), QByteArray("{\"title\":\"no \\\"such\\\" trace\"}"));
        QCOMPARE(QByteArray::fromStdString(headOf(response, false)),
                 QByteArray("HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 29\r\nConnection: keep-alive\r\n"
                            "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nVary: Origin\r\n\r\n"));
        QVERIFY(headOf(response, true).find("Connection: close") != std::string::npos);
    }
};

HELIO_TEST(HttpMessageTest)
#include "tst_http_message.moc"
