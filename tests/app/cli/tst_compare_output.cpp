#include "tests/app/cli/program.h"

#include <QMap>
#include <QTest>

using namespace helio;

namespace {

Answer compare(const QStringList& more, const QStringList& a = {sampleTrace()}, const QStringList& b = {sampleTrace()})
{
    return heliograph(QStringList{"compare", "--quiet", "--a"} + a + QStringList{"--b"} + b + more);
}

} // namespace

class CompareOutputTest : public QObject {
    Q_OBJECT

private slots:
    void theSameTraceOnBothSidesDiffersInNothing()
    {
        const auto rows = csvRows(compare({"--process", "mixwork", "--format", "csv"}));
        QVERIFY(rows.size() > 5);
        qint64 a = 0, b = 0, difference = 0;
        for (const CsvRow& row : rows.first(rows.size() - 1)) {
            a += row["a_ns"].toLongLong();
            b += row["b_ns"].toLongLong();
            difference += row["difference_ns"].toLongLong();
            QCOMPARE(row["a_ns"], row["b_ns"]); // The same trace on both sides.
        }
        QCOMPARE(rows.last()["state"], "sum");
        QCOMPARE(rows.last()["a_ns"].toLongLong(), a);
        QCOMPARE(rows.last()["b_ns"].toLongLong(), b);
        QCOMPARE(difference, 0);
    }

    void theLinesOfAProcessEqualItsStates()
    {
        const auto rows = csvRows(compare({"--process", "mixwork", "--format", "csv"}));
        // The sample has one run of it, which ends with its thread 251.
        const auto states =
            csvRows(heliograph({"states", sampleTrace(), "--view", "control-flow", "--thread", "251", "--format", "csv", "--quiet"}));
        QVERIFY(!states.isEmpty());
        const qint64 begin = states.last()["end_ns"].toLongLong() - rows.last()["a_ns"].toLongLong();
        QMap<QByteArray, qint64> expected;
        for (const CsvRow& state : states)
            expected[state["state"] + ' ' + state["detail"]] +=
                std::max(qint64(0), state["end_ns"].toLongLong() - std::max(begin, state["begin_ns"].toLongLong()));
        qint64 sum = 0;
        for (const CsvRow& row : rows.first(rows.size() - 1)) {
            QCOMPARE(row["a_ns"].toLongLong(), expected.take(row["state"] + ' ' + row["detail"]));
            sum += row["a_ns"].toLongLong();
        }
        QVERIFY(sum > 1'000'000'000); // The program runs for 1.5 s.
        for (const qint64 rest : expected)
            QCOMPARE(rest, 0);
    }

    void withoutANameTheBusiestCommonProgramIsCompared()
    {
        const Answer answer = compare({});
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.out.contains(" in A, ") && answer.out.contains("wall time of one"), answer.out);
    }

    void whatIsMissingIsSaid()
    {
        QCOMPARE(heliograph({"compare", "--a", sampleTrace()}).status, 2);
        const Answer unknown = compare({"--process", "no-such-program"});
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.err.contains("no process \"no-such-program\" ran in A"), unknown.err);
        const Answer nothing = compare({}, {"/no/such/file"});
        QCOMPARE(nothing.status, 1);
        QVERIFY(nothing.err.contains("/no/such/file"));
    }
};

QTEST_GUILESS_MAIN(CompareOutputTest)
#include "tst_compare_output.moc"
