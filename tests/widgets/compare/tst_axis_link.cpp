#include "tests/support/test_program.h"
#include "widgets/compare/axis_link.h"

#include <QTest>

using namespace helio;

namespace {

Timestamp at(std::int64_t ns) { return timestamp(ns); }
TimeRange range(std::int64_t begin, std::int64_t end) { return {at(begin), at(end)}; }

/// Time axes of side A (1000 to 2000) and side B (50000 to 58000), linked at their beginnings.
struct Sides {
    TimeWindow a;
    TimeWindow b;
    AxisLink link{a, b};

    Sides()
    {
        a.setFull(range(1000, 2000));
        b.setFull(range(50'000, 58'000));
        link.setAlignment({at(1000), at(50'000)});
    }
};

} // namespace

class AxisLinkTest : public QObject {
    Q_OBJECT

private slots:
    void bothHaveRoomForTheLonger()
    {
        Sides s;
        QCOMPARE(s.a.full(), range(1000, 9000));
        QCOMPARE(s.b.full(), range(50'000, 58'000));
        s.link.setAlignment({at(1500), at(50'000)});
        QCOMPARE(s.a.full(), range(1000, 9500));
        QCOMPARE(s.b.full(), range(49'500, 58'000));
    }

    void whatOneShowsTheOtherShows()
    {
        Sides s;
        s.a.setVisible(range(1100, 1300));
        QCOMPARE(s.b.visible(), range(50'100, 50'300));
        s.b.setVisible(range(52'000, 53'000));
        QCOMPARE(s.a.visible(), range(3000, 4000));
        s.a.setCursor(at(1200));
        QCOMPARE(s.b.cursor(), at(50'200));
        s.b.setSelection(range(50'500, 50'600));
        QCOMPARE(s.a.selection(), range(1500, 1600));
        s.a.setHovered(at(1001));
        QCOMPARE(*s.b.hovered(), at(50'001));
        s.a.setHovered({});
        QVERIFY(!s.b.hovered());
    }

    void anotherAlignmentMovesB()
    {
        Sides s;
        s.a.setVisible(range(1100, 1300));
        s.link.setAlignment({at(1000), at(50'500)});
        QCOMPARE(s.a.visible(), range(1100, 1300));
        QCOMPARE(s.b.visible(), range(50'600, 50'800));
    }

    void unlinkedTheyGoTheirOwnWays()
    {
        Sides s;
        s.a.setVisible(range(1100, 1300));
        s.link.setLinked(false);
        s.a.setVisible(range(1400, 1500));
        QCOMPARE(s.b.visible(), range(50'100, 50'300));
        s.link.setLinked(true);
        QCOMPARE(s.b.visible(), range(50'400, 50'500));
    }

    void oneSideAloneShowsItself()
    {
        TimeWindow a;
        TimeWindow b;
        AxisLink link(a, b);
        a.setFull(range(1000, 2000));
        QCOMPARE(a.full(), range(1000, 2000));
        QVERIFY(b.full().isEmpty());
        a.setFull({});
        QVERIFY(a.full().isEmpty());
    }
};

HELIO_TEST(AxisLinkTest)
#include "tst_axis_link.moc"
