// Property: the output of latency for states, wake-ups and event pairs equals sums over the output of other commands.

#include "tests/app/cli/latency_lines.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QSet>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace helio;

namespace {

ProgramResult latency(const QStringList& more)
{
    return heliograph(QStringList{"latency", sampleTrace(), "--format", "csv", "--quiet"} + more);
}

/// Returns the expected intervals of a state that lie in the window, sorted by time. They come from the output of `heliograph states`.
/// Rows of the threads on a CPU (".../thread") are excluded, because the rows of the CPUs have the same intervals.
TimedIntervals staysIn(const QString& view, const QByteArray& state, qint64 begin = INT64_MIN, qint64 end = INT64_MAX)
{
    TimedIntervals all;
    for (const CsvRow& it : csvRows(heliograph({"states", sampleTrace(), "--view", view, "--format", "csv", "--quiet"})))
        if (const TimedInterval piece{it["begin_ns"].toLongLong(), it["end_ns"].toLongLong(), it["detail"], it["row"], it["trace"]};
            it["state"] == state && !it["row"].endsWith("/thread") && piece.begin >= begin && piece.end <= end)
            all << piece;
    std::ranges::stable_sort(all, {}, &TimedInterval::begin);
    return all;
}

QByteArray fieldIn(const CsvRow& event, const QByteArray& name)
{
    for (const QByteArray& field : event["fields"].split(';'))
        if (field.startsWith(name + '='))
            return field.mid(name.size() + 1);
    return {};
}

/// Computes the expected intervals from the output of `heliograph events`: from each event `first` to the following event `last` with an
/// equal field value. The member `trace` holds the CPU of the first event, so that CPUs are compared, too.
TimedIntervals pairsOf(const QByteArray& first, const QByteArray& firstField, const QByteArray& last, const QByteArray& lastField)
{
    TimedIntervals all;
    QMap<QByteArray, TimedInterval> open;
    for (const CsvRow& it : csvRows(heliograph({"events", sampleTrace(), "--format", "csv", "--quiet"}))) {
        const qint64 time = it["time_ns"].toLongLong();
        if (const QByteArray value = fieldIn(it, lastField); it["name"] == last && open.contains(value)) {
            TimedInterval pair = open.take(value);
            pair.end = time;
            all << pair;
        }
        if (it["name"] == first)
            open[fieldIn(it, firstField)] = {time, 0, fieldIn(it, firstField), {}, it["cpu"]};
    }
    std::ranges::stable_sort(all, {}, &TimedInterval::begin);
    return all;
}

/// Returns TID and time of each wake-up, from the output of the command `events`.
QSet<QPair<QByteArray, QByteArray>> wokenIn(const QString& trace)
{
    QSet<QPair<QByteArray, QByteArray>> woken;
    for (const CsvRow& it : csvRows(heliograph({"events", trace, "--format", "csv", "--quiet"})))
        if (it["name"] == "sched_waking" || it["name"] == "sched_wakeup")
            woken << qMakePair(fieldIn(it, "tid"), it["time_ns"]);
    return woken;
}

/// Expected intervals from a wake-up to the switch-in, from the states of rows. The wake-up ended a wait or an unknown state.
TimedIntervals wakeupsIn(const QString& trace)
{
    const auto wakeUps = wokenIn(trace);
    const QByteArrayList waits{"sleeping", "blocked", "waiting", "idle-kthread", "stopped", "parked"};
    TimedIntervals expected;
    QMap<QByteArray, QByteArray> labels;
    for (const CsvRow& it : csvRows(heliograph({"tracks", trace, "--view", "control-flow", "--format", "csv", "--quiet"})))
        labels[it["id"]] = it["label"];
    CsvRow before, woken;
    for (const CsvRow& it : csvRows(heliograph({"states", trace, "--view", "control-flow", "--format", "csv", "--quiet"}))) {
        const bool hasRun = it["state"].startsWith("running") || it["state"] == "exiting";
        const bool isKnown = before["row"] == woken["row"] && before["state"] != "unknown" && before["end_ns"] == woken["begin_ns"];
        const bool isWoken = isKnown ? waits.contains(before["state"]) : wakeUps.contains(qMakePair(woken["tid"], woken["begin_ns"]));
        if (woken["state"] == "wait-cpu" && isWoken && hasRun && woken["row"] == it["row"])
            expected << TimedInterval{woken["begin_ns"].toLongLong(), woken["end_ns"].toLongLong(), labels[it["row"]], it["row"],
                                      it["trace"]};
        before = woken;
        woken = it;
    }
    std::ranges::stable_sort(expected, {}, &TimedInterval::begin);
    return expected;
}

} // namespace

class LatencyOutputTest : public QObject {
    Q_OBJECT

private slots:
    void columnsAreTheDocumentedOnes()
    {
        QCOMPARE(latency({"--of", "state:sleeping"}).lines().first(),
                 "name,module,count,total_ns,self_ns,cpu_ns,min_ns,mean_ns,p50_ns,p90_ns,p99_ns,max_ns,min_at_ns,max_at_ns,unfinished");
        QCOMPARE(latency({"--of", "state:sleeping", "--list"}).lines().first(),
                 "begin_ns,end_ns,duration_ns,kind,name,trace,row,tid,cpu,fields");
        QCOMPARE(latency({"--of", "state:sleeping", "--histogram"}).lines().first(), "from_ns,to_ns,count");
    }

    void aStateLastsAsLongAsItsIntervals_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QByteArray>("state");
        for (const char* state : {"running-syscall", "sleeping", "preempted", "wait-cpu", "running-user", "unknown"})
            QTest::addRow("%s", state) << "control-flow" << QByteArray(state);
        for (const char* state : {"idle", "irq", "softirq"})
            QTest::addRow("resources %s", state) << "resources" << QByteArray(state);
    }
    void aStateLastsAsLongAsItsIntervals()
    {
        QFETCH(QString, view);
        QFETCH(QByteArray, state);
        const TimedIntervals all = staysIn(view, state);
        const QString kind = "state:" + QString::fromUtf8(state);

        QVERIFY(!all.isEmpty());
        QCOMPARE(latency({"--of", kind, "--view", view}).lines().mid(1), summaryOf(all));

        qint64 count = 0, total = 0;
        for (const CsvRow& it : csvRows(latency({"--of", kind, "--view", view}))) {
            count += it["count"].toLongLong();
            total += it["total_ns"].toLongLong();
        }
        const auto sums = csvRows(heliograph({"states", sampleTrace(), "--view", view, "--summary", "--format", "csv", "--quiet"}));
        qint64 summedCount = 0, summedTotal = 0;
        for (const CsvRow& sum : sums)
            if (sum["state"] == state && !sum["row"].isEmpty() && !sum["row"].endsWith("/thread")) {
                summedCount += sum["count"].toLongLong();
                summedTotal += sum["total_ns"].toLongLong();
            }
        QCOMPARE(count, summedCount);
        QCOMPARE(total, summedTotal);
    }

    /// Property: a pair of events is left out if events were lost between them. A message says how many pairs were left out.
    void pairsWithAGapBetweenThemAreCountedAndLeftOut()
    {
        const QStringList ask{"latency", SOURCE_DIR "/tests/fixtures/lossy-small",
                              "--of",    "sched_waking(tid) -> sched_switch(next_tid)",
                              "--list",  "--format",
                              "csv"};
        const ProgramResult answer = heliograph(ask);
        QCOMPARE(answer.status, 0);
        const auto said = answer.err.indexOf(" pairs are ignored: events were lost");
        QVERIFY2(said > 0, answer.err.constData());
        QVERIFY(answer.err.left(said).split(' ').last().toInt() > 0);
        QVERIFY(!heliograph(ask + QStringList{"--quiet"}).err.contains("are ignored"));
        QVERIFY(!heliograph({"latency", sampleTrace(), "--of", "sched_waking(tid) -> sched_switch(next_tid)"}).err.contains("are ignored"));
    }

    /// Property: pairs of sampled events are ignored, even if a second trace with a complete recording of these events is open.
    void sampledEventsHaveNoPairs()
    {
        HELIO_REQUIRE_TRACE(folder, "perf-cases");
        const QString pairs = "sched:sched_wakeup(pid) -> sched:sched_switch(next_pid)";
        const QString sampled = folder + "/sched-sampled.data", every = folder + "/sched-every.data";
        const ProgramResult alone = heliograph({"latency", sampled, "--of", pairs, "--list", "--format", "csv"});
        QVERIFY(alone.status != 0);
        QVERIFY(alone.out.isEmpty());
        QVERIFY2(alone.err.contains("--of: \"sched:sched_wakeup\" was only sampled, not fully recorded"), alone.err.constData());

        const auto timesIn = [&](const QStringList& files) {
            const ProgramResult answer =
                heliograph(QStringList{"latency"} + files + QStringList{"--of", pairs, "--list", "--format", "csv"});
            QByteArrayList times;
            for (const QByteArray& line : answer.lines().mid(1))
                times << csvCells(line)[0] + '-' + csvCells(line)[1];
            return std::pair(times, answer.err.contains("pairs with sampled events are ignored: sched:sched_wakeup, sched:sched_switch"));
        };
        const auto [whole, isSaidOfWhole] = timesIn({every});
        QVERIFY(whole.size() > 10 && !isSaidOfWhole);
        QCOMPARE(timesIn({every, sampled}), std::pair(whole, true));
    }

    void onlyWhatLiesInTheWindowCountsAndIsNotCut()
    {
        const auto info = QJsonDocument::fromJson(heliograph({"info", sampleTrace(), "--json", "--quiet"}).out).object();
        const qint64 start = info["begin_ns"].toVariant().toLongLong();
        QVERIFY(start > 0);
        const TimedIntervals inside = staysIn("control-flow", "sleeping", start + 300'000'000, start + 1'200'000'000);
        const TimedIntervals all = staysIn("control-flow", "sleeping");
        const QStringList window{"--of", "state:sleeping", "--view", "control-flow", "--begin", "+0.3s", "--end", "+1.2s"};

        QVERIFY(inside.size() > 100 && inside.size() < all.size());
        QCOMPARE(latency(window).lines().mid(1), summaryOf(inside));
        // Property: if --begin and --end are exactly the begin and the end of an interval, this interval is listed.
        const TimedInterval& one = inside[50];
        const auto exact =
            csvRows(latency({"--of", "state:sleeping", "--list", "--view", "control-flow", "--row", QString::fromUtf8(one.row), "--begin",
                             QString::number(one.begin), "--end", QString::number(one.end)}));
        QCOMPARE(exact.size(), 1);
        QCOMPARE(exact[0]["duration_ns"].toLongLong(), one.length());
    }

    void theListIsInTimeOrder()
    {
        const TimedIntervals all = staysIn("control-flow", "running-syscall");
        const auto list = csvRows(latency({"--of", "state:running-syscall", "--view", "control-flow", "--list"}));
        QCOMPARE(list.size(), all.size());
        for (qsizetype i = 0; i < list.size(); ++i) {
            QCOMPARE(list[i]["begin_ns"].toLongLong(), all[i].begin);
            QCOMPARE(list[i]["end_ns"].toLongLong(), all[i].end);
            QCOMPARE(list[i]["duration_ns"].toLongLong(), all[i].length());
            QCOMPARE(list[i]["kind"], QByteArray("state:running-syscall"));
            QCOMPARE(list[i]["name"], all[i].name);
            QCOMPARE("tid:" + list[i]["tid"], all[i].row.split('#').first());
            QVERIFY(list[i]["fields"].isEmpty());
        }
    }

    void theHistogramCountsEachOnce_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("most");
        QTest::newRow("as usual") << QStringList{} << 20;
        QTest::newRow("seven") << QStringList{"--buckets", "7"} << 7;
        QTest::newRow("logarithmic") << QStringList{"--buckets", "30", "--log"} << 30;
    }
    void theHistogramCountsEachOnce()
    {
        QFETCH(QStringList, options);
        QFETCH(int, most);
        const TimedIntervals all = staysIn("control-flow", "running-syscall");
        const auto buckets =
            csvRows(latency(QStringList{"--of", "state:running-syscall", "--view", "control-flow", "--histogram"} + options));
        QCOMPARE(buckets.size(), most);
        for (const CsvRow& it : buckets)
            QCOMPARE(it["count"].toLongLong(), std::ranges::count_if(all, [&](const TimedInterval& piece) {
                         return piece.length() >= it["from_ns"].toLongLong() && piece.length() < it["to_ns"].toLongLong();
                     }));
        const auto counted = std::accumulate(buckets.begin(), buckets.end(), qint64(0),
                                             [](qint64 sum, const CsvRow& it) { return sum + it["count"].toLongLong(); });
        QCOMPARE(counted, all.size());
    }

    void filtersSpeakOfNamesAndLengthsAndRows()
    {
        TimedIntervals expected = staysIn("control-flow", "running-syscall");
        erase_if(expected, [](const TimedInterval& it) { return it.name != "clock_nanosleep" || it.length() <= 50'000; });
        QVERIFY(expected.size() > 10);
        QCOMPARE(latency({"--of", "state:running-syscall", "--filter", "name == \"clock_nanosleep\" && duration > 50us"}).lines().mid(1),
                 summaryOf(expected));
        erase_if(expected, [](const TimedInterval& it) { return it.row != "tid:252"; });
        QVERIFY(!expected.isEmpty());
        for (const QStringList& which : {QStringList{"--thread", "252"}, QStringList{"--row", "tid:252"}})
            QCOMPARE(latency(QStringList{"--of", "state:running-syscall", "--filter", "clock_nanosleep && duration > 50us"} + which)
                         .lines()
                         .mid(1),
                     summaryOf(expected));
        QVERIFY(latency({"--of", "state:running-syscall", "--filter", "missing == 1"}).lines().mid(1).isEmpty());
    }

    void jsonHasTheColumnsAsKeys()
    {
        const auto rows = csvRows(latency({"--of", "state:preempted", "--list"}));
        const auto lines = heliograph({"latency", sampleTrace(), "--of", "state:preempted", "--list", "--json", "--quiet"}).lines();
        QCOMPARE(lines.size(), rows.size());
        QVERIFY(!rows.isEmpty());
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const QJsonObject object = QJsonDocument::fromJson(lines[i]).object();
            QCOMPARE(object.size(), rows[i].size());
            QCOMPARE(object["duration_ns"].toInteger(), rows[i]["duration_ns"].toLongLong());
            QCOMPARE(object["row"].toString().toUtf8(), rows[i]["row"]);
        }
    }

    void anUnknownKindIsAnsweredWithThoseThatAre()
    {
        for (const char* kind : {"block", "state:", "state:running backwards"}) {
            const ProgramResult answer = latency({"--of", kind});
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.startsWith(QByteArray("heliograph: --of: there is no kind \"") + kind + "\" here; there are: "),
                     answer.err);
            QVERIFY2(answer.err.contains("preempted") && answer.err.contains("softirq"), answer.err);
            // Analyses that are off by default are listed only if the trace has their events: irq-time is listed, mpi-states is not.
            QVERIFY2(answer.err.contains(", irq-time, ") && !answer.err.contains("mpi-states"), answer.err);
            QVERIFY(answer.out.isEmpty());
        }
        const QByteArray ofThreads = latency({"--of", "state:irq", "--view", "control-flow"}).err;
        const auto names = ofThreads.indexOf("state:NAME with NAME one of ");
        QVERIFY(names > 0 && !ofThreads.mid(names).contains("softirq"));
        QVERIFY2(ofThreads.left(names).contains(" irq, softirq, "), ofThreads);
    }

    void aPatternThatHasNothingHereSaysWhy()
    {
        const ProgramResult answer = latency({"--of", "mpi-states"});
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.startsWith("heliograph: --of: there is no kind \"mpi-states\" here, as "), answer.err);
        QVERIFY2(answer.err.contains("; there are: "), answer.err);
    }

    /// Property: each id that the message about an unknown id lists is valid.
    void everyKindThatIsListedIsOne()
    {
        const QByteArray err = latency({"--of", "?"}).err;
        const auto begin = err.indexOf("there are: ") + 11;
        const QList<QByteArray> kinds = err.mid(begin, err.indexOf(", state:NAME") - begin).split(',');
        QVERIFY(kinds.size() > 3);
        for (const QByteArray& it : kinds)
            QVERIFY2(latency({"--of", QString(it).trimmed()}).status == 0, it);
    }

    void whereThereIsNoneItIsSaidWhatRecordsThem()
    {
        const QString trace = QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/sched-g.data");
        const QStringList asked{"latency", "--of", "syscall", "--format", "csv", trace};
        const ProgramResult answer = heliograph(asked);
        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.lines().size(), 1);
        QVERIFY2(answer.err.contains("no \"syscall\" here: raw_syscalls:sys_enter was not recorded; record them with: perf record "),
                 answer.err);
        QVERIFY(!heliograph(asked + QStringList{"--quiet"}).err.contains("no \"syscall\""));
        QVERIFY(!heliograph({"latency", "--of", "syscall", sampleTrace()}).err.contains("no \"syscall\""));
    }

    void filtersKnowThreads_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"syscall", "preemption", "wakeup", "wait", "state:blocked"})
            QTest::newRow(kind) << kind;
    }
    void filtersKnowThreads()
    {
        QFETCH(QString, kind);
        QMap<QByteArray, int> counts;
        for (const CsvRow& it : csvRows(latency({"--of", kind, "--list"})))
            ++counts[it["tid"]];
        QVERIFY(counts.size() > 1);
        for (const auto& [tid, count] : counts.asKeyValueRange()) {
            const auto left = csvRows(latency({"--of", kind, "--list", "--filter", "tid == " + QString(tid)}));
            QCOMPARE(int(left.size()), count);
            QVERIFY(std::ranges::all_of(left, [&](const CsvRow& it) { return it["tid"] == tid; }));
        }
    }

    /// Property: only intervals on a CPU's row can be filtered by --cpu; other kinds give an error, not an empty table.
    void cpuOptionNeedsIntervalsOnCpus_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("isOnOne");
        for (const char* kind : {"wakeup", "wakeup-priority", "syscall", "preemption", "state:blocked", "state:preempted"})
            QTest::newRow(kind) << kind << false;
        for (const char* kind : {"irq", "softirq", "state:irq", "sched_waking(tid) -> sched_switch(next_tid)"})
            QTest::newRow(kind) << kind << true;
    }
    void cpuOptionNeedsIntervalsOnCpus()
    {
        QFETCH(QString, kind);
        QFETCH(bool, isOnOne);
        const ProgramResult answer = latency({"--of", kind, "--cpu", "1", "--list"});
        if (isOnOne) {
            QVERIFY2(answer.status == 0, answer.err);
            const auto all = csvRows(latency({"--of", kind, "--list"}));
            const auto expected = std::ranges::count_if(all, [](const CsvRow& it) { return it["cpu"] == "1"; });
            QCOMPARE(qsizetype(csvRows(answer).size()), qsizetype(expected));
            return;
        }
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains("--cpu: \"" + kind.toUtf8() + "\" has no CPU") && answer.err.contains("irq, softirq, "), answer.err);
        QVERIFY(answer.out.isEmpty());
    }

    void wrongUsageIsStatus2_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("why");
        const QStringList sleeping{"--of", "state:sleeping"};
        QTest::newRow("no kind") << QStringList{} << QByteArray("latency: --of KIND is missing");
        QTest::newRow("two outputs") << sleeping + QStringList{"--list", "--histogram"}
                                     << QByteArray("--list: cannot be combined with --histogram");
        QTest::newRow("buckets of a list") << sleeping + QStringList{"--buckets", "5"}
                                           << QByteArray("--buckets: only valid with --histogram");
        QTest::newRow("log of a list") << sleeping + QStringList{"--log"} << QByteArray("--log: only valid with --histogram");
        QTest::newRow("very many buckets") << sleeping + QStringList{"--histogram", "--buckets", "4000000000"}
                                           << QByteArray("--buckets: must be at most 100000");
        QTest::newRow("unknown view") << sleeping + QStringList{"--view", "elsewhere"} << QByteArray("there is no view \"elsewhere\" here");
    }
    void wrongUsageIsStatus2()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, why);
        const ProgramResult answer = latency(options);
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains(why), answer.err);
        QVERIFY(answer.out.isEmpty());
    }

    void fromOneEventToTheNextWithItsValue_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QByteArrayList>("names");
        QTest::newRow("numbers") << "sched_waking(tid) -> sched_switch(next_tid)"
                                 << QByteArrayList{"sched_waking", "tid", "sched_switch", "next_tid"};
        QTest::newRow("texts") << "sched_switch(prev_comm)->sched_switch( next_comm )"
                               << QByteArrayList{"sched_switch", "prev_comm", "sched_switch", "next_comm"};
        QTest::newRow("the same") << "sched_switch(next_tid) -> sched_switch(next_tid)"
                                  << QByteArrayList{"sched_switch", "next_tid", "sched_switch", "next_tid"};
    }
    /// Property: the names of pairs are the values as the events show them.
    void pairsOfAddressesHaveHexadecimalNames()
    {
        const QString kind = "timer_hrtimer_start(hrtimer) -> timer_hrtimer_expire_entry(hrtimer)";
        const TimedIntervals expected = pairsOf("timer_hrtimer_start", "hrtimer", "timer_hrtimer_expire_entry", "hrtimer");
        const auto list = csvRows(latency({"--of", kind, "--list"}));
        QVERIFY(expected.size() > 300);
        QCOMPARE(list.size(), expected.size());
        for (qsizetype i = 0; i < list.size(); ++i) {
            QVERIFY2(list[i]["name"].startsWith("0xff"), list[i]["name"]);
            QCOMPARE(list[i]["name"], expected[i].name);
        }
    }

    void fromOneEventToTheNextWithItsValue()
    {
        QFETCH(QString, kind);
        QFETCH(QByteArrayList, names);
        const TimedIntervals expected = pairsOf(names[0], names[1], names[2], names[3]);
        const auto list = csvRows(latency({"--of", kind, "--list"}));

        QVERIFY(expected.size() > 300);
        QCOMPARE(list.size(), expected.size());
        for (qsizetype i = 0; i < list.size(); ++i) {
            QCOMPARE(list[i]["begin_ns"].toLongLong(), expected[i].begin);
            QCOMPARE(list[i]["end_ns"].toLongLong(), expected[i].end);
            QCOMPARE(list[i]["name"], expected[i].name);
            QCOMPARE(list[i]["cpu"], expected[i].trace);
            QVERIFY(list[i]["row"].isEmpty() || list[i]["row"].startsWith("tid:" + list[i]["tid"]));
        }
        QCOMPARE(latency({"--of", kind}).lines().mid(1), summaryOf(expected));
        TimedIntervals long0 = expected;
        erase_if(long0, [](const TimedInterval& it) { return it.length() <= 20'000 || it.trace != "0"; });
        QVERIFY(!long0.isEmpty());
        QCOMPARE(latency({"--of", kind, "--filter", "duration > 20us", "--cpu", "0"}).lines().mid(1), summaryOf(long0));
    }

    void fromTheWakeUpThatEndsAWaitToTheSwitchIn()
    {
        TimedIntervals expected = wakeupsIn(sampleTrace());
        QVERIFY(expected.size() > 300);
        QCOMPARE(latency({"--of", "wakeup"}).lines().mid(1), summaryOf(expected));
        const auto list = csvRows(latency({"--of", "wakeup", "--list"}));
        QCOMPARE(list.size(), expected.size());
        for (qsizetype i = 0; i < list.size(); ++i) {
            QCOMPARE(list[i]["begin_ns"].toLongLong(), expected[i].begin);
            QCOMPARE(list[i]["row"], expected[i].row);
        }
        // Each interval begins at a wake-up of its thread.
        const auto wakeUps = wokenIn(sampleTrace());
        for (const CsvRow& it : list)
            QVERIFY(wakeUps.contains(qMakePair(it["tid"], it["begin_ns"])));
        erase_if(expected, [](const TimedInterval& it) { return it.row != "tid:252"; });
        QVERIFY(!expected.isEmpty());
        QCOMPARE(latency({"--of", "wakeup", "--filter", "tid == 252"}).lines().mid(1), summaryOf(expected));
        QVERIFY(latency({"--of", "wake"}).err.contains(", wakeup, wakeup-priority, timer, wait, throttled, state:NAME"));
    }

    void wakeUpsByThePriorityThatTheSwitchSays()
    {
        // Threads of this trace have different priorities, because some are real-time threads.
        const QString trace = SOURCE_DIR "/tests/fixtures/split-small";
        QHash<QPair<QByteArray, QByteArray>, QByteArray> priorities; // Priority by thread and time.
        for (const CsvRow& it : csvRows(heliograph({"events", trace, "--format", "csv", "--quiet"})))
            if (it["name"] == "sched_switch")
                priorities[qMakePair(fieldIn(it, "next_tid"), it["time_ns"])] = fieldIn(it, "next_prio");
        TimedIntervals expected = wakeupsIn(trace);
        QSet<QByteArray> names;
        for (TimedInterval& it : expected) {
            const QByteArray tid = it.row.mid(it.row.indexOf(':') + 1);
            it.name = "priority " + priorities.value(qMakePair(tid, QByteArray::number(qlonglong(it.end))));
            names << it.name;
        }

        QVERIFY(names.size() > 1 && !names.contains("priority "));
        QCOMPARE(heliograph({"latency", trace, "--of", "wakeup-priority", "--format", "csv", "--quiet"}).lines().mid(1),
                 summaryOf(expected));
    }

    void whatIsNoPairOfEventsIsReported_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("no field") << "sched_waking -> sched_switch(next_tid)"
                                  << QByteArray("is not of the form EVENT(FIELD) -> EVENT(FIELD)");
        QTest::newRow("nothing") << "->" << QByteArray("is not of the form EVENT(FIELD) -> EVENT(FIELD)");
        QTest::newRow("no event") << "sched_waking(tid) -> sched_sleeping(tid)" << QByteArray("no event is named \"sched_sleeping\"");
        QTest::newRow("other field") << "sched_waking(pid) -> sched_switch(next_tid)"
                                     << QByteArray("\"sched_waking\" has no text or integer field \"pid\"; it has comm, ");
        QTest::newRow("of another tracer") << "sched:sched_waking(tid) -> sched_switch(next_tid)"
                                           << QByteArray("no event is named \"sched:sched_waking\"; similar names: sched_waking");
    }
    void whatIsNoPairOfEventsIsReported()
    {
        QFETCH(QString, kind);
        QFETCH(QByteArray, why);
        const ProgramResult answer = latency({"--of", kind});
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.startsWith("heliograph: --of: ") && answer.err.contains(why), answer.err);
    }
};

HELIO_TEST(LatencyOutputTest)
#include "tst_latency_output.moc"
