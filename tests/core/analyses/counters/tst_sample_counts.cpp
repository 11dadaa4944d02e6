// Input: samples with periods. Property: counter series are the sums of the periods of each event, by CPU and by thread.

#include "tests/core/analyses/counters/counter_points.h"
#include "tests/support/made_recording.h"
#include "tests/support/perf_script.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <map>
#include <set>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::uint64_t Ms = 1'000'000;
constexpr std::uint64_t PageFaults = 2;

std::shared_ptr<const Store> counted(const Trace& trace) { return storesOf(trace, {"event-counters"}).front(); }

MadePerfData faults()
{
    MadePerfData made;
    MadeAttribute attribute;
    attribute.config = PageFaults;
    made.addAttribute(attribute);
    return made;
}

std::vector<std::string> rowsOf(const PrintedSample& it)
{
    std::vector<std::string> rows;
    if (it.cpu >= 0)
        rows.push_back("cpu:" + std::to_string(it.cpu));
    if (it.tid > 0)
        rows.push_back("tid:" + std::to_string(it.tid));
    return rows;
}

using Sums = std::map<std::string, std::vector<std::pair<std::int64_t, std::int64_t>>>;

/// Returns the expected sums, keyed by the series' id: for each sample that perf script printed, its time and the sum of the periods so
/// far. Sums by CPU exist only if perf script printed CPUs.
///
/// In frequency mode, the printed period of a kernel software event belongs to the following sample of the same counter. `areOfCpus`: true
/// if each CPU has one counter; false if each thread has one counter per CPU.
Sums sumsOf(const std::vector<PrintedSample>& samples, bool areOfCpus)
{
    Sums sums;
    std::map<std::tuple<std::string, int, int>, std::int64_t> said;
    for (const PrintedSample& it : samples) {
        auto period = std::int64_t(it.period);
        if (it.event == "page-faults" || it.event == "context-switches")
            if (const auto [last, isFirst] = said.try_emplace({it.event, it.cpu, areOfCpus ? 0 : it.tid}, period); !isFirst)
                period = std::exchange(last->second, period);
        for (const std::string& row : rowsOf(it)) {
            auto& sum = sums[row + '/' + it.event];
            sum.emplace_back(it.time, (sum.empty() ? 0 : sum.back().second) + period);
        }
    }
    return sums;
}

/// TIDs of the switched-out and the switched-in thread of each printed switch, by CPU and time.
using Switches = std::map<std::pair<int, std::int64_t>, std::pair<int, int>>;
Switches switchesOf(const QString& path)
{
    static const QRegularExpression head(R"(\[(\d+)\]\s+(\d+)\.(\d{9}):.* sched:sched_switch: .*prev_pid=(\d+) .* next_pid=(\d+))");
    Switches switches;
    QFile file(path);
    if (file.open(QIODevice::ReadOnly))
        for (auto all = head.globalMatch(QString::fromUtf8(file.readAll())); all.hasNext();) {
            const auto it = all.next();
            switches[{it.captured(1).toInt(), it.captured(2).toLongLong() * 1'000'000'000 + it.captured(3).toLongLong()}] = {
                it.captured(4).toInt(), it.captured(5).toInt()};
        }
    return switches;
}

/// Returns the expected sums for a group of counters that perf read with each sample.
///
/// - perf prints no sample for a counter that did not change. This counter kept its value since the preceding sample of the same CPU or,
/// with counters per thread, since the preceding sample of the thread on this CPU.
/// - If a sample's thread is not the thread that the CPU's preceding switch switched in, a switch was not recorded. The counts of both
/// threads are then unknown, and their sums restart at 0 with the next known interval.
Sums readSumsOf(std::vector<PrintedSample> samples, bool areOfCpus, const Switches& switches = {})
{
    Sums sums;
    std::set<std::string> gaps; // Ids of the series that have grown by an unknown amount since their latest sum.
    // Returns the TID that the CPU's preceding switch switched in, if it differs from the sample's TID; -1 if it is equal or not known.
    const auto switchedInInstead = [&](const PrintedSample& it) {
        const auto own = switches.find({it.cpu, it.time});
        const bool isFirst = own == switches.end() || own == switches.begin() || std::prev(own)->first.first != it.cpu;
        return isFirst || std::prev(own)->second.second == it.tid ? -1 : std::prev(own)->second.second;
    };
    // Sample times without duplicates, by CPU and TID; TID -1 for counters of CPUs.
    std::map<std::pair<int, int>, std::vector<std::int64_t>> reads;
    for (PrintedSample& it : samples) {
        if (const auto own = switches.find({it.cpu, it.time}); own != switches.end() && it.tid < 0)
            it.tid = own->second.first; // perf prints no TID of a thread that has ended.
        auto& times = reads[{it.cpu, areOfCpus ? -1 : it.tid}];
        if (times.empty() || times.back() != it.time)
            times.push_back(it.time);
        const int instead = switchedInInstead(it);
        for (const auto& [series, sum] : sums)
            if (series.starts_with("tid:" + std::to_string(instead) + '/'))
                gaps.insert(series);
        for (const std::string& row : rowsOf(it)) {
            const std::string series = row + '/' + it.event;
            if (row.starts_with("tid") && instead >= 0) {
                gaps.insert(series);
                continue;
            }
            auto& sum = sums[series];
            if (gaps.erase(series) && !sum.empty())
                sum.emplace_back(times.end()[-2], 0);
            else if (!sum.empty() && times.size() > 1 && times.end()[-2] > sum.back().first)
                sum.emplace_back(times.end()[-2], sum.back().second);
            sum.emplace_back(it.time, (sum.empty() ? 0 : sum.back().second) + std::int64_t(it.period));
        }
    }
    for (auto& [series, sum] : sums)
        for (const auto& [of, times] : reads)
            if (areOfCpus && series.starts_with("cpu:" + std::to_string(of.first) + '/') && times.back() > sum.back().first)
                sum.emplace_back(times.back(), sum.back().second);
    return sums;
}

/// Checks that each series starts with the first and ends with the last expected sum, that all its points are among the expected sums,
/// and that each expected sum has a series.
void compare(const Trace& trace, const Store& store, const Sums& sums)
{
    const bool arePrinted = std::ranges::any_of(sums, [](const auto& it) { return it.first.starts_with("cpu:"); });
    std::size_t found = 0;
    for (const CounterSeries& series : store.counters().series()) {
        if (series.view.empty() || (series.view == "counters-cpu" && !sums.contains(series.id) && !arePrinted))
            continue;
        ++found;
        const auto sum = sums.find(series.id);
        QVERIFY2(sum != sums.end(), series.id.c_str());
        const auto points = pointsOf(store, series.id);
        const auto number = [&](const CounterPoint& it) {
            return series.number == CounterNumber::Integer ? it.value.integer() : std::llround(it.value.real() * 1e9);
        };
        std::size_t at = 0;
        for (const CounterPoint& it : points) {
            const std::pair asPrinted{nanoseconds(it.time) - trace.info().clock.offset, std::int64_t(number(it))};
            while (at < sum->second.size() && sum->second[at] != asPrinted)
                ++at;
            QVERIFY2(at < sum->second.size(), series.id.c_str());
            QVERIFY(&it != &points.front() || at == 0);
        }
        QCOMPARE(at, sum->second.size() - 1);
    }
    QCOMPARE(found, sums.size());
}

} // namespace

class SampleCountsTest : public QObject {
    Q_OBJECT

private slots:
    void periodsAddUp()
    {
        MadePerfData made = faults();
        made.addSample(1, 10, 11, 1 * Ms, 0, 5);
        made.addSample(1, 10, 12, 2 * Ms, 1, 7);
        made.addSample(1, 10, 11, 4 * Ms, 1, 20);
        made.addSample(1, 0, 0, 5 * Ms, 0, 100); // A sample of the idle thread, which gets no series.
        const auto store = counted(*openedRecording(made));

        QCOMPARE(seriesOf(*store),
                 "cpu:0/page-faults (CPU 0, counters-cpu), cpu:1/page-faults (CPU 1, counters-cpu), "
                 "tid:11/page-faults (TID 11, counters-thread), tid:12/page-faults (TID 12, counters-thread)");
        QCOMPARE(integersOf(*store, "cpu:0/page-faults"), "1000=5 5000=105");
        QCOMPARE(integersOf(*store, "cpu:1/page-faults"), "2000=7 4000=27");
        QCOMPARE(integersOf(*store, "tid:11/page-faults"), "1000=5 4000=25");
        QCOMPARE(realsOf(*store, "tid:11/page-faults/growth"), "1000=6666.67");
    }

    void timeIsSeconds()
    {
        MadePerfData made;
        made.addAttribute({}); // The default attribute samples cpu-clock.
        made.addSample(1, 10, 11, 1 * Ms, 0, 1 * Ms);
        made.addSample(1, 10, 11, 2 * Ms, 0, 500'000);
        const auto store = counted(*openedRecording(made));
        QCOMPARE(realsOf(*store, "cpu:0/cpu-clock"), "1000=0.001 2000=0.0015");
        QCOMPARE(realsOf(*store, "cpu:0/cpu-clock/growth"), "");
        QCOMPARE(store->counters().series()[0].unit, "s");
    }

    /// Property: the growth of a counter while samples were lost is unknown. The analysis marks it by a total that falls: the first total
    /// after the loss is lower than the last total before the loss.
    void lossesLeaveAGap()
    {
        MadePerfData made = faults();
        made.addSample(1, 10, 11, 1 * Ms, 0, 50);
        made.addSample(1, 10, 12, 1 * Ms, 1, 50);
        made.addSample(1, 10, 11, 2 * Ms, 0, 50);
        made.add(2, 0, made.trailer(made.make().u64(1).u64(42), 10, 11, 3 * Ms, 0)); // Lost samples on CPU 0.
        made.addSample(1, 10, 11, 4 * Ms, 0, 60);
        made.addSample(1, 10, 12, 4 * Ms, 1, 60);
        made.addSample(1, 10, 11, 5 * Ms, 0, 10);
        made.add(2, 0, made.trailer(made.make().u64(1).u64(42), 10, 11, 6 * Ms, 0));
        made.addSample(1, 10, 11, 7 * Ms, 0, 1000);
        const auto store = counted(*openedRecording(made));
        QCOMPARE(integersOf(*store, "cpu:0/page-faults"), "1000=50 2000=100 4000=60 5000=70 7000=69");
        QCOMPARE(integersOf(*store, "cpu:1/page-faults"), "1000=50 4000=110");
        // The total of thread 12 also falls after the loss: the thread may have run on CPU 0 during the loss, so its growth is unknown,
        // too.
        QCOMPARE(integersOf(*store, "tid:12/page-faults"), "1000=50 4000=49");
        QCOMPARE(realsOf(*store, "cpu:0/page-faults/growth"), "1000=50000 4000=10000");
    }

    void threadsHaveTheirLastNames()
    {
        const auto store = counted(*openedRecording(makeReusedTidRecording()));
        QCOMPARE(seriesOf(*store),
                 "cpu:0/cpu-clock (CPU 0, counters-cpu), tid:10/cpu-clock (shell (10), counters-thread), "
                 "tid:20/cpu-clock (second (20), counters-thread)");
    }

    void periodsMayBeAsLargeAsAnyNumber()
    {
        MadePerfData made = faults();
        for (const std::uint64_t at : {1, 2, 3})
            made.addSample(1, 10, 11, at * Ms, 0, UINT64_MAX);
        const auto store = counted(*openedRecording(made));
        QCOMPARE(integersOf(*store, "cpu:0/page-faults"),
                 // The total cannot exceed INT64_MAX, so it falls by 1 instead. A fall marks an unknown count.
                 QString("1000=%1 2000=%2 3000=%3").arg(INT64_MAX).arg(INT64_MAX - 1).arg(INT64_MAX - 2));
    }

    void tracepointsAreNoCounters()
    {
        const auto trace = openPerfData(SOURCE_DIR "/tests/fixtures/perf/sched.data");
        QVERIFY(trace && !analysisOf("event-counters").appliesTo(*trace));
    }

    /// Input: recordings of several events, and of a group of counters that are read together. Property: the sums equal the sums over the
    /// samples that perf script prints.
    void sumsAreWhatPerfScriptPrints_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"fp", "events", "group", "pipe", "compressed"})
            QTest::newRow(name) << name;
    }
    void sumsAreWhatPerfScriptPrints()
    {
        QFETCH(QString, name);
        const auto trace = openPerfData((SOURCE_DIR "/tests/fixtures/perf/" + name + ".data").toStdString());
        QVERIFY(trace);
        auto printed = readPerfScript(SOURCE_DIR "/tests/fixtures/perf/" + name + ".script.txt");
        std::erase_if(printed, [](const PrintedSample& it) { return isTracepoint(it.event); });
        compare(*trace, *counted(*trace), name == "group" ? readSumsOf(printed, false) : sumsOf(printed, false));
    }

    /// Input: a recording by perf record -a -c 1 -e '{sched:sched_switch,page-faults}:S', which reads both counters at each switch.
    /// Property: a point is also kept if the number of page faults has not changed since the point before it.
    void whatAGroupDidNotCountIsNotSpread()
    {
        const auto trace = openPerfData(SOURCE_DIR "/tests/fixtures/perf/group-switches.data");
        QVERIFY(trace);
        const QString text = SOURCE_DIR "/tests/fixtures/perf/group-switches.script.txt";
        Sums sums = readSumsOf(readPerfScript(text), true, switchesOf(text));
        std::erase_if(sums, [](const auto& it) { return it.first.ends_with("sched_switch"); });
        const auto store = counted(*trace);
        compare(*trace, *store, sums);
        int stays = 0;
        for (const auto& [series, sum] : sums) {
            std::map<std::int64_t, std::int64_t> kept, said;
            for (const CounterPoint& it : pointsOf(*store, series))
                kept[nanoseconds(it.time) - trace->info().clock.offset] = it.value.integer();
            for (std::size_t i = 0; i < sum.size(); ++i) {
                said[sum[i].first] = sum[i].second;
                stays += i > 0 && sum[i].second == sum[i - 1].second;
            }
            // Each recorded value is a point: the counter was read at each switch, and no read was dropped.
            QVERIFY2(kept == said, series.c_str());
        }
        QVERIFY(stays > 20);
    }

    /// Input: perf record -a -c 1 -e '{sched:sched_switch,task-clock,page-faults}:S' without recorded switches from idle threads.
    /// Property: counts of an idle CPU are not counts of the CPU's next thread.
    void whatACpuCountedUnderAnUnseenThreadIsNotThatThreads()
    {
        const auto trace = openPerfData(SOURCE_DIR "/tests/fixtures/perf/group-unseen.data");
        QVERIFY(trace);
        const QString text = SOURCE_DIR "/tests/fixtures/perf/group-unseen.script.txt";
        const auto samples = readPerfScript(text);
        Sums sums = readSumsOf(samples, true, switchesOf(text));
        const Sums ofAll = readSumsOf(samples, true);
        std::erase_if(sums, [](const auto& it) { return it.first.ends_with("sched_switch"); });
        compare(*trace, *counted(*trace), sums);
        QVERIFY(sums.at("tid:3934/task-clock").back().second < ofAll.at("tid:3934/task-clock").back().second);
    }

    void ofThreeEventsOfARealRecording()
    {
        HELIO_REQUIRE_TRACE(path, "solo-vs-parallel-perf", "data/parallel4-multi3.data");
        if (!hasPerf())
            QSKIP("perf is not installed");
        const auto trace = openPerfData(path.toStdString());
        QVERIFY(trace);
        QTemporaryDir buildIds;
        const QByteArray text = perf(buildIds.path(), {"script", "--ns", "-F", "comm,pid,tid,cpu,time,period,event", "-i", path});
        const Sums sums = sumsOf(parsePerfScript(text), true);
        QVERIFY(sums.size() > 20);
        compare(*trace, *counted(*trace), sums);
    }
};

HELIO_TEST(SampleCountsTest)
#include "tst_sample_counts.moc"
