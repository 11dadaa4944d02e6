// Property: breakdowns of the time in calls equal sums that the test computes from the output of two commands: "latency" lists the calls,
// "states" lists the states of the threads.

#include "tests/app/cli/call_times.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

/// Time in ns by "function/state/detail".
using Times = QMap<QByteArray, qint64>;

/// Reads times from the tree of a flame graph by calls and states. A node with samples is a function. A node without samples below a
/// function is a state; a node without samples below a state is the state's value.
Times timesOfTree(const QList<CsvRow>& nodes)
{
    QMap<QByteArray, CsvRow> byNode;
    for (const CsvRow& it : nodes)
        byNode[it["node"]] = it;
    Times times;
    for (const CsvRow& it : nodes) {
        const qint64 ns = it["self_weight"].toLongLong();
        if (ns == 0)
            continue;
        QByteArrayList states;
        CsvRow node = it;
        for (; node["total_samples"] == "0"; node = byNode[node["parent"]])
            states.prepend(node["function"]);
        times[node["function"] + '/' + states.value(0) + '/' + states.value(1)] += ns;
    }
    return times;
}

QByteArray differenceOf(const Times& a, const Times& b)
{
    for (const QByteArray& key : (a.keys() + b.keys()))
        if (a[key] != b[key])
            return key + ": " + QByteArray::number(a[key]) + " for " + QByteArray::number(b[key]);
    return {};
}

} // namespace

class CallStatesTest : public QObject {
    Q_OBJECT

private slots:
    void theTimeOfEachFunctionIsThatOfItsThreadsStates_data()
    {
        QTest::addColumn<QString>("session");
        QTest::addColumn<bool>("isCut");
        for (const char* session : {"callstack-fast", "python-fullstack"}) {
            QTest::addRow("%s", session) << session << false;
            QTest::addRow("%s, a part", session) << session << true;
        }
    }
    void theTimeOfEachFunctionIsThatOfItsThreadsStates()
    {
        QFETCH(QString, session);
        QFETCH(bool, isCut);
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", session);
        const auto calls = printedCalls(trace);
        QVERIFY(!calls.isEmpty());
        qint64 from = INT64_MAX;
        qint64 to = 0;
        for (const auto& ofThread : calls)
            for (const PrintedCall& it : ofThread) {
                from = std::min(from, it.begin);
                to = std::max(to, it.end);
            }
        QStringList arguments{"flame", trace, "--event", "call:states", "--base", "none"};
        if (isCut) {
            const qint64 quarter = (to - from) / 4;
            from += quarter;
            to -= quarter;
            arguments << "--begin" << QString::number(from) << "--end" << QString::number(to);
        }
        Times expected;
        for (auto it = calls.begin(); it != calls.end(); ++it)
            eachCallTime(*it, printedStates(trace, it.key()), from, to,
                         [&](const PrintedCall& call, const QByteArray& state, qint64 ns) { expected[call.function + '/' + state] += ns; });
        const auto tree = csvRows(heliograph(asCallCsv(arguments)));
        const Times actual = timesOfTree(tree);
        const QByteArray difference = differenceOf(actual, expected);
        QVERIFY2(difference.isEmpty(), difference.constData());
        QVERIFY(actual.size() > 20);
    }

    /// Property: with --event call and --event call:states, each function has the same number of calls and the same total time.
    void statesAddUpToTheWallTime()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const auto totals = [&](const QString& event) {
            QMap<QByteArray, QByteArray> all;
            for (const CsvRow& it : csvRows(heliograph(asCallCsv({"flame", trace, "--table", "--event", event}))))
                if (it["total_samples"] != "0")
                    all[it["function"] + ' ' + it["comm"] + ' ' + it["tid"]] = it["total_samples"] + ' ' + it["total_weight"];
            return all;
        };
        QVERIFY(totals("call").size() > 10);
        QCOMPARE(totals("call:states"), totals("call"));
    }

    /// Property: states match the program's source, in which nap() sleeps and wait_for_disk() waits for the disk.
    void aNapIsASleepInItsSystemCall()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const Times times = timesOfTree(csvRows(heliograph(asCallCsv({"flame", trace, "--event", "call:states", "--base", "none"}))));
        QVERIFY(times["app::nap/sleeping/clock_nanosleep"] > 9 * 5'000'000);
        QVERIFY(times["app::parse_body/running-user/"] > times["app::parse_header/running-user/"]);
    }

    void withoutStatesThereIsNoSuchKind()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast/ust");
        const ProgramResult answer = heliograph(asCallCsv({"flame", trace, "--event", "call:states"}));
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.trimmed().endsWith("available: call"), answer.err.constData());
    }

    /// Property: with --group line, the states under the calls are the same as without it, because states have no source lines.
    void statesStayWhatTheyAreByLine()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        QMap<QByteArray, qint64> sums;
        for (const char* group : {"function", "line"})
            for (const CsvRow& it : csvRows(heliograph(asCallCsv({"flame", trace, "--table", "--group", group, "--event", "call:states"}))))
                if (it["function"] == "preempted")
                    sums[group] += it["total_weight"].toLongLong();
        QVERIFY(sums["function"] > 0);
        QCOMPARE(sums["line"], sums["function"]);
    }
};

HELIO_TEST(CallStatesTest)
#include "tst_call_states.moc"
