// Property: the commands' output for function calls equals the result of a simple call stack in this test. The simple call stack uses the
// events that babeltrace2 prints, the numbers in shared/traces/README.md, and the names that addr2line finds.

#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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

/// Parses babeltrace2's output into events.
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

/// Expected calls as text "calls:263/2 begin end address", sorted. Requires: a recording without losses.
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

/// Duration of the part of a call that is inside a range, in ns.
qint64 partOf(const CsvRow& call, qint64 begin, qint64 end)
{
    return std::max<qint64>(0, std::min(call["end_ns"].toLongLong(), end) - std::max(call["begin_ns"].toLongLong(), begin));
}

/// Expected lines "name count self" for each function in a range. The self time of a function excludes its callees: each call is subtracted
/// from its caller, i.e. the call in the row above that contains it.
QByteArrayList functionsByHand(const QList<CsvRow>& calls, qint64 begin, qint64 end)
{
    QMap<QByteArray, std::pair<qint64, qint64>> functions;
    QMap<QByteArray, QList<CsvRow>> rows;
    for (const CsvRow& it : calls)
        rows[it["row"]] << it;
    for (const CsvRow& it : calls) {
        const qint64 part = partOf(it, begin, end);
        if (part == 0)
            continue;
        ++functions[it["name"]].first;
        functions[it["name"]].second += part;
        const QList<QByteArray> row = it["row"].split('/');
        for (const CsvRow& caller : rows[row[0] + '/' + QByteArray::number(row[1].toInt() - 1)])
            if (caller["begin_ns"].toLongLong() <= it["begin_ns"].toLongLong()
                && it["end_ns"].toLongLong() <= caller["end_ns"].toLongLong())
                functions[caller["name"]].second -= part;
    }
    QByteArrayList lines;
    for (auto it = functions.begin(); it != functions.end(); ++it)
        lines << it.key() + ' ' + QByteArray::number(it->first) + ' ' + QByteArray::number(it->second);
    return lines;
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

    /// Expected counts from shared/traces/README.md.
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

    /// Property: each called address gets the name that addr2line prints for it.
    void namesAreThoseOfAddr2line()
    {
        HELIO_REQUIRE_TRACE(bin, "ust-callstack", "bin");
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast/ust");
        const auto states = [&](const QStringList& more) {
            return csvRows(heliograph(QStringList{"states", trace, "--view", "call-stack", "--format", "csv", "--quiet"} + more));
        };
        QMap<QByteArray, quint64> bases; // Base address of each file, from the events.
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
                expected = expected.split(' ').last(); // Removes the return type, which addr2line prints for templates.
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
        // No native call is the outermost call of the main thread, because each is inside a Python call. In the other thread, native calls
        // can be outermost: its first Python function was not recorded.
        for (const CsvRow& it : csvRows(heliograph(withSymbols(trace, {"latency", "--of", "call", "--list"}))))
            QVERIFY2(it["row"] != "calls:331/1" || !it["name"].startsWith("native_"), it["name"].constData());
    }

    /// Property: with the kernel's states, a call's time on a CPU equals the time of the running states in the thread's row during the
    /// call, and is at most the call's duration.
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

    void flameAddsUpToTheFunctionTable()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const auto functions = csvRows(heliograph(withSymbols(trace, {"latency", "--of", "call"})));
        const auto linesOf = [&](const char* by) {
            QMap<QByteArray, CsvRow> lines;
            for (const CsvRow& it : csvRows(heliograph(withSymbols(trace, {"flame", "--table", "--by", by}))))
                lines[it["module"] + ' ' + it["function"]] = it;
            return lines;
        };
        const auto wall = linesOf("wall");
        const auto onCpu = linesOf("cpu");
        QVERIFY(functions.size() > 15);
        QCOMPARE(wall.size(), functions.size());
        QCOMPARE(onCpu.size(), functions.size());
        for (const CsvRow& it : functions) {
            const QByteArray name = it["module"] + ' ' + it["name"];
            QCOMPARE(wall[name]["self_samples"], it["count"]);
            QCOMPARE(wall[name]["self_weight"], it["self_ns"]);
            // The functions are recursive: time that several of their calls share counts once in the flame graph's total.
            if (it["name"] == "app::fib" || it["name"] == "app::thrower") {
                QVERIFY(wall[name]["total_weight"].toLongLong() < it["total_ns"].toLongLong());
                continue;
            }
            QCOMPARE(wall[name]["total_weight"], it["total_ns"]);
            QCOMPARE(onCpu[name]["total_weight"], it["cpu_ns"]);
        }
    }

    void aRangeHasThePartsOfCallsThatLieInIt_data()
    {
        QTest::addColumn<QString>("session");
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        for (const char* session : {"callstack-fast", "python-fullstack"})
            for (const auto& [from, to] : {std::pair(0.0, 1.0), std::pair(0.1, 0.3), std::pair(0.33, 0.34), std::pair(0.5, 0.9)})
                QTest::addRow("%s %g to %g", session, from, to) << session << from << to;
    }
    void aRangeHasThePartsOfCallsThatLieInIt()
    {
        QFETCH(QString, session);
        QFETCH(double, from);
        QFETCH(double, to);
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", session + "/ust");
        const auto calls = csvRows(heliograph(withSymbols(trace, {"latency", "--of", "call", "--list"})));
        const auto at = [&](double share) {
            qint64 first = INT64_MAX;
            qint64 last = 0;
            for (const CsvRow& it : calls) {
                first = std::min(first, it["begin_ns"].toLongLong());
                last = std::max(last, it["end_ns"].toLongLong());
            }
            return first + qint64(double(last - first) * share);
        };
        const auto lines = csvRows(heliograph(withSymbols(
            trace, {"flame", "--table", "--by", "wall", "--begin", QString::number(at(from)), "--end", QString::number(at(to))})));
        // Self samples and self weight by function name. The module is ignored, because the list of calls contains no modules.
        QMap<QByteArray, std::pair<qint64, qint64>> functions;
        for (const CsvRow& it : lines)
            if (it["self_samples"].toLongLong() > 0 || it["self_weight"].toLongLong() > 0) {
                functions[it["function"]].first += it["self_samples"].toLongLong();
                functions[it["function"]].second += it["self_weight"].toLongLong();
            }
        QByteArrayList actual;
        for (auto it = functions.begin(); it != functions.end(); ++it)
            actual << it.key() + ' ' + QByteArray::number(it->first) + ' ' + QByteArray::number(it->second);
        QVERIFY(!actual.isEmpty());
        QCOMPARE(actual, functionsByHand(calls, at(from), at(to)));
    }

    void linesOfFunctionsAreInTheOrderOfWhatIsAsked()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast/ust");
        for (const auto& [by, column] :
             {std::pair("wall", "total_weight"), std::pair("self-wall", "self_weight"), std::pair("calls", "self_samples")}) {
            QList<qint64> numbers;
            for (const CsvRow& it : csvRows(heliograph(withSymbols(trace, {"flame", "--table", "--by", by}))))
                numbers << it[column].toLongLong();
            QVERIFY2(numbers.size() > 15 && std::ranges::is_sorted(numbers, std::greater()), by);
        }
        QVERIFY(heliograph({"flame", trace, "--table", "--quiet"}).lines().value(0).contains("882 ms in 2430 calls"));
    }

    void speedscopeHasTheCallsThatTheTableCounts()
    {
        const QString trace = SOURCE_DIR "/tests/fixtures/ust-callstack";
        std::vector<qint64> counts;
        for (const QStringList& asked : {QStringList(), QStringList{"--filter", "time < +1ms"}, QStringList{"--begin", "+1ms"}}) {
            const QStringList flame = QStringList{"flame", trace, "--event", "call", "--quiet"} + asked;
            qint64 calls = 0;
            for (const CsvRow& it : csvRows(heliograph(flame + QStringList{"--table", "--format", "csv"})))
                calls += it["self_samples"].toLongLong();
            const ProgramResult answer = heliograph(flame + QStringList{"--format", "speedscope"});
            qint64 opened = 0;
            for (const QJsonValue& profile : QJsonDocument::fromJson(answer.out)["profiles"].toArray())
                for (const QJsonValue& event : profile["events"].toArray())
                    opened += event["type"].toString() == "O";
            QCOMPARE(opened, calls);
            counts.push_back(calls);
        }
        QVERIFY(counts[0] > counts[1]);
    }

    void weighingCallsThatAreNotThereIsRefused()
    {
        HELIO_REQUIRE_TRACE(kernel, "ust-callstack", "callstack-fast/kernel");
        HELIO_REQUIRE_TRACE(ust, "ust-callstack", "callstack-fast/ust");
        const ProgramResult none = heliograph({"flame", kernel, "--by", "wall"});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("--by: no calls in this trace; LTTng records them"), none.err);
        const ProgramResult noCpu = heliograph({"flame", ust, "--by", "cpu"});
        QCOMPARE(noCpu.status, 2);
        QVERIFY2(noCpu.err.contains("the kernel trace of the same time"), noCpu.err);
        QCOMPARE(heliograph({"flame", ust, "--by", "wall", "--event", "call"}).status, 2);
        QCOMPARE(heliograph({"flame", ust, "--cpu", "1"}).status, 2);
        QVERIFY(heliograph({"flame", kernel}).err.contains("no samples or calls in this trace"));
        QVERIFY(heliograph({"flame", ust, "--begin", "+1h"}).err.contains("no calls in this range"));
    }

    void namesAreThoseOfFunctionsAndThreadsHaveTheirOwn()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack",
                            "callstack-fast"); // The user-space trace names all threads "calltree", the kernel trace does not.
        const auto list = [&](const char* filter) {
            return csvRows(heliograph(withSymbols(trace, {"latency", "--of", "call", "--list", "--filter", filter})));
        };
        const auto shown = [&](const char* command, const char* filter) {
            return csvRows(heliograph(withSymbols(trace, {command, "--view", "call-stack", "--filter", filter})));
        };
        const auto all = csvRows(heliograph(withSymbols(trace, {"latency", "--of", "call", "--list"})));
        QByteArray worker;
        for (const CsvRow& it : csvRows(heliograph(withSymbols(trace, {"tracks", "--view", "control-flow"}))))
            worker = it["label"] == "req-worker-1" ? it["tid"] : worker;
        const auto ofWorker = std::ranges::count_if(all, [&](const CsvRow& it) { return it["tid"] == worker; });
        QCOMPARE(ofWorker, 801);
        QCOMPARE(list("name == \"app::parse\"").size(), 30);
        QCOMPARE(shown("states", "name == \"app::parse\"").size(), 30);
        QCOMPARE(shown("states", "name == \"app::parse\" && duration > 0").size(), 30);
        qint64 counted = 0;
        for (const CsvRow& it : shown("stats", "name == \"app::parse\""))
            counted += it["count"].toLongLong();
        QCOMPARE(counted, 30);
        QCOMPARE(list("thread == \"req-worker-1\"").size(), ofWorker);
        QCOMPARE(shown("states", "thread == \"req-worker-1\"").size(), ofWorker);
        // The filter selects all calls, because every thread had the name "calltree" at first.
        QCOMPARE(list("thread == \"calltree\"").size(), all.size());
        QVERIFY(list("name == \"req-worker-1\"").isEmpty());
        QVERIFY(shown("states", "name == \"req-worker-1\"").isEmpty());
        QVERIFY(shown("states", "name == \"1\"").isEmpty()); // No state matches, because "1" is the label of a call depth and not a name.
        const ProgramResult refused = heliograph({"flame", trace, "--filter", "name == \"req-worker-1\""});
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains("thread == \"NAME\""), refused.err);
        qint64 weighed = 0;
        for (const CsvRow& it :
             csvRows(heliograph(withSymbols(trace, {"flame", "--by", "calls", "--filter", "thread == \"req-worker-1\""}))))
            weighed += it["self_samples"].toLongLong();
        QCOMPARE(weighed, ofWorker);
        const ProgramResult events =
            heliograph({"events", trace, "--count", "--filter", "thread == \"calltree\" && name =~ \"func_entry\""});
        QCOMPARE(events.out.trimmed().toLongLong(), all.size());
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
