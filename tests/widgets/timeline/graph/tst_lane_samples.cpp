#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "tests/support/opened_text.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/lanes/lane.h"

#include <QTest>

using namespace helio;

class LaneSamplesTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: at the finest resolution a short bar has its text, because it may be wide: a pixel may be shorter than 1 ns.
    void barsOfAFewNanosecondsHaveTexts()
    {
        const OpenedText opened(R"([{"ph":"X","pid":1,"tid":2,"ts":0.01,"dur":0.02,"name":"short"}])", "slices.json");
        QVERIFY2(opened.timeline, opened.error.c_str());
        const std::vector<Row> all = rows(*opened.timeline, "call-stack");
        const auto row = std::ranges::find(all, "calls:2/1", &Row::id);
        QVERIFY(row != all.end());
        LaneQuery question;
        question.track = row->ref;
        question.window = {opened.timeline->range.begin, opened.timeline->range.end + Duration(1)};
        question.resolution = Duration(1);
        const auto lane = fetchLane(*opened.timeline, question);
        QCOMPARE(lane->texts.size(), std::size_t(1));
        QCOMPARE(lane->texts.front().text, QString("short"));
    }

    void everySampleIsATickOfItsThread_data()
    {
        QTest::addColumn<int>("columns");
        QTest::newRow("far out") << 3;
        QTest::newRow("near") << 100'000;
    }
    void everySampleIsATickOfItsThread()
    {
        QFETCH(int, columns);
        const auto timeline = test::timelineOf("tests/fixtures/perf/fp.data");
        QVERIFY(timeline);
        const TimeRange full = rangeOf(*timeline);
        const TimeRange window{full.begin, full.end + Duration(1)};

        std::uint64_t samples = 0;
        std::size_t ticks = 0;
        for (const Row& row : rows(*timeline, "control-flow")) {
            LaneQuery question;
            question.track = row.ref;
            question.window = window;
            question.resolution = window.duration() / columns;
            const auto lane = fetchLane(*timeline, question);
            ticks += lane->samples.size();
            for (const SampleTicks& it : lane->samples)
                samples += it.count;
        }

        QCOMPARE(samples, sampleKinds(*timeline).front().samples);
        QVERIFY(ticks <= samples);
    }
};

HELIO_TEST(LaneSamplesTest)
#include "tst_lane_samples.moc"
