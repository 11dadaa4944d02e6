// Selection of samples, and their attribution to threads.

#include "core/experiment/timeline.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"
#include "tests/support/made_states.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

constexpr std::array<std::string_view, 1> States{"any"};

/// A trace with two threads of one process and one thread of another process, on two CPUs. Its clock is 1000 ns behind the experiment's.
class Made {
public:
    Made()
        : m_builder(makeMemoryStoreBuilder(hostTime(0)))
    {
        m_states = *m_builder->stateSet(test::statesNamed("thread", States));
        leader = addThread(10, 10, NoTrack);
        worker = addThread(10, 11, leader);
        other = addThread(20, 20, leader);
        name(leader, 0, "bash");
        name(leader, 500, "matinit");
        clock = m_builder->samples().addKind({"cpu-clock", "ns", SampleKind::Origin::Event, true});
        faults = m_builder->samples().addKind({"page-faults", "", SampleKind::Origin::Event, false});
        blocked = m_builder->samples().addKind({"off-cpu:blocked", "ns", SampleKind::Origin::OffCpu, true});
    }

    void add(SampleKindId kind, std::int64_t at, std::uint64_t weight, TrackId thread, std::int32_t cpu, std::vector<std::uint64_t> path,
             CodeMode mode = CodeMode::User)
    {
        StackId stack = NoStack;
        for (const std::uint64_t address : path)
            stack = m_builder->stacks().stack(stack, {UnknownModule, false, address});
        HostSample sample;
        sample.time = hostTime(at);
        sample.weight = weight;
        sample.stack = stack;
        sample.thread = thread;
        sample.cpu = cpu;
        sample.kind = kind;
        sample.mode = mode;
        m_builder->samples().add(sample);
    }

    Timeline timeline()
    {
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(1000)};
        Timeline timeline;
        addTrace(timeline, {*m_builder->finish(summary), nullptr, ClockTransform(Duration(1000))});
        return timeline;
    }

    TrackId leader, worker, other;
    SampleKindId clock, faults, blocked;

private:
    TrackId addThread(std::int32_t pid, std::int32_t tid, TrackId parent)
    {
        Track track;
        track.view = "control-flow";
        track.kind = "thread";
        track.role = TrackRole::Thread;
        track.key = "tid:" + std::to_string(tid);
        track.parent = parent;
        track.pid = pid;
        track.tid = tid;
        track.states = m_states;
        const TrackId id = m_builder->addTrack(track);
        m_builder->set(hostTime(0), id, State{});
        return id;
    }

    void name(TrackId thread, std::int64_t at, std::string_view text)
    {
        if (m_names == NoTrack) {
            Track track;
            track.kind = "name";
            track.role = TrackRole::Name;
            track.parent = thread;
            track.valueKind = ValueKind::Text;
            m_names = m_builder->addTrack(track);
        }
        m_builder->set(hostTime(at), m_names, State{}, static_cast<std::uint32_t>(m_builder->string(text)));
    }

    std::unique_ptr<StoreBuilder> m_builder;
    StateSetId m_states{};
    TrackId m_names = NoTrack;
};

Timeline someTimeline(Made& made)
{
    made.add(made.clock, 100, 10, made.leader, 0, {1, 2, 3});
    made.add(made.clock, 200, 20, made.worker, 1, {1, 2}, CodeMode::Kernel);
    made.add(made.clock, 600, 30, made.leader, 0, {1, 2, 3});
    made.add(made.clock, 700, 40, made.other, 1, {1, 2, 3});
    made.add(made.faults, 300, 1, made.leader, 0, {1});
    made.add(made.blocked, 100, 400, made.worker, 0, {5});
    return made.timeline();
}

TimeRange range(std::int64_t begin, std::int64_t end) { return {timestamp(begin), timestamp(end)}; }

} // namespace

class SampleStacksTest : public QObject {
    Q_OBJECT

private slots:
    void whatAddsUpToTimeComesFirst()
    {
        Made made;
        const auto kinds = sampleKinds(someTimeline(made));

        QCOMPARE(kinds.size(), std::size_t(3));
        QCOMPARE(kinds[0].kind.name, std::string("cpu-clock"));
        QCOMPARE(kinds[0].samples, std::uint64_t(4));
        QCOMPARE(kinds[2].kind.name, std::string("off-cpu:blocked"));
    }

    void samplesOfOneStackAndNameAreOne()
    {
        Made made;
        const StackProfile profile = collectStacks(someTimeline(made), {});

        QCOMPARE(profile.samples, std::uint64_t(4));
        QCOMPARE(profile.weight, std::uint64_t(100));
        QCOMPARE(profile.stacks.size(), std::size_t(4)); // The first thread was renamed, so it has stacks under two names.
        QCOMPARE(profile.threads[profile.stacks[0].thread].comm, std::string("bash"));
        QCOMPARE(profile.threads[profile.stacks[2].thread].comm, std::string("matinit"));
        QCOMPARE(profile.nodes.size(), std::size_t(4));
        QCOMPARE(profile.range, range(1100, 1700));
        QCOMPARE(profile.stacks[0].node, profile.stacks[2].node);
    }

    void noSumOfHostileWeightsOverflows()
    {
        Made made;
        made.add(made.clock, 100, std::uint64_t(1) << 63, made.leader, 0, {1});
        made.add(made.clock, 200, std::uint64_t(1) << 63, made.leader, 0, {1});
        made.add(made.clock, 300, 7, made.worker, 0, {2});
        const StackProfile profile = collectStacks(made.timeline(), {});

        QCOMPARE(profile.samples, std::uint64_t(3));
        QCOMPARE(profile.weight, std::uint64_t(INT64_MAX));
        std::uint64_t sum = 0;
        for (const CollectedStack& stack : profile.stacks)
            sum += stack.weight;
        QCOMPARE(sum, profile.weight);
    }

    void rangesThatOverlapCountOnce()
    {
        Made made;
        SampleFilter filter;
        filter.ranges = {range(1100, 1250), range(1200, 1601), range(5000, 1)};

        QCOMPARE(collectStacks(someTimeline(made), filter).samples, std::uint64_t(3));
    }

    void filtersCutEachOther()
    {
        Made made;
        const Timeline timeline = someTimeline(made);
        const auto samples = [&](const SampleFilter& filter) { return collectStacks(timeline, filter).samples; };
        SampleFilter threads;
        threads.threads = {{StoreIndex{}, made.worker}, {StoreIndex{}, made.other}};
        SampleFilter process;
        process.processes = {{StoreIndex{}, made.leader}};
        SampleFilter cpu;
        cpu.cpus = {{0, 1}};
        SampleFilter both = process;
        both.cpus = cpu.cpus;
        SampleFilter kernel;
        kernel.modes = 1u << static_cast<unsigned>(CodeMode::Kernel);
        SampleFilter emptyFilter;
        emptyFilter.threads = {{StoreIndex{}, NoTrack}};

        QCOMPARE(samples(threads), std::uint64_t(2));
        QCOMPARE(samples(process), std::uint64_t(3)); // Samples of the child process are not counted.
        QCOMPARE(samples(cpu), std::uint64_t(2));
        QCOMPARE(samples(both), std::uint64_t(1));
        QCOMPARE(samples(kernel), std::uint64_t(1));
        QCOMPARE(samples(emptyFilter), std::uint64_t(0));
    }

    void timeOffTheCpuIsCutAtTheRange()
    {
        Made made;
        SampleFilter filter;
        filter.kinds = {"off-cpu:blocked"};
        filter.ranges = {range(1200, 1300), range(1450, 2000)};

        // The off-CPU sample lasts from 1100 to 1500.
        const StackProfile profile = collectStacks(someTimeline(made), filter);
        QCOMPARE(profile.weight, std::uint64_t(100 + 50));
        QCOMPARE(profile.samples, std::uint64_t(1)); // A sample in both ranges counts once.
    }

    void tracesOnOneTimelineAddUp()
    {
        Made first;
        Made second;
        Timeline timeline = someTimeline(first);
        const Timeline other = someTimeline(second);
        addTrace(timeline, {other.stores.front().store, other.traces.front().trace, {}, "other"});
        SampleFilter cpu;
        cpu.cpus = {{1, 0}};

        QCOMPARE(collectStacks(timeline, {}).samples, std::uint64_t(8));
        QCOMPARE(collectStacks(timeline, cpu).samples, std::uint64_t(2));
        QCOMPARE(sampleKinds(timeline)[0].samples, std::uint64_t(8));
    }

    void progressReachesItsTotalAndStoppingSaysSo()
    {
        Made made;
        const Timeline timeline = someTimeline(made);
        QueryProgress progress;
        std::stop_source stop;

        QVERIFY(!collectStacks(timeline, {}, &progress).isStopped);
        QCOMPARE(progress.done.load(), std::uint64_t(4));
        QCOMPARE(progress.total.load(), std::uint64_t(4));

        stop.request_stop();
        const StackProfile stopped = collectStacks(timeline, {}, nullptr, stop.get_token());
        QVERIFY(stopped.isStopped);
        QCOMPARE(stopped.samples, std::uint64_t(0));
    }

    void aStackWithoutAModuleIsUnknownAndSaysWhy()
    {
        Made made;
        const Timeline timeline = someTimeline(made);
        const StackProfile profile = collectStacks(timeline, {});

        const StackNames names = nameStacks(profile, timeline);

        QCOMPARE(names.framesOf(1).size(), std::size_t(1));
        QCOMPARE(names.functions[0].label(), std::string("[unknown]"));
        QVERIFY(!names.functions[0].problem.empty());
    }
};

HELIO_TEST(SampleStacksTest)
#include "tst_sample_stacks.moc"
