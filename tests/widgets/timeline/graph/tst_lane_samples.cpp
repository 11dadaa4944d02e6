#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/lanes/lane.h"

#include <QTest>

using namespace helio;

class LaneSamplesTest : public QObject {
    Q_OBJECT

private slots:
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
