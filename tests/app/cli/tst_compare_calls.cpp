// Property: the breakdown of the slow and fast calls of a function equals a breakdown computed with plain loops over the calls and their
// threads' states.

#include "tests/app/cli/call_times.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

/// Times in ns by "state/detail" or by function.
using Sums = QMap<QByteArray, qint64>;

struct Side {
    qint64 count = 0;
    qint64 total = 0;
    Sums states;
    Sums functions; ///< Self times by function.
};

/// Calls of the function that are not inside another call of it (recursion).
CallsByThread outermostOf(const CallsByThread& all, const QByteArray& function)
{
    CallsByThread found;
    for (auto it = all.begin(); it != all.end(); ++it)
        for (const PrintedCall& call : *it) {
            const auto holds = [&](const PrintedCall& other) {
                return other.function == function && other.depth < call.depth && other.begin <= call.begin && other.end >= call.end;
            };
            if (call.function == function && std::ranges::none_of(*it, holds))
                found[it.key()] << call;
        }
    return found;
}

qint64 medianOf(const CallsByThread& calls)
{
    QList<qint64> lengths;
    for (const auto& ofThread : calls)
        for (const PrintedCall& it : ofThread)
            lengths << it.length();
    std::ranges::sort(lengths);
    return lengths[(lengths.size() + 1) / 2 - 1];
}

QPair<Side, Side> sidesOf(const QString& trace, const QByteArray& function, qint64 limit)
{
    const CallsByThread all = printedCalls(trace);
    const CallsByThread meant = outermostOf(all, function);
    QPair<Side, Side> sides;
    for (auto it = meant.begin(); it != meant.end(); ++it) {
        const auto stays = printedStates(trace, it.key());
        for (const PrintedCall& call : *it) {
            Side& side = call.length() > limit ? sides.second : sides.first;
            ++side.count;
            side.total += call.length();
            eachCallTime(all[it.key()], stays, call.begin, call.end, [&](const PrintedCall& innermost, const QByteArray& state, qint64 ns) {
                side.states[state] += ns;
                side.functions[innermost.function] += ns;
            });
        }
    }
    return sides;
}

QString wrongMean(const QByteArray& name, const CsvRow& row, const QByteArray& column, qint64 total, qint64 count)
{
    const qint64 mean = row[column].toLongLong();
    return std::abs(mean * count - total) <= count ? QString()
                                                   : QString("%1 %2: %3 x %4 is not %5").arg(name, column).arg(mean).arg(count).arg(total);
}

} // namespace

class CompareCallsTest : public QObject {
    Q_OBJECT

private slots:
    void theLedgerIsWhatTheThreadsDidInTheCalls_data()
    {
        QTest::addColumn<QString>("session");
        QTest::addColumn<QByteArray>("function");
        QTest::addColumn<qint64>("limit"); // Limit between fast and slow calls in ns; 0 for the median.
        QTest::addRow("half of the requests") << "callstack-fast" << QByteArray("app::request") << qint64(0);
        QTest::addRow("requests above 20 ms") << "callstack-fast" << QByteArray("app::request") << qint64(20'000'000);
        QTest::addRow("recursion") << "callstack-fast" << QByteArray("app::fib") << qint64(0);
        QTest::addRow("a function of Python") << "python-fullstack" << QByteArray("use_native") << qint64(0);
    }
    void theLedgerIsWhatTheThreadsDidInTheCalls()
    {
        QFETCH(QString, session);
        QFETCH(QByteArray, function);
        QFETCH(qint64, limit);
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", session);
        QStringList arguments{"compare", trace, "--calls", function};
        if (limit > 0)
            arguments << "--longer-than" << QString::number(limit) + "ns";
        const auto [a, b] = sidesOf(trace, function, limit > 0 ? limit : medianOf(outermostOf(printedCalls(trace), function)));
        QVERIFY(a.count > 0 && b.count > 0);
        auto rows = csvRows(heliograph(asCallCsv(arguments)));
        QVERIFY(!rows.isEmpty());
        const CsvRow sum = rows.takeLast();
        QCOMPARE(sum["state"], "sum");
        QCOMPARE(sum["a_ns"].toLongLong(), a.total / a.count);
        QCOMPARE(sum["b_ns"].toLongLong(), b.total / b.count);
        qint64 sumA = 0, sumB = 0, differences = 0;
        QSet<QByteArray> met;
        for (const CsvRow& it : rows) {
            const QByteArray state = it["state"] + '/' + it["detail"];
            met << state;
            for (const QString& wrong :
                 {wrongMean(state, it, "a_ns", a.states[state], a.count), wrongMean(state, it, "b_ns", b.states[state], b.count)})
                QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            sumA += it["a_ns"].toLongLong();
            sumB += it["b_ns"].toLongLong();
            differences += it["difference_ns"].toLongLong();
        }
        QCOMPARE(sumA, a.total / a.count);
        QCOMPARE(sumB, b.total / b.count);
        QCOMPARE(differences, b.total / b.count - a.total / a.count);
        for (const Side* side : {&a, &b})
            for (const QByteArray& state : side->states.keys())
                QVERIFY2(met.contains(state), state.constData());
    }

    void theDifferenceLiesInTheFunctionsThatWereCalled_data() { theLedgerIsWhatTheThreadsDidInTheCalls_data(); }
    void theDifferenceLiesInTheFunctionsThatWereCalled()
    {
        QFETCH(QString, session);
        QFETCH(QByteArray, function);
        QFETCH(qint64, limit);
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", session);
        QStringList arguments{"compare", trace, "--calls", function, "--functions"};
        if (limit > 0)
            arguments << "--longer-than" << QString::number(limit) + "ns";
        const auto [a, b] = sidesOf(trace, function, limit > 0 ? limit : medianOf(outermostOf(printedCalls(trace), function)));
        const auto rows = csvRows(heliograph(asCallCsv(arguments)));
        // Self time in ns by function name, on side A and on side B. Functions with the same name in different modules are added up.
        Sums actualA, actualB;
        for (const CsvRow& it : rows) {
            actualA[it["function"]] += it["self_a"].toLongLong();
            actualB[it["function"]] += it["self_b"].toLongLong();
            QCOMPARE(it["z"], "");
            if (it["function"] == function)
                QVERIFY(std::abs(it["total_difference"].toLongLong() - (b.total / b.count - a.total / a.count)) <= 1);
        }
        QSet<QByteArray> expected;
        for (const Side* side : {&a, &b})
            for (const QByteArray& name : side->functions.keys())
                expected << name;
        const auto names = actualA.keys();
        QVERIFY(QSet<QByteArray>(names.begin(), names.end()).contains(expected));
        for (const QByteArray& name : names) {
            QVERIFY2(std::abs(actualA[name] * a.count - a.functions[name]) <= 2 * a.count, name.constData());
            QVERIFY2(std::abs(actualB[name] * b.count - b.functions[name]) <= 2 * b.count, name.constData());
        }
    }

    /// Property: the slow requests are those that hold the mutex: in the program's source, every other request locks a mutex and spins
    /// for 4 ms while the other threads wait for it.
    void theSlowRequestsAreThoseWithTheMutex()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const auto answer =
            heliograph({"compare", trace, "--calls", "app::request", "--json", "--quiet", "--symbols", realTrace("ust-callstack", "bin")});
        const QJsonObject head = QJsonDocument::fromJson(answer.out).object();
        QCOMPARE(head["function"].toString(), "app::request");
        QCOMPARE(head["calls_a"].toInt() + head["calls_b"].toInt(), 30);
        QCOMPARE(head["wall_b_ns"].toInteger() - head["wall_a_ns"].toInteger(), head["difference_ns"].toInteger());
        QVERIFY(head["difference_ns"].toInteger() > 0);
        QVERIFY(head["conclusion"].toString().contains("by state"));
        for (const CsvRow& it : csvRows(heliograph(asCallCsv({"compare", trace, "--calls", "app::request", "--functions"}))))
            if (it["function"] == "app::critical_section")
                QVERIFY(it["self_difference"].toLongLong() > 4'000'000);
    }

    void thePictureIsOfOneCallAndSureOfIt()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const QByteArray svg = heliograph({"compare", trace, "--calls", "app::request", "--format", "svg", "--quiet", "--symbols",
                                           realTrace("ust-callstack", "bin")})
                                   .out;
        QVERIFY(svg.contains("app::request, per call"));
        QVERIFY(svg.contains("increase") && !svg.contains("(z "));
    }

    void threadsAndWindowsChooseCalls()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const auto all = outermostOf(printedCalls(trace), "app::request");
        QVERIFY(all.size() > 1);
        const auto count = [&](const QStringList& more) {
            const auto answer = heliograph(QStringList{"compare", trace, "--calls", "app::request", "--json", "--quiet", "--symbols",
                                                       realTrace("ust-callstack", "bin")}
                                           + more);
            const QJsonObject head = QJsonDocument::fromJson(answer.out).object();
            return head["calls_a"].toInt() + head["calls_b"].toInt();
        };
        const auto& ofFirst = all.first();
        QCOMPARE(count({"--thread", all.firstKey()}), ofFirst.size());
        const qint64 from = ofFirst[1].begin;
        const qint64 to = ofFirst[ofFirst.size() - 2].end;
        qsizetype inside = 0;
        for (const auto& ofThread : all)
            inside += std::ranges::count_if(ofThread, [&](const PrintedCall& it) { return it.begin >= from && it.end <= to; });
        QCOMPARE(count({"--begin", QString::number(from), "--end", QString::number(to)}), inside);
        QVERIFY(inside < 30);
    }

    void withoutStatesTheFunctionsAreCompared()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast/ust");
        const auto rows = csvRows(heliograph(asCallCsv({"compare", trace, "--calls", "app::request"})));
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0]["state"], "unknown");
        QCOMPARE(rows[0]["difference_ns"], rows[1]["difference_ns"]);
        QVERIFY(csvRows(heliograph(asCallCsv({"compare", trace, "--calls", "app::request", "--functions"}))).size() > 5);
    }

    void wrongUseIsReported_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("no trace") << QStringList{"--calls", "main"} << 2 << QByteArray("a TRACE is missing");
        QTest::newRow("no function") << QStringList{"TRACE"} << 2 << QByteArray("--a");
        QTest::newRow("no such function") << QStringList{"TRACE", "--calls", "nobody"} << 1 << QByteArray("no call of \"nobody\"");
        QTest::newRow("one call") << QStringList{"TRACE", "--calls", "main"} << 1 << QByteArray("none of 1 calls is longer");
        QTest::newRow("too long") << QStringList{"TRACE", "--calls", "app::request", "--longer-than", "1h"} << 1
                                  << QByteArray("none of 30 calls is longer");
        QTest::newRow("too short") << QStringList{"TRACE", "--calls", "app::request", "--longer-than", "1ns"} << 1
                                   << QByteArray("all 30 calls are longer");
        QTest::newRow("no duration") << QStringList{"TRACE", "--calls", "main", "--longer-than", "5"} << 2 << QByteArray("--longer-than");
        QTest::newRow("sides") << QStringList{"TRACE", "--calls", "main", "--a", "x"} << 2 << QByteArray("cannot be combined with --calls");
        QTest::newRow("durations") << QStringList{"TRACE", "--calls", "main", "--durations"} << 2
                                   << QByteArray("cannot be combined with --calls");
        QTest::newRow("a length without calls")
            << QStringList{"--a", "x", "--b", "y", "--longer-than", "5ms"} << 2 << QByteArray("only valid with --calls");
    }
    void wrongUseIsReported()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QByteArray, words);
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast/ust");
        arguments.replaceInStrings("TRACE", trace);
        const ProgramResult answer =
            heliograph(QStringList{"compare"} + arguments + QStringList{"--symbols", realTrace("ust-callstack", "bin")});
        QVERIFY2(answer.err.contains(words), answer.err.constData());
        QCOMPARE(answer.status, status);
        QVERIFY(answer.out.isEmpty());
    }
};

HELIO_TEST(CompareCallsTest)
#include "tst_compare_calls.moc"
