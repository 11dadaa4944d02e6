#include "core/compare/cpu_difference.h"
#include "core/experiment/timeline.h"
#include "tests/support/made_states.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace helio;

namespace {

/// A trace of `cpus` CPUs from `begin` on, 4000 ns long: in the kernel from 1000 to 2000, otherwise in the state `rest` (idle by
/// default).
Timeline made(int cpus, std::int64_t begin = 0, std::uint8_t rest = 1)
{
    static constexpr std::array<std::string_view, 3> States{"unknown", "idle", "syscall"};
    auto builder = makeMemoryStoreBuilder(hostTime(begin));
    const StateSetId set = *builder->stateSet(test::statesNamed("cpu", States));
    for (int i = 0; i < cpus; ++i) {
        Track cpu;
        cpu.view = "resources";
        cpu.kind = "cpu";
        cpu.role = TrackRole::Cpu;
        cpu.key = "cpu:" + std::to_string(i);
        cpu.cpu = i;
        cpu.states = set;
        const TrackId id = builder->addTrack(cpu);
        builder->set(hostTime(begin), id, State{rest});
        builder->set(hostTime(begin + 1000), id, State{2});
        builder->set(hostTime(begin + 2000), id, State{rest});
        builder->end(hostTime(begin + 4000), id);
    }
    StoreSummary summary;
    summary.range = {hostTime(begin), hostTime(begin + 4000)};
    Timeline timeline;
    addTrace(timeline, {*builder->finish(summary)});
    timeline.isComplete = true;
    return timeline;
}

} // namespace

class CpuDifferenceTest : public QObject {
    Q_OBJECT

private slots:
    void cpusAtWorkAreCountedOverTheHostsCpus()
    {
        const auto cpus = computeBusyCpus(made(3), CpuWork::Kernel, {timestamp(0), timestamp(4000)}, 8);
        QCOMPARE(cpus[1], 0.0);
        QVERIFY(std::abs(cpus[2] - 3) < 0.01);
        QVERIFY(std::abs(cpus[3] - 3) < 0.01);
        QCOMPARE(computeBusyCpus(made(3), CpuWork::User, {timestamp(0), timestamp(4000)}, 8)[2], 0.0);
    }

    void theDifferenceIsOfTheSameMoments()
    {
        const Timeline a = made(1);
        const Timeline b = made(4, 500'000);
        const Alignment together{timestamp(0), timestamp(500'000)};

        const auto same = computeCpuDifference(a, b, together, CpuWork::Busy, {timestamp(0), timestamp(4000)}, 4);
        QVERIFY(std::abs(same[1] - 3) < 0.01);
        QCOMPARE(same[2], 0.0);

        const auto later =
            computeCpuDifference(a, b, {timestamp(1000), timestamp(500'000)}, CpuWork::Busy, {timestamp(1000), timestamp(4000)}, 3);
        QVERIFY(std::abs(later[0] + 1) < 0.01); // In the first bucket, a CPU of A is busy and all CPUs of B are still idle.
        QVERIFY(std::abs(later[1] - 4) < 0.01);
    }

    void whereNeitherSideWasRecordedThereIsNoDifference()
    {
        const auto beyond = computeCpuDifference(made(1), made(2), {}, CpuWork::Busy, {timestamp(2000), timestamp(6000)}, 4);
        QVERIFY(!std::isnan(beyond[1]));
        QVERIFY(std::isnan(beyond[2]));
    }

    void withoutAnyCpuTheDifferenceIsUnknownNotZero()
    {
        const TimeRange window{timestamp(0), timestamp(4000)};
        for (const double value : computeBusyCpus(made(0), CpuWork::Busy, window, 4))
            QVERIFY(std::isnan(value));
        for (const double value : computeCpuDifference(made(0), made(0), {}, CpuWork::Busy, window, 4))
            QVERIFY(std::isnan(value));
    }

    void whatCpusDidThatNobodyKnowsIsNotIdle()
    {
        const auto cpus = computeBusyCpus(made(3, 0, 0), CpuWork::Busy, {timestamp(0), timestamp(4000)}, 4);
        QVERIFY(std::isnan(cpus[0]) && std::isnan(cpus[2]));
        QVERIFY(std::abs(cpus[1] - 3) < 0.01);
        const auto difference = computeCpuDifference(made(1), made(3, 0, 0), {}, CpuWork::Busy, {timestamp(0), timestamp(4000)}, 4);
        QVERIFY(std::isnan(difference[0]));
        QVERIFY(std::abs(difference[1] - 2) < 0.01);
    }

    void whereOneSideIsOverTheOtherRunsOn()
    {
        // The beginning of B is aligned with the end of A, so only B has data in this range: its two CPUs are busy in the second bucket.
        // The second call exchanges the two sides.
        const auto more =
            computeCpuDifference(made(1), made(2), {timestamp(4000), timestamp(0)}, CpuWork::Busy, {timestamp(4000), timestamp(9000)}, 5);
        QCOMPARE(more[0], 0.0);
        QVERIFY(std::abs(more[1] - 2) < 0.01);
        QVERIFY(std::isnan(more[4]));
        const auto less =
            computeCpuDifference(made(1), made(2), {timestamp(0), timestamp(4000)}, CpuWork::Busy, {timestamp(0), timestamp(4000)}, 4);
        QVERIFY(std::abs(less[1] + 1) < 0.01);
    }
};

HELIO_TEST(CpuDifferenceTest)
#include "tst_cpu_difference.moc"
