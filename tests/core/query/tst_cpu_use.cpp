// CPU utilization, from states where they are known and from samples elsewhere.

#include "core/experiment/timeline.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "tests/support/fake_trace.h"
#include "tests/support/made_states.h"
#include "tests/support/made_timeline.h"
#include "tests/support/perf_recording.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace helio;

namespace {

/// Makes a CPU with unknown state for 1000 ns and user code for the next 1000 ns; samples every 100 ns from 400 on.
Timeline made(CodeMode mode, bool isIdle = false)
{
    static constexpr std::array<std::string_view, 2> States{"unknown", "user"};
    auto builder = makeMemoryStoreBuilder(hostTime(0));
    Track cpu;
    cpu.kind = "cpu";
    cpu.role = TrackRole::Cpu;
    cpu.key = "cpu:0";
    cpu.cpu = 0;
    cpu.states = *builder->stateSet(test::statesNamed("cpu", States));
    const TrackId track = builder->addTrack(cpu);
    builder->set(hostTime(0), track, State{0});
    builder->set(hostTime(1000), track, State{1});
    const SampleKindId clock = builder->samples().addKind({"cpu-clock", "ns", SampleKind::Origin::Event, true});
    for (int at = 400; at <= 2000; at += 100) {
        HostSample sample;
        sample.time = hostTime(at);
        sample.weight = 100;
        sample.kind = clock;
        sample.cpu = 0;
        sample.mode = mode;
        sample.isIdle = isIdle;
        builder->samples().add(sample);
    }
    builder->end(hostTime(2000), track);
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(2000)};
    summary.events = 1;
    Timeline timeline;
    addTrace(timeline, {*builder->finish(summary)});
    return timeline;
}

bool isNear(float a, float b) { return std::abs(a - b) < 0.01f; }

} // namespace

class CpuUseTest : public QObject {
    Q_OBJECT

private slots:
    void whoExitsOrIsInterruptedIsOnACpu()
    {
        for (const char* state : {"running", "running-user", "running-syscall", "running-kernel", "page-fault", "interrupted", "exiting"})
            QVERIFY2(isOnCpu(test::threadState(state).meaning), state);
        for (const char* state : {"unknown", "wait-cpu", "preempted", "sleeping", "blocked", "waiting", "stopped"})
            QVERIFY2(!isOnCpu(test::threadState(state).meaning), state);
    }

    void samplesShowWhatStatesDoNot()
    {
        const auto use = cpuUtilization(made(CodeMode::Kernel), 0, {timestamp(0), timestamp(2000)}, 20);

        // The first sample stands for the time from 300 to 400 ns. Bucket 2 lies before this time, so its use is unknown.
        QVERIFY(isNear(use[2].unknown, 1));
        QVERIFY(isNear(use[2].kernel, 0));
        for (const std::size_t bucket : {3, 9}) {
            QVERIFY(isNear(use[bucket].kernel, 1));
            QVERIFY(isNear(use[bucket].unknown, 0));
        }
        QVERIFY(isNear(use[10].user, 1)); // In this time range, the known state counts, not the samples.
        QVERIFY(isNear(use[10].kernel, 0));
    }

    void anIdleSampleIsNoUse()
    {
        const auto use = cpuUtilization(made(CodeMode::Kernel, true), 0, {timestamp(0), timestamp(2000)}, 20);
        QVERIFY(isNear(use[9].unknown, 1));
        QVERIFY(isNear(use[9].kernel, 0));
    }

    void aSampleTakenAfterTheWindowStandsForItsEnd()
    {
        const auto use = cpuUtilization(made(CodeMode::User), 0, {timestamp(300), timestamp(350)}, 1);
        QVERIFY(isNear(use[0].user, 1)); // The sample at 400 ns covers this range.
    }

    void aRowIsAsBusyAsItsSamplesSayWhereNoStateIsKnown()
    {
        const TrackRef cpu{StoreIndex{}, TrackId{0}};
        const auto share = [&](const Timeline& timeline, int begin, int end) {
            const auto shares = busyShares(timeline, std::span(&cpu, 1), {timestamp(begin), timestamp(end)});
            return shares.size() == 1 ? shares.front().second.share : -1;
        };
        QCOMPARE(share(made(CodeMode::User), 0, 1000), 0.6); // Six samples of 100 ns each, at 400 to 900.
        QCOMPARE(share(made(CodeMode::Kernel), 0, 1000), 0.6);
        QCOMPARE(share(made(CodeMode::Kernel, true), 0, 1000), 0.0);
        QCOMPARE(share(made(CodeMode::User), 850, 950), 1.0); // Samples cover the whole range.
        // If a state is known in the range, only known states count, not samples.
        QCOMPARE(share(made(CodeMode::User), 500, 2000), 1000.0 / 1500);
        QCOMPARE(busyShare(made(CodeMode::User), cpu, {timestamp(0), timestamp(1000)}), 0.0); // busyShare() uses states only.
    }

    /// Property: a share is marked as a lower bound if states are unknown. If only some threads were recorded, any unknown time suffices;
    /// otherwise more than 1 % of the time must be unknown.
    void aShareBesideUnknownTimeIsTheLeast()
    {
        const TrackRef cpu{StoreIndex{}, TrackId{0}};
        Timeline timeline = made(CodeMode::User);
        const auto isLowerBound = [&](int begin, int end) {
            return busyShares(timeline, std::span(&cpu, 1), {timestamp(begin), timestamp(end)}).at(0).second.isLowerBound;
        };
        QVERIFY(isLowerBound(500, 2000));
        QVERIFY(!isLowerBound(995, 2000));
        TraceInfo info;
        info.part.threads = {7};
        timeline.traces[0].trace =
            std::make_shared<test::FakeTrace>(info, std::vector<std::string>{}, std::vector<std::vector<test::FakeEvent>>{});
        QVERIFY(isLowerBound(995, 2000));
        QVERIFY(!isLowerBound(1000, 2000)); // All states are known from 1000 ns on.
    }

    void aShareIsOfWhatTheTraceCoversOfTheWindow()
    {
        Timeline timeline = made(CodeMode::User);
        // Makes the timeline end after the trace. Shares must refer only to the time that the trace covers.
        timeline.range.end = timestamp(4000);
        const TrackRef cpu{StoreIndex{}, TrackId{0}};
        const auto shares = [&](int begin, int end) {
            return busyShares(timeline, std::span(&cpu, 1), {timestamp(begin), timestamp(end)});
        };
        QCOMPARE(shares(1000, 4000).at(0).second.share, 1.0);
        QCOMPARE(shares(0, 4000).at(0).second.share, 0.5);
        QVERIFY(shares(2000, 4000).empty());
        QCOMPARE(busyShare(timeline, cpu, timeline.range), 0.5);
        QCOMPARE(hostFacts(timeline).at(0).range, (TimeRange{timestamp(0), timestamp(2000)}));
    }

    void samplesShowHowLongTheRecordedProgramRan()
    {
        HELIO_REQUIRE_TRACE(folder, PerfRecording::Collection);
        const PerfRecording recorded("solo");
        const TimeRange range{rangeOf(*recorded.timeline).begin, rangeOf(*recorded.timeline).end + Duration(1)};
        const EstimatedCpuTimes uses(*recorded.timeline, range);
        for (const Row& row : rows(*recorded.timeline, "control-flow"))
            if (row.tid == 2652) {
                QCOMPARE(uses.of(row.ref).samples, 4395u); // The number that perf report prints.
                QCOMPARE(uses.of(row.ref).onCpu().count(), 4395 * 1'001'001ll);
                return;
            }
        QFAIL("matinit has no row");
    }

    void theRecordedRunIsAsLongInUserCodeAsItsSamplesSay()
    {
        HELIO_REQUIRE_TRACE(folder, PerfRecording::Collection);
        const PerfRecording recorded("solo");
        const TimeRange range = rangeOf(*recorded.timeline);
        const auto use = cpuUtilization(*recorded.timeline, 0, range, 500);
        SampleFilter user;
        user.modes = 1u << unsigned(CodeMode::User);
        SampleFilter rest;
        rest.modes = ~user.modes;

        const double bucket = double(range.duration().count()) / double(use.size()) * 2; // CPU time of a bucket in ns, for two CPUs.
        const auto sum = [&](float CpuUtilization::*part) {
            return std::accumulate(use.begin(), use.end(), 0.0,
                                   [&](double s, const CpuUtilization& u) { return s + double(u.*part) * bucket; });
        };

        // Tolerance: a CPU's first sample stands for a whole period, a part of which lies before the recording.
        QVERIFY(std::abs(sum(&CpuUtilization::user) - double(collectStacks(*recorded.timeline, user).weight)) < 5e6);
        QVERIFY(std::abs(sum(&CpuUtilization::kernel) - double(collectStacks(*recorded.timeline, rest).weight)) < 25e6);
    }
};

HELIO_TEST(CpuUseTest)
#include "tst_cpu_use.moc"
