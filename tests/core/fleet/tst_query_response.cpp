// Responses of `heliograph serve` to queries: values, the end of a query, and lines that are no responses.

#include "core/fleet/query_response.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

/// Returns a text with " in place of '.
std::string json(std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return text;
}

struct ReadRows {
    std::vector<std::string> columns;
    std::vector<std::vector<sql::Value>> rows;
    Status status = Done{};
};

ReadRows readRows(std::string_view line)
{
    ReadRows read;
    fleet::QueryRowReceiver receiver;
    receiver.columns = [&](std::vector<std::string>&& names) {
        read.columns = std::move(names);
        return Status(Done{});
    };
    receiver.row = [&](std::vector<sql::Value>& values) {
        read.rows.push_back(values);
        return Status(Done{});
    };
    read.status = fleet::readQueryRows(line, receiver);
    return read;
}

} // namespace

class QueryResponseTest : public QObject {
    Q_OBJECT

private slots:
    void valuesKeepTheirTypes()
    {
        const ReadRows names = readRows(json("{'id':1,'columns':['b','a','b']}"));
        QVERIFY(bool(names.status));
        QCOMPARE(names.columns, (std::vector<std::string>{"b", "a", "b"}));
        const ReadRows read = readRows(json("{'id':1,'rows':[[1,-9223372036854775808,0.5],[null,'x\\'y',2.0]]}"));
        QVERIFY(bool(read.status));
        QCOMPARE(read.rows.size(), std::size_t(2));
        QCOMPARE(read.rows[0], (std::vector<sql::Value>{std::int64_t(1), INT64_MIN, 0.5}));
        QCOMPARE(read.rows[1], (std::vector<sql::Value>{{}, std::string("x\"y"), 2.0}));
    }

    void theLastResponseHasTheStatus()
    {
        const auto rows = fleet::readQueryEnd(json("{'id':1,'rows':[[1]]}"));
        QVERIFY(rows && !*rows);
        const auto done = fleet::readQueryEnd(json("{'id':1,'result':{'rows':1,'status':1,'messages':['a','b']}}"));
        QVERIFY(done && *done);
        QCOMPARE((*done)->status, 1);
        QVERIFY(!(*done)->isUsageError);
        QCOMPARE((*done)->messages, (std::vector<std::string>{"a", "b"}));
        const auto failed = fleet::readQueryEnd(json("{'id':1,'error':{'kind':'usage','message':'c','line':1,'messages':['a']}}"));
        QVERIFY(failed && *failed);
        QVERIFY((*failed)->isUsageError);
        QCOMPARE((*failed)->messages, (std::vector<std::string>{"a", "c"})); // The reason comes last, as it is printed.
        const auto unreadable = fleet::readQueryEnd(json("{'id':1,'error':{'kind':'unreadable','message':'c'}}"));
        QVERIFY(unreadable && *unreadable);
        QVERIFY(!(*unreadable)->isUsageError);
        QCOMPARE((*unreadable)->status, 1);
    }

    void otherLinesAreRefused()
    {
        for (const char* wrong : {"", "[]", "{'rows':[[1", "{'rows':[1]}", "{'rows':[[[]]]}", "{'rows':[[true]]}",
                                  "{'rows':[[18446744073709551615]]}", "{'columns':[1]}", "{'columns':'a'}", "{'output':'a'}"}) {
            const ReadRows read = readRows(json(wrong));
            QVERIFY2(!read.status, wrong);
            QCOMPARE(read.status.error().kind, Error::Kind::Corrupt);
        }
        for (const char* wrong : {"", "[]", "{'result':{}}", "{'result':{'status':300}}", "{'error':{'kind':'usage'}}",
                                  "{'result':{'status':0,'messages':[1]}}"})
            QVERIFY2(!fleet::readQueryEnd(json(wrong)), wrong);
    }

    void errorsOfTheReceiverEndTheReading()
    {
        int rows = 0;
        fleet::QueryRowReceiver receiver;
        receiver.row = [&](std::vector<sql::Value>&) -> Status { return ++rows < 2 ? Status(Done{}) : Error{Error::Kind::Full, "full"}; };
        const Status status = fleet::readQueryRows(json("{'rows':[[1],[2],[3]]}"), receiver);
        QVERIFY(!status);
        QCOMPARE(status.error().what, std::string("full"));
        QCOMPARE(rows, 2);
    }
};

HELIO_TEST(QueryResponseTest)
#include "tst_query_response.moc"
