#include "app/cli/serve/line_input.h"
#include "app/cli/serve/request.h"
#include "app/cli/serve/request_queue.h"
#include "app/cli/serve/row_batches.h"
#include "tests/app/cli/serve/json_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>
#include <thread>
#include <unistd.h>

using namespace helio;

namespace {

/// A pipe whose writing end can be closed before its reading end.
struct Pipe {
    Pipe() { opened = pipe(ends) == 0; }
    ~Pipe()
    {
        closeWriter();
        close(ends[0]);
    }
    void write(std::string_view text) const { QCOMPARE(::write(ends[1], text.data(), text.size()), ssize_t(text.size())); }
    void closeWriter()
    {
        if (ends[1] >= 0)
            close(ends[1]);
        ends[1] = -1;
    }

    int ends[2] = {-1, -1};
    bool opened = false;
};

QString textOf(const sql::Value& value)
{
    std::string text;
    appendSqlValue(text, value);
    return QString::fromStdString(text);
}

ServeRequest requestWithId(const std::string& id)
{
    ServeRequest request;
    request.id = id;
    request.bytes = 10;
    return request;
}

} // namespace

class ServeRequestsTest : public QObject {
    Q_OBJECT

private slots:
    void parametersAreRead()
    {
        const QByteArray line = json("{'id':'a\\'b','method':'latency','params':{'trace':9007199254740993,'paths':['x','y'],"
                                     "'sql':'','arguments':['info'],'format':'svg','request':-4,'options':{'no_sync':true,"
                                     "'json':false,'cpu':9223372036854775807,'scale':0.5,'symbols':['a','b=c'],'row':null}}}");
        const ReadRequest read = readRequest(line.toStdString());
        QVERIFY2(!read.error, read.error ? read.error->what.c_str() : "");
        const ServeRequest& request = read.request;
        QCOMPARE(request.id, json("'a\\'b'").toStdString());
        QCOMPARE(request.method, std::string("latency"));
        QCOMPARE(request.trace.value_or(0), std::int64_t(9007199254740993));
        QCOMPARE(request.paths, (std::vector<std::string>{"x", "y"}));
        QVERIFY(request.sql && request.sql->empty());
        QCOMPARE(request.arguments, std::vector<std::string>{"info"});
        QCOMPARE(request.format, std::string("svg"));
        QCOMPARE(request.request, std::string("-4"));
        QCOMPARE(request.options,
                 (std::vector<std::string>{"--no-sync", "--cpu=9223372036854775807", "--scale=0.5", "--symbols=a", "--symbols=b=c"}));
        QCOMPARE(request.optionNames, (std::vector<std::string>{"--no-sync", "--cpu", "--scale", "--symbols", "--symbols"}));
    }

    void wrongLinesAreErrors_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<QByteArray>("what");
        const auto add = [](const char* line, const char* id, const char* what) {
            test::addRow(line, QByteArray(line), QByteArray(id), QByteArray(what));
        };
        add("{", "null", "not JSON");
        add("\xff", "null", "not JSON");
        add("{\"id\":1,\"method\":\"version\"} {}", "null", "not JSON");
        add("[]", "null", "must be a JSON object");
        add("{\"method\":\"version\"}", "null", "\"id\" is missing");
        add("{\"id\":1.5,\"method\":\"version\"}", "null", "\"id\" must be an integer");
        add("{\"id\":[],\"method\":\"version\"}", "null", "\"id\" must be an integer");
        add("{\"id\":7}", "7", "\"method\" is missing");
        add("{\"method\":3,\"id\":7}", "7", "\"method\" must be a string");
        add("{\"id\":7,\"method\":\"sql\",\"params\":[]}", "7", "\"params\" must be an object");
        add("{\"id\":7,\"method\":\"sql\",\"parameters\":{}}", "7", "unknown member \"parameters\"");
        add("{\"id\":7,\"method\":\"sql\",\"params\":{\"query\":1}}", "7", "unknown parameter \"query\"");
        add("{\"id\":7,\"method\":\"sql\",\"params\":{\"trace\":\"1\"}}", "7", "\"trace\" must be an integer");
        add("{\"id\":7,\"method\":\"sql\",\"params\":{\"trace\":1e3}}", "7", "\"trace\" must be an integer");
        add("{\"id\":7,\"method\":\"sql\",\"params\":{\"sql\":null}}", "7", "\"sql\" must be a string");
        add("{\"id\":7,\"method\":\"open\",\"params\":{\"paths\":\"x\"}}", "7", "\"paths\" must be an array of strings");
        add("{\"id\":7,\"method\":\"open\",\"params\":{\"paths\":[1]}}", "7", "\"paths\" must be an array of strings");
        add("{\"id\":7,\"method\":\"open\",\"params\":{\"options\":{\"o\":{}}}}", "7", "the value of \"o\"");
        add("{\"id\":7,\"method\":\"open\",\"params\":{\"options\":{\"o\":[[]]}}}", "7", "the value of \"o\"");
        add("{\"id\":7,\"method\":\"open\",\"params\":{\"options\":{\"-o\":1}}}", "7", "\"-o\" is not the name of an option");
        add("{\"id\":7,\"method\":\"open\",\"params\":{\"options\":{\"a=b\":1}}}", "7", "\"a=b\" is not the name of an option");
        add("{\"id\":7,\"method\":\"open\",\"params\":{\"options\":{\"\":1}}}", "7", "\"\" is not the name of an option");
    }
    void wrongLinesAreErrors()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, id);
        QFETCH(QByteArray, what);

        const ReadRequest read = readRequest(line.toStdString());
        QVERIFY(read.error);
        QCOMPARE(read.error->kind, Error::Kind::Usage);
        QVERIFY2(read.error->what.find(what.toStdString()) != std::string::npos, read.error->what.c_str());
        QCOMPARE(read.request.id, id.toStdString());
    }

    void deepNestingIsAnError()
    {
        QVERIFY(readRequest(std::string(100'000, '[')).error);
        QVERIFY(readRequest("{\"id\":" + std::string(100'000, '[')).error);
    }

    void valuesAreExact()
    {
        using Limits = std::numeric_limits<std::int64_t>;
        QCOMPARE(textOf(Limits::min()), QString("-9223372036854775808"));
        QCOMPARE(textOf(Limits::max()), QString("9223372036854775807"));
        QCOMPARE(textOf(std::monostate()), QString("null"));
        QCOMPARE(textOf(1.0), QString("1.0"));
        QCOMPARE(textOf(-0.0), QString("-0.0"));
        QCOMPARE(textOf(0.1), QString("0.1"));
        QCOMPARE(textOf(1e300), QString("1e+300"));
        QCOMPARE(textOf(5e-324), QString("5e-324"));
        QCOMPARE(textOf(std::numeric_limits<double>::infinity()), QString("1e999"));
        QCOMPARE(textOf(-std::numeric_limits<double>::infinity()), QString("-1e999"));
        QCOMPARE(textOf(std::numeric_limits<double>::quiet_NaN()), QString("null"));
        QCOMPARE(textOf(std::string("a\"\n\\x41")), QString(json("'a\\'\\u000a\\\\x41'")));
        QCOMPARE(textOf(std::string("\xff", 1)), QString(json("{'base64':'/w=='}")));
        QCOMPARE(textOf(std::string("\0", 1)), QString(json("'\\u0000'")));
    }

    void linesComeAsTheyArrive()
    {
        Pipe pipe;
        QVERIFY(pipe.opened);
        LineInput input(pipe.ends[0], 5);
        std::string_view line;
        pipe.write("ab\n\ncd");
        QCOMPARE(input.next(line), LineInput::Outcome::Line);
        QCOMPARE(line, std::string_view("ab"));
        QCOMPARE(input.next(line), LineInput::Outcome::Line);
        QCOMPARE(line, std::string_view());
        pipe.write("e\n12345\n123456\nlast");
        QCOMPARE(input.next(line), LineInput::Outcome::Line);
        QCOMPARE(line, std::string_view("cde"));
        QCOMPARE(input.next(line), LineInput::Outcome::Line);
        QCOMPARE(line, std::string_view("12345"));
        QCOMPARE(input.next(line), LineInput::Outcome::TooLong);
        pipe.closeWriter();
        QCOMPARE(input.next(line), LineInput::Outcome::Line);
        QCOMPARE(line, std::string_view("last"));
        QCOMPARE(input.next(line), LineInput::Outcome::End);
        QCOMPARE(input.next(line), LineInput::Outcome::End);
    }

    void waitingForALineCanBeInterrupted()
    {
        Pipe pipe;
        LineInput input(pipe.ends[0], 5);
        std::jthread interrupter([&] { input.interrupt(); });
        std::string_view line;
        QCOMPARE(input.next(line), LineInput::Outcome::End);
    }

    void requestsWaitInOrderAndAreCancelled()
    {
        RequestQueue queue;
        QVERIFY(queue.add(requestWithId("1")));
        QVERIFY(queue.add(requestWithId("2")));
        QVERIFY(queue.add(requestWithId("\"1\"")));
        QVERIFY(!queue.add(requestWithId("2")));
        QVERIFY(!queue.cancel("3"));
        const auto first = queue.take();
        QVERIFY(first);
        QCOMPARE(first->request.id, std::string("1"));
        QVERIFY(!queue.add(requestWithId("1"))); // It runs.
        QVERIFY(queue.cancel("2"));
        QVERIFY(!first->stop.stop_requested());
        QVERIFY(queue.cancel("1"));
        QVERIFY(first->stop.stop_requested());
        QVERIFY(queue.take()->stop.stop_requested());
        QVERIFY(!queue.cancel("1"));
        QVERIFY(queue.add(requestWithId("1")));
        queue.close();
        QVERIFY(!queue.take()->stop.stop_requested());
        queue.cancelAll();
        QVERIFY(queue.take()); // "1" again.
        QVERIFY(!queue.take());
    }

    void anIdIsFreeOnceItIsReleased()
    {
        RequestQueue queue;
        QVERIFY(queue.add(requestWithId("1")));
        const auto task = queue.take();
        QVERIFY(!queue.add(requestWithId("1")));
        task->releaseId(); // Before the last response.
        QVERIFY(!queue.cancel("1"));
        QVERIFY(queue.add(requestWithId("1")));
        QVERIFY(queue.take());
    }

    void tooManyWaitingRequestsAreRefused()
    {
        RequestQueue queue;
        ServeRequest large = requestWithId("0");
        large.bytes = 60 << 20;
        QVERIFY(queue.add(large));
        large.id = "1";
        QCOMPARE(queue.add(large).error().kind, Error::Kind::Full);
        int added = 0;
        for (int i = 1; i < 3000 && queue.add(requestWithId(std::to_string(i))); ++i)
            ++added;
        QVERIFY(added > 100 && added < 2000);
        QVERIFY(queue.take());
        QVERIFY(queue.add(large) ? false : true); // ID 1 waits.
        large.id = "large";
        QVERIFY(queue.add(large));
    }
};

HELIO_TEST(ServeRequestsTest)
#include "tst_serve_requests.moc"
