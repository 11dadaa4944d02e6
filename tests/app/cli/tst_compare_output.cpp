#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"

#include <QMap>
#include <QTest>

#include <cmath>

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

    void functionsOfTwoRecordingsAreThoseOfOneRunOnEachSide()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const QString solo = recordings + "/data/solo.data";
        const QString parallel = recordings + "/data/parallel4.data";
        const QStringList symbols{"--symbols", recordings + "/bin", "--kallsyms", recordings + "/text/kallsyms.txt"};
        const auto rows =
            csvRows(compare(QStringList{"--process", "matinit", "--functions", "--format", "csv"} + symbols, {solo}, {parallel}));
        int found = 0;
        for (const CsvRow& row : rows) {
            if (row["function"] == "initprm_" && row["module"] == "matinit") {
                ++found;
                QCOMPARE(row["samples_a"], "940"); // As perf report has it.
                QCOMPARE(row["self_a"].toLongLong(), 940 * 1'001'001LL);
                QCOMPARE(row["total_a"].toLongLong(), 2563 * 1'001'001LL);
                QCOMPARE(row["total_b"].toLongLong(), std::llround(10574 * 1'001'001LL / 4.0));
            }
        }
        QCOMPARE(found, 1);

        qint64 a = 0, b = 0;
        for (const QByteArray& line :
             compare(QStringList{"--process", "matinit", "--format", "folded"} + symbols, {solo}, {parallel}).lines()) {
            const auto parts = line.split(' ');
            a += parts[parts.size() - 2].toLongLong();
            b += parts.last().toLongLong();
        }
        QCOMPARE(a, 4395); // matinit's samples.
        QCOMPARE(b, 4534 + 4528 + 4524 + 4541);
    }

    void theWaitForACpuIsWhatMadeFourTakeTwiceAsLong()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const QString solo = recordings + "/data/solo.data";
        const QString parallel = recordings + "/data/parallel4.data";
        const auto rows = csvRows(compare({"--process", "matinit", "--format", "csv"}, {solo}, {parallel}));
        QCOMPARE(rows.first()["state"], "waiting");
        QVERIFY(rows.first()["part_of_difference"].toDouble() > 0.9);
        QVERIFY(rows.last()["b_ns"].toLongLong() > 9'000'000'000 && rows.last()["b_ns"].toLongLong() < 9'200'000'000);
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
