// Nominal running times of threads and CPUs. Input: traces in which some frequencies are unknown.

#include "core/latency/running/nominal_times.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

Timeline timelineOf(KernelScript& script, std::int64_t end)
{
    script.run(end);
    Timeline timeline;
    addTrace(timeline, {script.sharedStore(), std::make_shared<MadeTrace>()});
    return timeline;
}

constexpr int Preempted = 0, Sleeps = 1;

} // namespace

class NominalTimesTest : public QObject {
    Q_OBJECT

private slots:
    void runningTimesOfWhichTheFrequencyIsNotKnownAreNotGuessed()
    {
        const auto frequency = [](int kHz, int cpu) { return helio::test::Fields{{"state", kHz}, {"cpu_id", cpu}}; };
        KernelScript s;
        // Thread 7 runs for 100 ns at an unknown frequency.
        s.sw(0, 0, 0, 0, 7).event(100, 0, "power_cpu_frequency", frequency(1'000'000, 0));
        // Thread 7 runs for 100 ns at a quarter of the highest frequency, then for 100 ns at the highest.
        s.event(200, 0, "power_cpu_frequency", frequency(4'000'000, 0)).sw(300, 0, 7, Preempted, 0);
        s.sw(310, 1, 0, 0, 7).sw(400, 1, 7, Preempted, 0); // Thread 7 runs for 90 ns on a CPU without recorded frequencies.
        s.sw(400, 0, 0, 0, 7).loss(1, 450, 460); // The loss on CPU 1 may hide a change of CPU 0's frequency.
        // From 400 on, the thread has 50 ns at the highest frequency, 30 ns at an unknown frequency, and 20 ns at half the highest.
        s.event(480, 0, "power_cpu_frequency", frequency(2'000'000, 0)).sw(500, 0, 7, Sleeps, 0);
        const Timeline timeline = timelineOf(s, 600);
        const auto row = [&](const char* id) {
            for (const Row& it : id[0] == 't' ? threads(timeline) : cpus(timeline))
                if (it.id == id)
                    return it;
            return Row();
        };
        const NominalTimes times(timeline);
        const auto of = [&](const NominalTimes& at, const char* id, std::int64_t begin, std::int64_t end) {
            const auto time = at.of(row(id), {timestamp(begin), timestamp(end)});
            return time ? QString("%1 of %2").arg(time->atNominal().count()).arg(time->known.count()) : QString("none");
        };
        QCOMPARE(of(times, "tid:7", 0, 300), "125 of 200");
        QCOMPARE(of(times, "tid:7", 310, 400), "0 of 0");
        QCOMPARE(of(times, "tid:7", 400, 500), "60 of 70");
        // 50 ns at a quarter of the highest frequency and 50 ns at the highest: 12.5 + 50 ns at nominal frequency.
        QCOMPARE(of(times, "tid:7", 150, 250), "63 of 100");
        // 100 ns at a quarter, 250 ns at the highest and 120 ns at half the highest frequency: 25 + 250 + 60 ns. The time of a CPU counts
        // whether a thread runs or not.
        QCOMPARE(of(times, "cpu:0", 0, 600), "335 of 470");
        QCOMPARE(of(times, "cpu:1", 310, 400), "0 of 0");
        QCOMPARE(of(NominalTimes(timeline, 2'000'000), "tid:7", 0, 300), "250 of 200");
        QCOMPARE(of(times, "cpu:0/thread", 0, 300), "none");
    }

    void withoutFrequenciesThereIsNothing()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).sw(10, 0, 7, Preempted, 0);
        const Timeline timeline = timelineOf(s, 20);
        const NominalTimes times(timeline);
        QVERIFY(!times.hasFrequencies());
        QVERIFY(!times.of(threads(timeline).front(), {timestamp(0), timestamp(10)}));
    }
};

HELIO_TEST(NominalTimesTest)
#include "tst_nominal_times.moc"
