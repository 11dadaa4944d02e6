// Input: counters in the contexts of LTTng's events. Properties: the owners of counters, their rates, and ranges in which counts are
// unknown.

#include "tests/core/analyses/counters/counter_points.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <map>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::int64_t Us = 1000;

/// A synthetic LTTng trace with counters in its events, times in microseconds.
class CounterScript : public KernelScript {
public:
    explicit CounterScript(const char* domain = "kernel")
    {
        environment("tracer_name", domain == std::string_view("ust") ? "lttng-ust" : "lttng-modules").environment("domain", domain);
    }
    CounterScript& read(std::int64_t us, int cpu, Fields contexts)
    {
        event(us * Us, cpu, "it", contexts);
        return *this;
    }
    CounterScript& cycles(std::int64_t us, int cpu, std::int64_t total) { return read(us, cpu, {{"$perf_cpu_cycles", total}}); }
    CounterScript& faults(std::int64_t us, int tid, std::int64_t total, int pid = 1)
    {
        return read(us, 0, {{"$vpid", pid}, {"$vtid", tid}, {"$procname", "prog"}, {"$perf_thread_page_faults", total}});
    }
    void count() { run(-1, Gaps::ReportedAtBegin, analysisOf("event-counters")); }
};

} // namespace

class ContextCountsTest : public QObject {
    Q_OBJECT

private slots:
    void countersOfCpusAreTotalsOfEach()
    {
        CounterScript s;
        s.cycles(0, 0, 1000).cycles(0, 1, 50).cycles(500, 0, 2000).cycles(700, 1, 51).cycles(1000, 0, 2000);
        s.count();

        QCOMPARE(seriesOf(s.store()), "cpu:0/cycles (CPU 0, counters-cpu), cpu:1/cycles (CPU 1, counters-cpu)");
        QCOMPARE(integersOf(s.store(), "cpu:0/cycles"), "0=1000 500=2000 1000=2000");
        QCOMPARE(integersOf(s.store(), "cpu:1/cycles"), "0=50 700=51");
        QCOMPARE(realsOf(s.store(), "cpu:0/cycles/growth"), "0=2e+06 500=0");
    }

    void countersOfThreadsAreTotalsOfEach()
    {
        CounterScript s("ust");
        s.faults(0, 7, 3).faults(100, 8, 1).faults(200, 7, 4).faults(900, 8, 5);
        s.count();

        QCOMPARE(seriesOf(s.store()), "tid:7/page-faults (prog (7), counters-thread), tid:8/page-faults (prog (8), counters-thread)");
        QCOMPARE(integersOf(s.store(), "tid:7/page-faults"), "0=3 200=4");
        QCOMPARE(integersOf(s.store(), "tid:8/page-faults"), "100=1 900=5");
        QCOMPARE(s.store().tracks()[0].tid, 7);
        QCOMPARE(s.store().tracks()[0].pid, 1);
    }

    /// A context perf_NAME (old LTTng) without "cpu" or "thread" in its name counts a CPU in kernel traces and a thread in user-space
    /// traces.
    void domainTellsTheOwnerOfOldCounters()
    {
        CounterScript kernel;
        kernel.read(0, 3, {{"$vtid", 9}, {"$perf_cache_misses", 5}});
        kernel.count();
        QCOMPARE(seriesOf(kernel.store()), "cpu:3/cache-misses (CPU 3, counters-cpu)");
        CounterScript programs("ust");
        programs.read(0, 3, {{"$vtid", 9}, {"$perf_cache_misses", 5}});
        programs.count();
        QCOMPARE(seriesOf(programs.store()), "tid:9/cache-misses (TID 9, counters-thread)");
    }

    void otherTracersCallOtherThingsSo()
    {
        KernelScript s;
        s.event(0, 0, "cycles", {{"$perf_ip", 5}, {"$perf_period", 7}});
        QVERIFY(!analysisOf("event-counters").appliesTo(s));
        CounterScript own;
        own.event(0, 0, "none", {{"$procname", "x"}, {"perf_cpu_cycles", 5}}); // A payload field with this name is not a counter.
        QVERIFY(!analysisOf("event-counters").appliesTo(own));
        own.cycles(1, 0, 5);
        QVERIFY(analysisOf("event-counters").appliesTo(own));
    }

    void ofAThreadThatNobodyNamesNothingIsKnown()
    {
        CounterScript s("ust");
        s.read(0, 0, {{"$perf_thread_cycles", 5}});
        s.count();
        QCOMPARE(seriesOf(s.store()), "");
    }

    /// Input: a counter that restarted. Property: the growth between the last value before the restart and the first value after it is
    /// unknown, so the rate curve has a gap there.
    void whereATotalFallsBothPointsStay()
    {
        CounterScript s;
        s.cycles(0, 0, 100).cycles(200, 0, 900).cycles(210, 0, 905).cycles(220, 0, 3).cycles(225, 0, 4).cycles(500, 0, 503);
        s.count();
        QCOMPARE(integersOf(s.store(), "cpu:0/cycles"), "0=100 200=900 210=905 220=3 225=4 500=503");
        QCOMPARE(realsOf(s.store(), "cpu:0/cycles/growth"), "0=4e+06 200=500000 220=200000 225=1.81455e+06");
    }

    /// Property: a recorded value (a read) is dropped if, since the previous value, too little time has passed or too few events were
    /// counted for a rate. For example, 1 count in 300 ns must not become a rate of three million per second.
    void stretchesThatSayLittleAreJoined()
    {
        CounterScript s;
        s.cycles(0, 0, 100).cycles(2, 0, 115).cycles(3, 0, 116).cycles(50, 0, 117).cycles(102, 0, 117).cycles(103, 0, 133);
        s.event(103'900, 0, "it", {{"$perf_cpu_cycles", 200}});
        s.cycles(110, 0, 201);
        s.count();
        QCOMPARE(integersOf(s.store(), "cpu:0/cycles"), "0=100 3=116 102=117 103=133 110=201");
    }

    /// Property: a recorded value (a read) is kept if the counter's rate at least doubles there, for example because an idle CPU gets a
    /// thread. Otherwise, the low rate before the value and the high rate after it would be averaged. The value is dropped, however, if the
    /// counter grows too little after it.
    void whereItGrowsFasterThanBeforeAReadStays()
    {
        CounterScript s;
        // The rate rises from 0.5 to 167 per µs at 20, by more than a factor of two, so the value at 20 is kept.
        s.cycles(0, 0, 100).cycles(20, 0, 110).cycles(50, 0, 5110);
        // The rate rises from 1 to 1.9 per µs at 60, by less than a factor of two, so the value at 60 is dropped.
        s.cycles(60, 0, 5120).cycles(70, 0, 5139);
        // The values at 71 and 72 are dropped, because at these times the counter has grown by less than 16 since the last kept value.
        s.cycles(71, 0, 5140).cycles(72, 0, 5150).cycles(73, 0, 5160);
        s.count();
        QCOMPARE(integersOf(s.store(), "cpu:0/cycles"), "0=100 20=110 50=5110 70=5139 73=5160");
    }

    void losingEventsLosesNoCounts()
    {
        CounterScript s;
        s.cycles(0, 0, 100).loss(0, 100 * Us, 900 * Us);
        s.cycles(1000, 0, 5100);
        s.count();
        QCOMPARE(integersOf(s.store(), "cpu:0/cycles"), "0=100 1000=5100");
    }

    void totalsAreExactBeyond53Bits()
    {
        constexpr std::int64_t Large = (std::int64_t(1) << 62) + 1;
        CounterScript s;
        s.cycles(0, 0, Large).cycles(1000, 0, Large + 1).cycles(2000, 0, INT64_MAX);
        s.cycles(3000, 0, -1); // -1 is 2^64 - 1 as an unsigned number. Values of 2^63 or more are invalid and ignored.
        s.count();
        const auto points = pointsOf(s.store(), "cpu:0/cycles");
        QCOMPARE(points.size(), std::size_t(3));
        QCOMPARE(points[0].value.integer(), Large);
        QCOMPARE(points[1].value.integer(), Large + 1);
        QCOMPARE(points[2].value.integer(), INT64_MAX);
        QCOMPARE(s.store().summary().anomalies.size(), std::size_t(1));
        QCOMPARE(s.store().summary().anomalies[0].kind, "no-count");
    }

    void aTidOfAnotherProcessIsAnotherThread()
    {
        CounterScript s("ust");
        s.faults(0, 7, 3).faults(1000, 7, 4).faults(2000, 7, 9, 2).faults(3000, 7, 12, 2);
        s.count();
        QCOMPARE(integersOf(s.store(), "tid:7/page-faults"), "0=3 1000=4");
        QCOMPARE(integersOf(s.store(), "tid:7#2/page-faults"), "2000=9 3000=12");
    }

    /// Input: a counter value with an earlier time than the previous value, because events of several streams may be slightly out of order.
    /// Property: the value gets the time of the previous value.
    void aLateReadCountsAsOfTheLastOnesTime()
    {
        CounterScript s;
        s.cycles(0, 0, 100).cycles(500, 0, 300).cycles(400, 0, 350).cycles(900, 0, 400);
        s.count();
        QCOMPARE(integersOf(s.store(), "cpu:0/cycles"), "0=100 500=300 900=400");
    }

    /// Input: a recording of two threads with page faults. Property: each counter series contains the first and the last recorded value of
    /// its thread, as libbabeltrace2 decodes them, and each point in between is a recorded value, too.
    void recordedCountersEqualBabeltrace()
    {
        const std::filesystem::path folder = SOURCE_DIR "/tests/fixtures/ust-counters/ust/uid/0/64-bit";
        std::map<std::string, std::vector<std::pair<std::int64_t, std::int64_t>>> recorded;
        BabeltraceOracle oracle({folder});
        for (auto kind = oracle.next(); kind != BabeltraceOracle::Kind::End; kind = oracle.next()) {
            QCOMPARE(kind, BabeltraceOracle::Kind::Event);
            std::map<QString, qint64> fields;
            for (const QString& field : QString::fromStdString(oracle.contextText()).split(QRegularExpression("\\s+"), Qt::SkipEmptyParts))
                fields[field.section('=', 0, 0)] = field.section('=', 1).toLongLong();
            const std::string row = "tid:" + std::to_string(fields.at("vtid"));
            recorded[row + "/page-fault"].emplace_back(oracle.time(), fields.at("perf_thread_page_fault"));
            recorded[row + "/task-clock"].emplace_back(oracle.time(), fields.at("perf_thread_task_clock"));
        }
        QCOMPARE(recorded.size(), std::size_t(4));
        std::shared_ptr<const Trace> trace;
        for (const TraceFormat* format : builtinTraceFormats())
            for (const TraceSource& source : format->find(folder))
                trace = *format->open(source);
        QVERIFY(trace);

        const auto indexedTrace = indexed(*trace, {&analysisOf("event-counters")});
        const Store& store = *indexedTrace->stores.front();

        for (const auto& [id, reads] : recorded) {
            const auto points = pointsOf(store, id);
            std::vector<std::pair<std::int64_t, std::int64_t>> kept;
            for (const CounterPoint& it : points)
                kept.emplace_back(nanoseconds(it.time), id.ends_with("clock") ? std::llround(it.value.real() * 1e9) : it.value.integer());
            QVERIFY(kept.size() > 30);
            QCOMPARE(kept.front(), reads.front());
            QCOMPARE(kept.back(), reads.back());
            QVERIFY(std::ranges::includes(reads, kept));
        }
    }

    /// Property: the analysis may drop recorded values, but the last total stays the same, and each point is a recorded value. An interval
    /// between two points lasts at least 1 µs with at least 16 counted events, or at least 100 µs, or ends where the rate at least doubles.
    void anyReadsAddUp_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 30; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void anyReadsAddUp()
    {
        QFETCH(int, seed);
        Dice dice{std::uint64_t(seed)};
        CounterScript s;
        // Recorded values of the counter, keyed by CPU: time in ns, and total.
        std::map<int, std::vector<std::pair<std::int64_t, std::int64_t>>> recorded;
        std::map<int, std::int64_t> totals;
        std::int64_t ns = 0;
        for (int i = 0; i < 3000; ++i) {
            const int cpu = int(dice.below(3));
            ns += std::int64_t(dice.below(dice.below(8) == 0 ? 400'000 : 900));
            std::int64_t& total = totals[cpu];
            total = dice.below(100) == 0 ? std::int64_t(dice.below(50)) : total + std::int64_t(dice.below(dice.below(5) == 0 ? 500 : 4));
            s.event(ns, cpu, "it", {{"$perf_cpu_cycles", total}});
            recorded[cpu].emplace_back(ns, total);
        }
        s.count();
        int corners = 0;
        for (const auto& [cpu, reads] : recorded) {
            const std::string id = "cpu:" + std::to_string(cpu) + "/cycles";
            const auto points = pointsOf(s.store(), id);
            const auto growth = pointsOf(s.store(), id + "/growth");
            const auto counted = [](const auto& all) {
                std::int64_t sum = 0;
                for (std::size_t i = 1; i < all.size(); ++i)
                    sum += std::max<std::int64_t>(0, all[i].second - all[i - 1].second);
                return sum;
            };
            std::vector<std::pair<std::int64_t, std::int64_t>> kept;
            for (const CounterPoint& it : points)
                kept.emplace_back(nanoseconds(it.time), it.value.integer());
            QCOMPARE(counted(kept), counted(reads));
            QCOMPARE(kept.front(), reads.front());
            QCOMPARE(kept.back(), reads.back());
            std::size_t rate = 0;
            for (std::size_t i = 0; i < kept.size(); ++i) {
                QVERIFY(std::ranges::find(reads, kept[i]) != reads.end());
                const bool isLast = i + 1 == kept.size() || (i + 2 < kept.size() && kept[i + 2].second < kept[i + 1].second);
                if (i + 1 == kept.size() || kept[i + 1].second < kept[i].second)
                    continue;
                const std::int64_t passed = kept[i + 1].first - kept[i].first;
                const std::int64_t more = kept[i + 1].second - kept[i].second;
                // The analysis keeps a point at which the counter's rate at least doubles (a corner), even if it is close to the previous
                // point.
                const auto after = std::ranges::find(reads, kept[i + 1]) + 1;
                const bool isCorner = passed >= 1000 && after != reads.end() && after->first - kept[i + 1].first >= 1000
                    && after->second - kept[i + 1].second >= 16
                    && 2 * more * (after->first - kept[i + 1].first) <= (after->second - kept[i + 1].second) * passed;
                corners += isCorner && more < 16 && passed < 100'000;
                QVERIFY(isLast || i + 2 >= kept.size() || passed >= 100'000 || (passed >= 1000 && more >= 16) || isCorner);
                if (passed == 0)
                    continue;
                QVERIFY(rate < growth.size() && nanoseconds(growth[rate].time) == kept[i].first);
                QVERIFY(std::abs(growth[rate].value.real() - double(more) * 1e9 / double(passed))
                        <= 1e-6 * (1 + growth[rate].value.real()));
                ++rate;
            }
            QCOMPARE(rate, growth.size());
        }
        QVERIFY(corners > 0);
    }
};

HELIO_TEST(ContextCountsTest)
#include "tst_context_counts.moc"
