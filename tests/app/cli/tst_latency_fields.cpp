// Property: lists that the command "latency" filters by segment fields equal the command's unfiltered list after the test has filtered it.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>

using namespace helio;

namespace {

ProgramResult latency(const QString& trace, const QStringList& more)
{
    return heliograph(QStringList{"latency", QString(SOURCE_DIR "/tests/fixtures/") + trace, "--list", "--format", "csv"} + more);
}

/// Value of a field in the text "k=v;k=v". Requires: the values contain neither ";" nor "=".
QByteArray fieldIn(const CsvRow& piece, const QByteArray& name)
{
    for (const QByteArray& field : piece["fields"].split(';'))
        if (field.startsWith(name + '='))
            return field.mid(name.size() + 1);
    return {};
}

using Condition = std::function<bool(const CsvRow&)>;

} // namespace

Q_DECLARE_METATYPE(Condition)

class LatencyFieldsTest : public QObject {
    Q_OBJECT

private slots:
    void filtersAskForFields_data()
    {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<Condition>("isLeft");
        const auto row = [](const char* trace, const char* kind, const char* filter, const Condition& isLeft) {
            QTest::newRow(filter) << trace << kind << filter << isLeft;
        };
        row("perf/futex.data", "lock", "ended_by == \"wake\" && type != \"WAIT\"",
            [](const CsvRow& it) { return fieldIn(it, "ended_by") == "wake" && fieldIn(it, "type") != "WAIT"; });
        row("perf/futex.data", "lock", "!(woken_by =~ \"rival\") && duration > 1ms",
            [](const CsvRow& it) { return !fieldIn(it, "woken_by").contains("rival") && it["duration_ns"].toLongLong() > 1'000'000; });
        row("two-hosts-small", "packet", "fields.length >= 64", [](const CsvRow& it) { return fieldIn(it, "length").toLongLong() >= 64; });
        row("two-hosts-small", "packet", "length < 64 || from_host == \"db\"",
            [](const CsvRow& it) { return fieldIn(it, "length").toLongLong() < 64 || fieldIn(it, "from_host") == "db"; });
        row("kernel-small", "wait", "detail contains \"until\"", [](const CsvRow& it) { return fieldIn(it, "detail").contains("until"); });
        row("perf/futex.data", "lock", "type > 7", [](const CsvRow&) { return false; });
        row("perf/futex.data", "lock", "context.type == \"WAIT\"", [](const CsvRow&) { return false; });
    }
    void filtersAskForFields()
    {
        QFETCH(QString, trace);
        QFETCH(QString, kind);
        QFETCH(QString, filter);
        QFETCH(Condition, isLeft);
        const QList<CsvRow> all = csvRows(latency(trace, {"--of", kind, "--quiet"}));
        QList<CsvRow> expected = all;
        erase_if(expected, [&](const CsvRow& it) { return !isLeft(it); });
        QVERIFY(expected.size() < all.size());
        const QList<CsvRow> left = csvRows(latency(trace, {"--of", kind, "--filter", filter, "--quiet"}));
        QCOMPARE(left, expected);
    }

    void aFieldThatNoneHasIsReported()
    {
        const ProgramResult answer = latency("perf/futex.data", {"--of", "lock", "--filter", "typ == \"WAIT\""});
        QCOMPARE(answer.lines().size(), 1);
        QVERIFY2(answer.err.contains("--filter: the first \"lock\" has no field \"typ\"; it has type, comm, ended_by, woken_by"),
                 answer.err.constData());
        const ProgramResult none = latency("perf/futex.data", {"--of", "syscall", "--filter", "type == \"WAIT\""});
        QVERIFY2(none.err.contains("--filter: \"type\" can only be used with events; other commands accept name"), none.err.constData());
        QVERIFY(none.status != 0);
    }

    void aKindOfWhichThereIsNoneIsReported()
    {
        const ProgramResult none = heliograph({"latency", SOURCE_DIR "/tests/fixtures/perf/calls-part.data", "--of", "page-fault"});
        QCOMPARE(none.lines().size(), 1);
        QVERIFY2(none.err.contains("no \"page-fault\" in the selection"), none.err.constData());
    }

    /// Input: a recording of requests to real disks. Property: filters by the fields disk, queued_ns and cpu find the requests that the
    /// test selects from the complete list.
    void requestsAreFoundByDiskAndSize()
    {
        HELIO_REQUIRE_TRACE(path, "disks", "disks/kernel");
        const auto list = [&](const QStringList& more) {
            return csvRows(heliograph(QStringList{"latency", path, "--of", "block", "--list", "--format", "csv", "--quiet"} + more));
        };
        QList<CsvRow> expected = list({});
        erase_if(expected,
                 [](const CsvRow& it) { return fieldIn(it, "disk") != "vdb" || fieldIn(it, "queued_ns").toLongLong() <= 1'000'000; });
        QVERIFY(expected.size() > 5);
        QCOMPARE(list({"--filter", "disk == \"vdb\" && queued_ns > 1ms"}), expected);
        QList<CsvRow> onCpu = list({});
        erase_if(onCpu, [](const CsvRow& it) { return fieldIn(it, "cpu") != "1"; });
        QVERIFY(!onCpu.isEmpty());
        QCOMPARE(list({"--filter", "cpu == 1"}), onCpu); // `cpu` is a field of the segments here: their rows have no CPU.
    }
};

HELIO_TEST(LatencyFieldsTest)
#include "tst_latency_fields.moc"
