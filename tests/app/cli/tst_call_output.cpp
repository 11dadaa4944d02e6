// What the commands print of calls of functions: against a stack kept by hand from what events prints, and against what the recordings'
// notes and addr2line say of the functions.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

struct RecordedEvent {
    QByteArray time, name, tid, address, path;
};

/// As babeltrace2 prints them.
QList<RecordedEvent> eventsOf(const QString& trace)
{
    static const QRegularExpression Line(R"(^\[(\d+)\.(\d{9})\] \S+ (\S+): .*\bvtid = (\d+))");
    static const QRegularExpression Address(R"(\b(?:addr|baddr) = 0x([0-9A-F]+))");
    static const QRegularExpression Path("\\bpath = \"([^\"]*)\"");
    QList<RecordedEvent> all;
    for (const QByteArray& line : babeltrace2({"--clock-seconds", "--no-delta", trace}).lines()) {
        const auto found = Line.match(QString::fromUtf8(line));
        const auto address = Address.match(QString::fromUtf8(line));
        const QByteArray hex = address.hasMatch() ? "0x" + address.captured(1).toLower().toUtf8() : QByteArray();
        all << RecordedEvent{(found.captured(1) + found.captured(2)).toUtf8(), found.captured(3).toUtf8(), found.captured(4).toUtf8(), hex,
                             Path.match(QString::fromUtf8(line)).captured(1).toUtf8()};
    }
    return all;
}

/// "calls:263/2 begin end address" of every call of a recording without losses, sorted.
QByteArrayList callsByHand(const QString& trace)
{
    struct Open {
        QByteArray begin, address;
    };
    QMap<QByteArray, QList<Open>> stacks;
    QByteArrayList all;
    for (const RecordedEvent& it : eventsOf(trace)) {
        QList<Open>& stack = stacks[it.tid];
        if (it.name.endsWith(":func_entry")) {
            stack << Open{it.time, it.address};
        } else if (it.name.endsWith(":func_exit") && !stack.isEmpty()) {
            const QByteArray row = "calls:" + it.tid + '/' + QByteArray::number(stack.size());
            const Open call = stack.takeLast();
            if (call.begin != it.time)
                all << row + ' ' + call.begin + ' ' + it.time + ' ' + call.address;
        }
    }
    std::ranges::sort(all);
    return all;
}

QStringList withSymbols(const QString& trace, const QStringList& more)
{
    return more + QStringList{trace, "--format", "csv", "--quiet", "--symbols", realTrace("ust-callstack", "bin")};
}

} // namespace

class CallOutputTest : public QObject {
    Q_OBJECT

private slots:
    void everyCallIsAnInterval_data()
    {
        QTest::addColumn<QString>("session");
        for (const char* session : {"callstack-fast", "callstack"})
            QTest::addRow("%s", session) << session;
    }
    void everyCallIsAnInterval()
    {
        QFETCH(QString, session);
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", session + "/ust");
        QByteArrayList actual;
        for (const CsvRow& it : csvRows(heliograph({"states", trace, "--view", "call-stack", "--format", "csv", "--quiet"}))) {
            QCOMPARE(it["state"], "call");
            actual << it["row"] + ' ' + it["begin_ns"] + ' ' + it["end_ns"] + ' ' + it["detail"];
        }
        std::ranges::sort(actual);
        QCOMPARE(actual.size(), 2430);
        QCOMPARE(actual, callsByHand(trace));
    }

    /// The numbers of shared/traces/README.md.
    void functionsAreCalledAsOftenAsTheyWere_data() { everyCallIsAnInterval_data(); }
    void functionsAreCalledAsOftenAsTheyWere()
    {
        QFETCH(QString, session);
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", session + "/ust");
        const QMap<QByteArray, int> expected{{"app::fib", 2010},
                                             {"app::request", 30},
                                             {"app::parse", 30},
                                             {"app::parse_header", 30},
                                             {"app::parse_body", 30},
                                             {"app::Circle::area", 30},
                                             {"app::Shape::area", 30},
                                             {"app::Shape::Shape", 60},
                                             {"plug_leaf", 15},
                                             {"app::nap", 9},
                                             {"app::wait_for_disk", 6},
                                             {"plug_entry", 5},
                                             {"app::thrower", 4},
                                             {"worker_main", 3},
                                             {"app::critical_section", 15},
                                             {"main", 1}};
        QMap<QByteArray, int> actual;
        int all = 0;
        for (const CsvRow& it : csvRows(heliograph(withSymbols(trace, {"latency", "--of", "call"})))) {
            QVERIFY2(!it["name"].startsWith("0x"), it["name"].constData());
            actual[it["name"]] += it["count"].toInt();
            all += it["count"].toInt();
        }
        QCOMPARE(all, 2430);
        for (auto it = expected.begin(); it != expected.end(); ++it)
            QVERIFY2(actual[it.key()] == it.value(), (it.key() + ' ' + QByteArray::number(actual[it.key()])).constData());
    }

    /// Of every address that was called.
    void namesAreThoseOfAddr2line()
    {
        HELIO_REQUIRE_TRACE(bin, "ust-callstack", "bin");
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast/ust");
        const auto states = [&](const QStringList& more) {
            return csvRows(heliograph(QStringList{"states", trace, "--view", "call-stack", "--format", "csv", "--quiet"} + more));
        };
        QMap<QByteArray, quint64> bases; // By file, from the events.
        for (const RecordedEvent& it : eventsOf(trace))
            if (it.name.endsWith(":bin_info") || it.name.endsWith(":dlopen"))
                bases[it.path.split('/').last()] = it.address.toULongLong(nullptr, 0);
        const auto named = states({"--symbols", bin});
        const auto bare = states({});
        QCOMPARE(named.size(), bare.size());
        QMap<QByteArray, QByteArray> names;
        for (qsizetype i = 0; i < bare.size(); ++i)
            names[bare[i]["detail"]] = named[i]["detail"];
        QVERIFY(names.size() > 15);
        for (auto it = names.begin(); it != names.end(); ++it) {
            const quint64 address = it.key().toULongLong(nullptr, 0);
            QByteArray expected;
            for (const char* file : {"calltree", "libplug.so"}) {
                const quint64 offset = address - bases[file];
                if (!bases.contains(file) || address < bases[file] || offset > 0x10000)
                    continue;
                QProcess process;
                process.start("addr2line", {"-f", "-C", "-e", bin + '/' + file, "0x" + QString::number(offset, 16)});
                QVERIFY(process.waitForFinished());
                expected = process.readAllStandardOutput().split('\n').first();
                expected.truncate(expected.indexOf('(') < 0 ? expected.size() : expected.indexOf('('));
                expected = expected.split(' ').last(); // Of templates it names what they return, too.
            }
            QVERIFY2(it.value() == expected, (it.key() + ' ' + it.value() + " for " + expected).constData());
        }
    }

    void pythonCallsAndTheirNativeOnesNest()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "python-fullstack/ust");
        QMap<QByteArray, int> counts;
        for (const CsvRow& it : csvRows(heliograph(withSymbols(trace, {"latency", "--of", "call"}))))
            counts[it["name"]] += it["count"].toInt();
        const QMap<QByteArray, int> expected{{"compute", 12},    {"use_native", 12},    {"leaf", 12},
                                             {"wait_io", 4},     {"recurse", 11},       {"gen", 4},
                                             {"kernel_row", 58}, {"native_matmul", 12}, {"native_sleep_ms", 7}};
        for (auto it = expected.begin(); it != expected.end(); ++it)
            QVERIFY2(counts[it.key()] == it.value(), (it.key() + ' ' + QByteArray::number(counts[it.key()])).constData());
        // Each native call of the main thread lies in a Python one: none is outermost. The other thread's first function is not recorded.
        for (const CsvRow& it : csvRows(heliograph(withSymbols(trace, {"latency", "--of", "call", "--list"}))))
            QVERIFY2(it["row"] != "calls:331/1" || !it["name"].startsWith("native_"), it["name"].constData());
    }

    /// With the kernel's states: time on a CPU is what the thread's row says, and never more than the call lasted.
    void timeOnACpuIsThatOfTheThreadsStates()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        qint64 onCpu = -1;
        for (const CsvRow& it : csvRows(heliograph(withSymbols(trace, {"latency", "--of", "call"})))) {
            QVERIFY(it["cpu_ns"].toLongLong() <= it["total_ns"].toLongLong());
            QVERIFY(it["self_ns"].toLongLong() <= it["total_ns"].toLongLong());
            if (it["name"] == "main")
                onCpu = it["cpu_ns"].toLongLong();
        }
        QByteArray begin, end;
        for (const CsvRow& it : csvRows(heliograph(withSymbols(trace, {"latency", "--of", "call", "--list"}))))
            if (it["name"] == "main") {
                begin = it["begin_ns"];
                end = it["end_ns"];
            }
        qint64 expected = 0;
        for (const CsvRow& it :
             csvRows(heliograph({"states", trace, "--view", "control-flow", "--row", "tid:263", "--format", "csv", "--quiet"})))
            if (it["state"].startsWith("running") || it["state"] == "interrupted" || it["state"] == "page-fault"
                || it["state"] == "exiting")
                expected += std::max<qint64>(
                    0, std::min(it["end_ns"].toLongLong(), end.toLongLong()) - std::max(it["begin_ns"].toLongLong(), begin.toLongLong()));
        QVERIFY(expected > 0);
        QCOMPARE(onCpu, expected);
    }

    void theViewIsListedAsOneOfCalls()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast/ust");
        QMap<QByteArray, QByteArray> kinds;
        for (const CsvRow& it : csvRows(heliograph({"views", trace, "--format", "csv", "--quiet"})))
            kinds[it["id"]] = it["kind"] + ' ' + it["analysis"] + ' ' + it["available"];
        QCOMPARE(kinds["call-stack"], "calls calls yes");
        QCOMPARE(kinds["control-flow"], "states event-threads yes");
    }

    void theRowsAreATree()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast/ust");
        QMap<QByteArray, QByteArray> parents;
        for (const CsvRow& it : csvRows(heliograph({"tracks", trace, "--view", "call-stack", "--format", "csv", "--quiet"})))
            parents[it["id"]] = it["parent"];
        QCOMPARE(parents["calls:263/1"], "calls:263");
        QCOMPARE(parents["calls:263"], "pid:263");
        QCOMPARE(parents["calls:269"], "pid:263");
        QCOMPARE(parents["pid:263"], "");
    }
};

HELIO_TEST(CallOutputTest)
#include "tst_call_output.moc"
