// Property: the critical paths of the threads in the sample trace agree with the states that `heliograph states` prints.

#include "tests/app/cli/latency_lines.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QMap>
#include <QTest>

using namespace helio;

namespace {

QList<CsvRow> path(const QStringList& more)
{
    return csvRows(heliograph(QStringList{"critical-path", sampleTrace(), "--format", "csv", "--quiet"} + more));
}

qint64 number(const CsvRow& row, const char* column) { return row[column].toLongLong(); }

/// Time of a thread by kind of path segment, computed from the list of states.
QMap<QByteArray, qint64> sumsOfStates(const QString& tid)
{
    QMap<QByteArray, qint64> sums;
    for (const CsvRow& it :
         csvRows(heliograph({"states", sampleTrace(), "--view", "control-flow", "--thread", tid, "--format", "csv", "--quiet"}))) {
        const QByteArray state = it["state"];
        const QByteArray kind = state.startsWith("running") || state == "exiting" ? "running" : state;
        sums[kind] += number(it, "end_ns") - number(it, "begin_ns");
    }
    return sums;
}

} // namespace

class CriticalPathOutputTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: worker threads that wait for no other thread. Property: their critical paths equal their states.
    void aThreadThatWaitsForNobodyHasItsOwnTime()
    {
        for (const QString tid : {"252", "253", "254", "255"}) {
            const auto all = path({"--thread", tid});
            QMap<QByteArray, qint64> sums;
            qint64 known = number(all.front(), "begin_ns");
            for (const CsvRow& it : all) {
                QCOMPARE(number(it, "begin_ns"), known);
                known = number(it, "end_ns");
                if (it["tid"] == tid.toUtf8())
                    sums[it["kind"]] += known - number(it, "begin_ns");
            }
            const auto states = sumsOfStates(tid);
            QVERIFY(states["running"] > 100'000'000);
            for (const char* kind : {"running", "wait-cpu", "preempted", "interrupted"})
                QVERIFY2(sums[kind] == states[kind], qPrintable(tid + ' ' + kind));
            QVERIFY(sums["timer"] > 0 && sums["timer"] <= states["sleeping"]);
        }
    }

    void sumsAddUpToTheWindow()
    {
        const auto life = path({"--thread", "254"});
        for (const auto& [begin, end] : {std::pair(number(life.front(), "begin_ns"), number(life.back(), "end_ns")),
                                         std::pair(number(life[10], "begin_ns") + 7, number(life[40], "end_ns") - 3)}) {
            qint64 total = 0;
            double share = 0;
            for (const CsvRow& it :
                 path({"--thread", "254", "--summary", "--begin", QString::number(begin), "--end", QString::number(end)})) {
                total += number(it, "total_ns");
                share += it["share"].toDouble();
            }
            QCOMPARE(total, end - begin);
            QVERIFY2(std::abs(share - 1) < 0.01, qPrintable(QString::number(share)));
        }
    }

    /// Property: the sums by thread equal sums over the listed segments; all threads are on one host.
    void sumsByThreadAndHost()
    {
        QMap<QString, qint64> expected, found;
        qint64 all = 0;
        for (const CsvRow& it : path({"--thread", "254"})) {
            expected[QString::fromUtf8(it["tid"])] += number(it, "end_ns") - number(it, "begin_ns");
            all += number(it, "end_ns") - number(it, "begin_ns");
        }
        for (const CsvRow& it : path({"--thread", "254", "--summary", "--by", "thread"})) {
            QCOMPARE(it["kind"], QByteArray("thread"));
            found[QString::fromUtf8(it["detail"]).section('(', -1).remove(')')] += number(it, "total_ns");
        }
        QCOMPARE(found, expected);
        const auto hosts = path({"--thread", "254", "--summary", "--by", "host"});
        QCOMPARE(hosts.size(), 1);
        QCOMPARE(number(hosts[0], "total_ns"), all);
    }

    void aWaitIsToldWithTheEventThatEndedIt()
    {
        const auto life = path({"--thread", "252"});
        const auto sleep = std::ranges::find_if(life, [](const CsvRow& it) { return it["kind"] == "timer"; });
        QVERIFY(sleep != life.end());
        const auto steps = path({"--thread", "252", "--why", QString::number(number(*sleep, "begin_ns") + 5)});
        QCOMPARE(steps.size(), 1);
        QCOMPARE(steps[0]["words"], QByteArray("worker-0 (252) slept: clock_nanosleep"));
        QCOMPARE(steps[0]["event"], QByteArray("sched_waking"));
        QCOMPARE(steps[0]["event_ns"], (*sleep)["end_ns"]);
    }

    /// Input: an fsync that a journal thread ended, and a request over three hosts.
    void aWaitIsExplainedInASentence()
    {
        const auto explain = [](const QString& trace, const QStringList& more) {
            return heliograph(QStringList{"critical-path", trace, "--format", "csv", "--why"} + more);
        };
        HELIO_REQUIRE_TRACE(plain, "lttng-kernel", "plain");
        const auto fsync = explain(plain, {"11:06:36.470", "--thread", "269"});
        QVERIFY2(fsync.err.contains("disk-writer: fsync blocked for 84.193 ms on jbd2/vdb-8 (214), which spent 50.901 ms (60 %) writing 8 "
                                    "KiB to vdb\n"),
                 fsync.err);
        const auto lock = explain(plain, {"11:06:36.380", "--thread", "266"});
        QVERIFY2(lock.err.contains("mtx-rival: futex waited 8.348 ms for a lock held by mtx-owner (265), which spent 8.348 ms (100 %) "
                                   "running in user space\n"),
                 lock.err);
        HELIO_REQUIRE_TRACE(tiers, "two-hosts");
        const auto request = explain(tiers, {"11:22:03.750", "--host", "client", "--thread", "203"});
        QVERIFY2(request.err.contains("recvfrom waited 118.580 ms for a message from python3 (203) on web, which spent"), request.err);
        QStringList verbs;
        for (const CsvRow& it : csvRows(request))
            if (it["kind"] == "running" && !it["words"].contains(" ran: "))
                verbs << QString::fromUtf8(it["words"]).trimmed().section(':', 0, 0);
        QCOMPARE(verbs,
                 (QStringList{"python3 (203) on web handled the request and asked db", "python3 (199) on db handled the request",
                              "python3 (199) on db replied to web", "python3 (203) on web handled the reply and asked db",
                              "python3 (199) on db handled the request", "python3 (199) on db replied to web",
                              "python3 (203) on web handled the reply", "python3 (203) on web replied to client"}));
    }

    void whatIsNotClearIsAnError()
    {
        const auto errorOf = [](const QStringList& more) { return heliograph(QStringList{"critical-path", sampleTrace()} + more); };
        QCOMPARE(errorOf({}).status, 2);
        QCOMPARE(errorOf({"--thread", "99999"}).status, 2);
        QCOMPARE(errorOf({"--thread", "252", "--why", "yesterday"}).status, 2);
        QCOMPARE(errorOf({"--thread", "252", "--why", "+1s", "--summary"}).status, 2);
        QCOMPARE(errorOf({"--thread", "252", "--cpu", "1"}).status, 2);
        QCOMPARE(errorOf({"--thread", "252", "--by", "thread"}).status, 2);
        QCOMPARE(errorOf({"--thread", "252", "--summary", "--by", "moon"}).status, 2);
    }
};

HELIO_TEST(CriticalPathOutputTest)
#include "tst_critical_path_output.moc"
