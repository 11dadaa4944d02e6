// Property: the samples of a row, which tick marks on the row show, are counted and named correctly.

#include "core/profiling/samples/sampled_code.h"
#include "core/query/rows/facts.h"
#include "tests/support/perf_recording.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

Row rowOf(const Timeline& timeline, std::string_view view, std::int32_t tid, std::int32_t cpu = -1)
{
    for (Row& row : rows(timeline, view))
        if (cpu < 0 ? row.tid == tid : row.kind == "cpu" && row.cpu == cpu)
            return row;
    return {};
}

TimeRange whole(const Timeline& timeline) { return {rangeOf(timeline).begin, rangeOf(timeline).end + Duration(1)}; }

} // namespace

class SampledCodeTest : public QObject {
    Q_OBJECT

private slots:
    void theCountsOfAllThreadsAreAllSamples()
    {
        const auto timeline = test::timelineOf("tests/fixtures/perf/fp.data");
        QVERIFY(timeline);
        std::uint64_t all = 0;
        for (const Row& row : rows(*timeline, "control-flow"))
            all += sampleCounts(*timeline, row.ref, whole(*timeline)).all();
        QCOMPARE(all, sampleKinds(*timeline).front().samples);
    }

    void aRowWithoutSamplesHasNoStack()
    {
        const auto timeline = test::sampleTimeline();
        QVERIFY(timeline);
        const TrackRef row = rows(*timeline, "control-flow").front().ref;
        QCOMPARE(sampleCounts(*timeline, row, whole(*timeline)).all(), 0u);
        QVERIFY(mostSampledStack(*timeline, row, whole(*timeline)).empty());
        QVERIFY(mostSampledStack(*timeline, {}, whole(*timeline)).empty());
        QVERIFY(!nearestSample(*timeline, row, rangeOf(*timeline).begin));
    }

    void theFunctionWithMostSamplesIsThatOfTheReport()
    {
        HELIO_REQUIRE_TRACE(folder, PerfRecording::Collection);
        const PerfRecording recorded("solo");
        const Row matinit = rowOf(*recorded.timeline, "control-flow", 2652);
        QVERIFY(matinit.ref.isValid());
        const auto stack = mostSampledStack(*recorded.timeline, matinit.ref, whole(*recorded.timeline));
        QVERIFY(stack.size() >= 2);
        // gradient_ comes first, because it has 29.14 % of the self samples; initprm_ has 21.27 %.
        QCOMPARE(stack.front().name, std::string("gradient_"));
        QVERIFY(std::ranges::find(stack, "main", &SampledFunction::name) != stack.end());
        const Row cpu = rowOf(*recorded.timeline, "resources", -1, 0);
        QCOMPARE(mostSampledStack(*recorded.timeline, cpu.ref, whole(*recorded.timeline)).front().name, std::string("gradient_"));
    }

    void theNearestSampleIsThatOfPerfScript()
    {
        const auto timeline = test::timelineOf("tests/fixtures/perf/fp.data");
        QVERIFY(timeline);
        // The thread has samples at 26559.046652987 s, 26559.073246778 s, 26559.078158485 s and 26559.089068461 s.
        const Row demo = rowOf(*timeline, "control-flow", 17051);
        const std::pair<std::int64_t, std::int64_t> moments[] = {{0, 26559'046652987},
                                                                 {26559'059949881, 26559'046652987},
                                                                 {26559'059949883, 26559'073246778},
                                                                 {26559'999999999, 26559'089068461}};
        for (const auto& [asked, found] : moments) {
            const auto nearest = nearestSample(*timeline, demo.ref, timestamp(asked));
            QVERIFY(nearest);
            QCOMPARE(nearest->time, timestamp(found));
            QVERIFY(!nearest->stack.empty());
        }
        QCOMPARE(nearestSample(*timeline, demo.ref, timestamp(0))->mode, CodeMode::User);
    }

    void anEventThatIsASampleHasItsStack()
    {
        const auto timeline = test::timelineOf("tests/fixtures/perf/fp.data");
        QVERIFY(timeline);
        EventTable table(timeline);
        std::uint64_t samples = 0;
        for (const EventRow& event : table.rows(0, std::size_t(table.size()))) {
            const auto sample = sampleOf(*timeline, event);
            QCOMPARE(sample.has_value(), event.name == sampleKinds(*timeline).front().kind.name);
            if (!sample)
                continue;
            ++samples;
            QCOMPARE(sample->time, event.time);
            QVERIFY(sample->stack.size() >= 3);
        }
        QCOMPARE(samples, sampleKinds(*timeline).front().samples);
    }

    void atAMomentItIsTheSampleThere()
    {
        HELIO_REQUIRE_TRACE(folder, PerfRecording::Collection);
        const PerfRecording recorded("solo");
        const Timeline& timeline = *recorded.timeline;
        const Row matinit = rowOf(timeline, "control-flow", 2652);
        SampleFilter filter;
        filter.threads = {matinit.ref};
        const StackProfile profile = collectStacks(timeline, filter);
        const StackNames names = nameStacks(profile, timeline, {.expandsInlined = false});
        for (std::size_t i = 0; i < profile.stacks.size(); i += 97) {
            const CollectedStack& stack = profile.stacks[i];
            const TimeRange moment{stack.first, stack.first + Duration(1)};
            QCOMPARE(sampleCounts(timeline, matinit.ref, moment).all(), 1u);
            const auto found = mostSampledStack(timeline, matinit.ref, moment);
            const auto leaf = names.framesOf(stack.node);
            QCOMPARE(found.empty(), leaf.empty());
            const auto nearest = nearestSample(timeline, matinit.ref, stack.first + Duration(3));
            QVERIFY(nearest);
            QCOMPARE(nearest->time, stack.first);
            if (!leaf.empty())
                QCOMPARE(found.front().name, names.functions[std::size_t(leaf.front().function)].name);
        }
    }
};

HELIO_TEST(SampledCodeTest)
#include "tst_sampled_code.moc"
