#include "tests/support/test_program.h"
#include "widgets/timegraph/arrows/arrow_layout.h"

#include <QTest>

#include <algorithm>

using namespace helio;
using namespace std::chrono_literals;

namespace {

constexpr TrackRef Waker{StoreIndex{}, TrackId(1)};
constexpr TrackRef Woken{StoreIndex{}, TrackId(2)};

GraphRows twoRows()
{
    std::vector<GraphRow> rows(2);
    rows[0].ref = Waker;
    rows[1].ref = Woken;
    return {std::move(rows), Density::Normal};
}

Arrow wakeup(Duration at) { return {LinkKind::Wakeup, Waker, Woken, Timestamp(at), Timestamp(at), 0, {}}; }

ArrowPlace placeOf(int width, Duration window)
{
    ArrowPlace place;
    place.scale = TimeScale({Timestamp(0ns), Timestamp(window)}, width);
    place.height = 100;
    place.selectedRow = 1;
    return place;
}

} // namespace

class ArrowLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void linesBetweenTwoRowsKeepApart()
    {
        std::vector<Arrow> dense;
        for (int i = 0; i < 30; ++i)
            dense.push_back(wakeup(Duration(i * 1us)));

        const ArrowLayout layout = layOutArrows(dense, twoRows(), placeOf(1000, 100us));

        QVERIFY(layout.lines.size() > 20);
        for (std::size_t i = 1; i < layout.lines.size(); ++i)
            QVERIFY(layout.lines[i].to.x() - layout.lines[i - 1].to.x() >= LeastArrowGap);
    }

    void manyLinesOfTheSelectedRowFoldToo_data()
    {
        QTest::addColumn<int>("selected");
        QTest::addColumn<int>("hovered");
        QTest::newRow("selected") << 1 << -1;
        QTest::newRow("hovered") << -1 << 1;
        QTest::newRow("the waker's row is hovered") << -1 << 0;
    }
    void manyLinesOfTheSelectedRowFoldToo()
    {
        QFETCH(int, selected);
        QFETCH(int, hovered);
        std::vector<Arrow> dense;
        for (int i = 0; i < 1000; ++i)
            dense.push_back(wakeup(Duration(i * 1us)));
        ArrowPlace place = placeOf(1000, 1ms);
        place.total = dense.size();
        place.selectedRow = selected;
        place.hoveredRow = hovered;

        const ArrowLayout layout = layOutArrows(dense, twoRows(), place);

        QCOMPARE(layout.lines.size(), std::size_t(0));
        QVERIFY(layout.marks.size() > 100);
    }

    void theSelectedStatesOwnLinesStayAmongMany()
    {
        std::vector<Arrow> dense;
        for (int i = 0; i < 1000; ++i)
            dense.push_back(wakeup(Duration(i * 1us)));
        ArrowPlace place = placeOf(1000, 1ms);
        place.total = dense.size();
        place.selectedState = {Timestamp(501us), Timestamp(503us)};

        const ArrowLayout layout = layOutArrows(dense, twoRows(), place);

        // 502 would run together with them.
        QCOMPARE(layout.lines.size(), std::size_t(2));
        QCOMPARE(layout.lines[0].arrow, wakeup(501us));
        QCOMPARE(layout.lines[1].arrow, wakeup(503us));
    }

    void fewLinesOfAHoveredRowAreDrawnAmongMany()
    {
        ArrowPlace place = placeOf(1000, 1ms);
        place.total = 5000;
        place.selectedRow = -1;
        place.hoveredRow = 1;

        QCOMPARE(layOutArrows(std::vector{wakeup(100us), wakeup(900us)}, twoRows(), place).lines.size(), std::size_t(2));
    }

    void whatAnInterruptWakesHasALineFromAboveTheRow()
    {
        Arrow arrow = wakeup(500us);
        arrow.from = {StoreIndex{}, TrackId(77)}; // A CPU's: no row of this panel.

        const ArrowLayout layout = layOutArrows(std::vector{arrow}, twoRows(), placeOf(1000, 1ms));

        QCOMPARE(layout.lines.size(), std::size_t(1));
        QVERIFY(layout.lines[0].isStub);
        QCOMPARE(layout.lines[0].from, layout.lines[0].to - QPointF(0, StubLength));
    }

    void oneArrowIsLaidOutHoweverManyThereAre()
    {
        ArrowPlace place = placeOf(1000, 1ms);
        place.total = 5000;

        QVERIFY(layOutArrow(wakeup(500us), twoRows(), place));
        QVERIFY(!layOutArrow(wakeup(1500us), twoRows(), place)); // Out of view.
    }

    void theLineNextToThePointerIsFound()
    {
        const ArrowLayout layout = layOutArrows(std::vector{wakeup(100us), wakeup(110us)}, twoRows(), placeOf(1000, 1ms));
        QCOMPARE(layout.lines.size(), std::size_t(2));
        const double y = (layout.lines[0].from.y() + layout.lines[0].to.y()) / 2;

        QCOMPARE(layout.lineAt({102, y}), &layout.lines[0]);
        QCOMPARE(layout.lineAt({109, y}), &layout.lines[1]);
        QVERIFY(!layout.lineAt({105.5, y}));
        QVERIFY(!layout.lineAt({100, layout.lines[0].to.y() + 20}));
    }

    void linesThatStandApartAreAllThere()
    {
        const std::vector<Arrow> apart{wakeup(100us), wakeup(120us), wakeup(300us)};

        QCOMPARE(layOutArrows(apart, twoRows(), placeOf(1000, 1ms)).lines.size(), std::size_t(3));
    }
};

HELIO_TEST(ArrowLayoutTest)
#include "tst_arrow_layout.moc"
