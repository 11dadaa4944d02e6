// Attribution of samples in one store to rows in another store. Input: also TIDs that were used twice.

#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/sampled_code.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/sampled_rows.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"
#include "tests/support/made_recording.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::int64_t Ahead = 500; ///< Offset from the recording's clock to the experiment's, in ns.

/// A recording with two stores: one with its rows, one with its samples.
class Joined {
public:
    explicit Joined(const MadePerfData& made, std::initializer_list<std::string_view> analyses = {"kernel", "sampling"})
        : trace(openedRecording(made))
    {
        const auto stores = storesOf(*trace, analyses);
        addTrace(timeline, {stores.front(), trace, ClockTransform(Duration(Ahead))});
        for (std::size_t i = 1; i < stores.size(); ++i)
            timeline.stores.push_back({0, stores[i], true});
    }

    TrackRef row(std::string_view key) const
    {
        TrackRef found;
        forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
            for (std::uint32_t i = 0; i < store.tracks().size(); ++i)
                if (store.tracks()[i].key == key && !store.tracks()[i].view.empty())
                    found = {index, TrackId{i}};
        });
        return found;
    }

    /// Times of the samples that the filter selects, on the recording's clock, sorted.
    std::vector<std::int64_t> timesOf(const SampleFilter& filter) const
    {
        std::vector<std::int64_t> times;
        for (const CollectedStack& stack : collectStacks(timeline, filter).stacks)
            times.push_back(nanoseconds(stack.first) - Ahead);
        return times;
    }

    std::shared_ptr<const Trace> trace;
    Timeline timeline;
};

TimeRange range(std::int64_t begin, std::int64_t end) { return {timestamp(begin + Ahead), timestamp(end + Ahead)}; }

using Times = std::vector<std::int64_t>;

} // namespace

class SampledRowsTest : public QObject {
    Q_OBJECT

private slots:
    void samplesOfAnotherStoreAreThoseOfEachLifesRow()
    {
        const Joined joined(makeReusedTidRecording());
        const auto of = [&](std::string_view key) {
            SampleFilter filter;
            filter.threads = {joined.row(key)};
            return joined.timesOf(filter);
        };
        QVERIFY(joined.row("tid:20#2").isValid());
        QCOMPARE(of("tid:20"), (Times{3000, 4100}));
        QCOMPARE(of("tid:20#2"), Times{7000});
        // Only the time of the first sample is listed, because the three samples of tid:10 have equal stacks.
        QCOMPARE(of("tid:10"), Times{1000});
        SampleFilter process;
        process.processes = {joined.row("tid:20#2")};
        QCOMPARE(joined.timesOf(process), Times{7000});
    }

    void samplesNameTheirRowAndItsNames()
    {
        const Joined joined(makeReusedTidRecording());
        const StackProfile profile = collectStacks(joined.timeline, {});
        std::vector<std::pair<std::string, std::string>> found;
        for (const SampledThread& thread : profile.threads)
            found.emplace_back(trackOf(joined.timeline, thread.ref)->key, thread.comm);
        std::ranges::sort(found);
        QCOMPARE(found,
                 (std::vector<std::pair<std::string, std::string>>{{"tid:10", "shell"}, {"tid:20", "shell"}, {"tid:20#2", "second"}}));
    }

    void ticksOfARowEndWhereItsNextLifeBegins()
    {
        const Joined joined(makeReusedTidRecording());
        const RowTicks first = ticksOf(joined.timeline, joined.row("tid:20"), TrackRole::SamplesUser);
        const RowTicks second = ticksOf(joined.timeline, joined.row("tid:20#2"), TrackRole::SamplesUser);

        QVERIFY(first.track.isValid());
        QCOMPARE(first.track, second.track);
        QVERIFY(first.track.store != joined.row("tid:20").store);
        QCOMPARE(first.life.end, timestamp(6000 + Ahead));
        QCOMPARE(second.life.begin, timestamp(6000 + Ahead));
        QCOMPARE(attributeOf(joined.timeline, joined.row("tid:20"), TrackRole::SamplesKernel),
                 ticksOf(joined.timeline, joined.row("tid:20"), TrackRole::SamplesKernel).track);
        QVERIFY(!ticksOf(joined.timeline, joined.row("tid:20"), TrackRole::SamplesEvents).track.isValid());
        QVERIFY(!ticksOf(joined.timeline, joined.row("tid:20"), TrackRole::Priority).track.isValid());
    }

    void countsAndNearestSamplesAreOfTheRowsOwnLife()
    {
        const Joined joined(makeReusedTidRecording());
        const auto counts = [&](std::string_view key) { return sampleCounts(joined.timeline, joined.row(key), range(0, 20'000)); };
        QCOMPARE(counts("tid:20").user, std::uint64_t(1));
        QCOMPARE(counts("tid:20").kernel, std::uint64_t(1));
        QCOMPARE(counts("tid:20#2").user, std::uint64_t(1));
        QCOMPARE(counts("tid:20#2").kernel, std::uint64_t(0));
        QCOMPARE(counts("cpu:0").all(), std::uint64_t(6));
        QCOMPARE(sampleCounts(joined.timeline, joined.row("tid:20#2"), range(0, 5000)).all(), std::uint64_t(0));

        const auto near = nearestSample(joined.timeline, joined.row("tid:20#2"), timestamp(4200 + Ahead));
        QVERIFY(near && near->isRead);
        QCOMPARE(nanoseconds(near->time) - Ahead, 7000); // The nearer sample at 4100 is not returned, because it belongs to the other row.
        const auto last = nearestSample(joined.timeline, joined.row("tid:20"), timestamp(6900 + Ahead));
        QCOMPARE(nanoseconds(last->time) - Ahead, 4100);
    }

    void cpuTimeOfARowIsThatOfItsSamples()
    {
        const Joined joined(makeReusedTidRecording());
        const EstimatedCpuTimes uses(joined.timeline, range(0, 20'000));

        QCOMPARE(uses.of(joined.row("tid:20")).samples, std::uint64_t(2));
        QCOMPARE(uses.of(joined.row("tid:20")).user, Duration(7));
        QCOMPARE(uses.of(joined.row("tid:20")).kernel, Duration(7));
        QCOMPARE(uses.of(joined.row("tid:20#2")).samples, std::uint64_t(1));
        QCOMPARE(uses.of(joined.row("tid:10")).samples, std::uint64_t(3));
        QCOMPARE(uses.of(joined.row("cpu:0")).samples, std::uint64_t(6));
        QCOMPARE(uses.of({}).samples, std::uint64_t(0));
        const TrackRef second = joined.row("tid:20#2");
        QVERIFY(!rowUtilizations(joined.timeline, {&second, 1}, range(6500, 7500)).front().isInactive);
        QVERIFY(rowUtilizations(joined.timeline, {&second, 1}, range(7500, 8500)).front().isInactive);
    }

    /// Input: a recording without the analysis that makes rows. Property: samples are attributed to TIDs.
    void withoutRowsSamplesAreStillOfTheirThreads()
    {
        const Joined joined(makeReusedTidRecording(), {"sampling"});
        const StackProfile profile = collectStacks(joined.timeline, {});

        QCOMPARE(profile.samples, std::uint64_t(6));
        QCOMPARE(profile.threads.size(), std::size_t(2));
        for (const SampledThread& thread : profile.threads) {
            QVERIFY(!thread.ref.isValid());
            QVERIFY(thread.tid == 10 || thread.tid == 20);
            QCOMPARE(thread.pid, thread.tid);
        }
    }

    /// Input: a TID reused at the trace's last time, so that its second row has no intervals. Property: samples at this time belong to
    /// the second row.
    void aRowWithoutIntervalsFollowsTheOneBeforeIt()
    {
        constexpr std::uint32_t Exit = 4, Fork = 7;
        MadePerfData made;
        made.addAttribute({});
        const auto life = [&](std::uint32_t type, std::uint64_t at) {
            made.add(type, 0, made.trailer(made.make().u32(20).u32(10).u32(20).u32(10).u64(at), 10, 10, at, 0));
        };
        made.addSample(0x1000, 10, 10, 1000, 0, 7, InUser);
        made.addSample(0x1000, 20, 20, 3000, 0, 7, InUser);
        life(Exit, 4000);
        life(Fork, 5000);
        made.addSample(0x2000, 20, 20, 5000, 0, 7, InUser);
        const Joined joined(made);
        const TrackRef second = joined.row("tid:20#2");
        QVERIFY(second.isValid());
        QCOMPARE(trackOf(joined.timeline, second)->intervals, std::uint64_t(0));

        SampleFilter filter;
        filter.threads = {second};
        QCOMPARE(joined.timesOf(filter), Times{5000});
    }

    /// Input: a second store with samples of another kind. Property: storeWithSamples() returns the first store, which has the recording's
    /// own samples.
    void ofTwoStoresWithSamplesTheFirstCounts()
    {
        Joined joined(makeReusedTidRecording());
        const StoreIndex own = storeWithSamples(joined.timeline, 0);
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        SampleKind kind;
        kind.name = "others";
        (void)builder->samples().addKind(kind);
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(9000)};
        joined.timeline.stores.push_back({0, *builder->finish(std::move(summary)), true});
        QVERIFY(storeWithSamples(joined.timeline, 0) == own);
        QVERIFY(samplesIn(joined.timeline, own).count() > 0);
        QVERIFY(storeWithSamples(Timeline(), 0) == StoreIndex{0}); // The timeline has no store.
    }
};

HELIO_TEST(SampledRowsTest)
#include "tst_sampled_rows.moc"
