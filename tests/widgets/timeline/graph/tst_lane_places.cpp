#include "tests/support/made_states.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/lanes/lane.h"

#include <QTest>

using namespace helio;

namespace {

Timestamp at(std::int64_t ns) { return Timestamp(Duration(ns)); }
Span span(std::int64_t begin, std::int64_t end, std::uint32_t count = 1)
{
    Span it;
    it.range = {at(begin), at(end)};
    it.count = count;
    return it;
}
Lane laneOf(std::vector<Span> spans)
{
    Lane lane;
    lane.spans.spans = std::move(spans);
    return lane;
}

} // namespace

class LanePlacesTest : public QObject {
    Q_OBJECT

private slots:
    void theNearestBoundaryWithinReachIsFound()
    {
        const Lane lane = laneOf({span(0, 100), span(100, 400)});
        QCOMPARE(nearestBoundary(lane, at(110), Duration(20)), at(100));
        QCOMPARE(nearestBoundary(lane, at(80), Duration(20)), at(100));
        QCOMPARE(nearestBoundary(lane, at(121), Duration(20)), std::nullopt);
        QCOMPARE(nearestBoundary(lane, at(390), Duration(1000)), at(400));
        QCOMPARE(nearestBoundary(Lane(), at(0), Duration(1000)), std::nullopt);
    }

    void whatIsFoldedHasNoBoundaries()
    {
        const Lane lane = laneOf({span(0, 100), span(110, 130, 7), span(140, 400)});
        QCOMPARE(nearestBoundary(lane, at(125), Duration(1000)), at(140));
        QCOMPARE(nearestBoundary(lane, at(112), Duration(1000)), at(100));
    }

    void whatIsFoldedIsFoundByItsStretch()
    {
        const Lane lane = laneOf({span(0, 100), span(110, 130, 7), span(140, 400)});
        QCOMPARE(foldedRangeAt(lane, at(110)), (TimeRange{at(110), at(130)}));
        QVERIFY(foldedRangeAt(lane, at(130)).isEmpty());
        QVERIFY(foldedRangeAt(lane, at(50)).isEmpty());
    }

    void theNearestEventWithinReachIsFound()
    {
        Lane lane;
        lane.isOfEvents = true;
        for (const int ns : {10, 40, 60})
            lane.samples.push_back({at(ns), 1, SampleMode::Event});
        QCOMPARE(nearestEvent(lane, at(45), Duration(10)), at(40));
        QCOMPARE(nearestEvent(lane, at(50), Duration(10)), at(60));
        QCOMPARE(nearestEvent(lane, at(71), Duration(10)), std::nullopt);
        lane.isOfEvents = false; // The lane's samples are no longer events but ticks of a CPU clock, so no event is found.
        QCOMPARE(nearestEvent(lane, at(45), Duration(10)), std::nullopt);
    }
};

HELIO_TEST(LanePlacesTest)
#include "tst_lane_places.moc"
