#include "app/cli/tsp/http/access_rules.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

HttpRequest requestWith(const HttpFields& headers, const char* method = "GET")
{
    HttpRequest request;
    request.method = method;
    request.headers = headers;
    return request;
}

/// Status of the response of the rules; 0 if the request is allowed.
int statusOf(const AccessRules& rules, const HttpFields& headers, const char* method = "GET")
{
    const auto response = rules.check(requestWith(headers, method));
    return response ? response->status : 0;
}

} // namespace

class AccessRulesTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: a name that a web page controls and lets point to 127.0.0.1 (DNS rebinding) does not reach the server.
    void aLoopbackServerAnswersOnlyToItsNames()
    {
        const AccessRules rules({}, "127.0.0.5:8080", true, {});
        for (const char* own : {"localhost", "LocalHost:8080", "127.0.0.1:1", "127.0.0.1", "[::1]:8080", "[::1]", "127.0.0.5:8080"})
            QVERIFY2(statusOf(rules, {{"host", own}}) == 0, own);
        for (const char* foreign :
             {"", "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example:8080", "::1",
              "localhost:", "localhost:x", "[::1]x", "127.0.0.6:8080", "localhost:8080:8080", "[::1", "user@localhost"})
            QVERIFY2(statusOf(rules, {{"host", foreign}}) == 403, foreign);
        QCOMPARE(statusOf(AccessRules("0123456789abcdef", "0.0.0.0:8080", false, {}), {{"host", "evil.example"}}), 401);
    }

    void aTokenIsRequired()
    {
        const AccessRules rules("0123456789abcdef", "0.0.0.0:8080", false, {});
        QCOMPARE(statusOf(rules, {{"authorization", "Bearer 0123456789abcdef"}}), 0);
        QCOMPARE(statusOf(rules, {{"authorization", "bearer 0123456789abcdef"}}), 0);
        for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0", "Bearer 0123456789abcdeF",
                                  "Basic 0123456789abcdef", "0123456789abcdef", "Bearer 0123456789abcdef0123456789abcdef"})
            QVERIFY2(statusOf(rules, {{"authorization", wrong}}) == 401, wrong);
        QCOMPARE(statusOf(rules, {}), 401);
        QVERIFY(!isSecret("", "") && isSecret("a", "a") && !isSecret("a", "aa") && !isSecret("aa", "a"));
    }

    void webPagesNeedPermission()
    {
        const AccessRules closed({}, "127.0.0.1:8080", true, {});
        QCOMPARE(statusOf(closed, {{"host", "localhost"}, {"origin", "http://evil.example"}}), 403);
        QCOMPARE(statusOf(closed, {{"host", "localhost"}, {"origin", "null"}}, "OPTIONS"), 403);

        const AccessRules open("0123456789abcdef", "127.0.0.1:8080", true, {"http://localhost:3000", "vscode-webview://*"});
        const HttpFields theia{{"host", "localhost"}, {"origin", "http://localhost:3000"}};
        const auto preflight = open.check(requestWith(theia, "OPTIONS"));
        QVERIFY(preflight && preflight->status == 204);
        HttpResponse response = *preflight;
        open.complete(requestWith(theia), response);
        QVERIFY(std::ranges::count(response.headers, HttpFields::value_type("Access-Control-Allow-Origin", "http://localhost:3000")) == 1);
        QCOMPARE(statusOf(open, theia), 401); // The token is needed, too.
        HttpFields code{{"host", "localhost"}, {"origin", "vscode-webview://0a1b"}, {"authorization", "Bearer 0123456789abcdef"}};
        QCOMPARE(statusOf(open, code), 0);
        for (const char* foreign :
             {"http://localhost:3001", "http://localhost:30000", "https://localhost:3000", "vscode-webview:/", "null"}) {
            code[1].second = foreign;
            QVERIFY2(statusOf(open, code) == 403, foreign);
            HttpResponse other;
            open.complete(requestWith(code), other);
            QVERIFY(other.headers.empty());
        }
    }

    void originsAreChecked()
    {
        for (const char* good : {"http://localhost:3000", "https://a.example", "vscode-webview://*", "vscode-file://vscode-app"})
            QVERIFY2(bool(AccessRules::checkOrigin(good)), good);
        for (const char* wrong : {"", "*", "localhost:3000", "http://", "http://*", "https://*.example", "HTTP://a*", "http://a/b",
                                  "http://a b", "://a", "vscode-webview://*/x", "x://a\r\nY: b"})
            QVERIFY2(!AccessRules::checkOrigin(wrong), wrong);
    }
};

HELIO_TEST(AccessRulesTest)
#include "tst_access_rules.moc"
