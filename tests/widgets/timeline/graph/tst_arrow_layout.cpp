#include "tests/support/made_hosts.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/arrows/arrow_layout.h"

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

ArrowLayoutContext placeOf(int width, Duration window)
{
    ArrowLayoutContext place;
    place.scale = TimeScale({Timestamp(0ns), Timestamp(window)}, width);
    place.height = 100;
    place.selectedRow = 1;
    return place;
}

/// Makes rows of threads or CPUs below the headings of their hosts.
GraphRows rowsOfHosts(const std::vector<std::pair<MadeHosts::Host, bool>>& shown, bool areCpus = false)
{
    std::vector<GraphRow> rows;
    for (const auto& [host, hasRow] : shown) {
        GraphRow heading;
        heading.isHost = heading.isHeading = true;
        heading.host = host;
        rows.push_back(heading);
        if (!hasRow)
            continue;
        GraphRow row;
        row.ref = areCpus ? MadeHosts::cpu(host) : MadeHosts::thread(host);
        row.host = host;
        row.isThread = !areCpus;
        rows.push_back(row);
    }
    return {std::move(rows), Density::Normal};
}

struct LaidOut {
    std::shared_ptr<Timeline> timeline;
    ArrowLayout layout;
};

LaidOut laidOut(std::initializer_list<MadeHosts::Packet> packets, const GraphRows& rows, const char* view = "control-flow")
{
    LaidOut it{MadeHosts::make(packets), {}};
    const std::vector<Arrow> all = arrows(*it.timeline, linkKindsInView(*it.timeline, view), {timestamp(0), timestamp(10'000)});
    ArrowLayoutContext place = placeOf(1000, 10us);
    place.height = 400;
    place.total = all.size();
    place.timeline = it.timeline.get();
    it.layout = layOutArrows(all, rows, place);
    return it;
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
        ArrowLayoutContext place = placeOf(1000, 1ms);
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
        ArrowLayoutContext place = placeOf(1000, 1ms);
        place.total = dense.size();
        place.selectedState = {Timestamp(501us), Timestamp(503us)};

        const ArrowLayout layout = layOutArrows(dense, twoRows(), place);

        // The arrow at 502 us gets no line, because it would be too close to the lines at 501 and 503 us, which begin and end the selected
        // state.
        QCOMPARE(layout.lines.size(), std::size_t(2));
        QCOMPARE(layout.lines[0].arrow, wakeup(501us));
        QCOMPARE(layout.lines[1].arrow, wakeup(503us));
    }

    void fewLinesOfAHoveredRowAreDrawnAmongMany()
    {
        ArrowLayoutContext place = placeOf(1000, 1ms);
        place.total = 5000;
        place.selectedRow = -1;
        place.hoveredRow = 1;

        QCOMPARE(layOutArrows(std::vector{wakeup(100us), wakeup(900us)}, twoRows(), place).lines.size(), std::size_t(2));
    }

    /// Property: if the mouse is over a state, only arrows that end at it are drawn (for example from a culprit), not the row's other
    /// links.
    void pointedStateShowsOnlyItsArrows()
    {
        ArrowLayoutContext place = placeOf(1000, 1ms);
        place.total = 5000;
        place.selectedRow = -1;
        place.hoveredRow = 1;
        place.pointedState = {Timestamp(850us), Timestamp(901us)};
        const std::vector all{wakeup(100us), wakeup(849us), wakeup(900us), wakeup(901us)};
        const ArrowLayout layout = layOutArrows(all, twoRows(), place);
        QCOMPARE(layout.lines.size(), std::size_t(1));
        QCOMPARE(layout.lines[0].arrow, wakeup(900us));
        place.hoveredRow = 0; // Row 0 is only the source of the arrows. No arrow ends in it, so no line is drawn.
        QVERIFY(layOutArrows(all, twoRows(), place).lines.empty());
    }

    void whatAnInterruptWakesHasALineFromAboveTheRow()
    {
        Arrow arrow = wakeup(500us);
        arrow.from = {StoreIndex{}, TrackId(77)}; // The source of the arrow is a CPU, which has no row in this panel.

        const ArrowLayout layout = layOutArrows(std::vector{arrow}, twoRows(), placeOf(1000, 1ms));

        QCOMPARE(layout.lines.size(), std::size_t(1));
        QVERIFY(layout.lines[0].isStub);
        QCOMPARE(layout.lines[0].from, layout.lines[0].to - QPointF(0, StubLength));
    }

    void oneArrowIsLaidOutHoweverManyThereAre()
    {
        ArrowLayoutContext place = placeOf(1000, 1ms);
        place.total = 5000;

        QVERIFY(layOutArrow(wakeup(500us), twoRows(), place));
        QVERIFY(!layOutArrow(wakeup(1500us), twoRows(), place)); // The arrow is out of view, so it gets no line.
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

    void aPacketIsOneLineFromItsSenderToWhomItWoke()
    {
        using enum MadeHosts::Host;
        const GraphRows rows = rowsOfHosts({{Client, true}, {Web, true}, {Db, true}});
        const ArrowLayout layout = laidOut({{Client, Web, 1000, 3000}, {Web, Db, 4000, 5000}}, rows).layout;
        QCOMPARE(layout.lines.size(), std::size_t(2));
        QCOMPARE(layout.lines[0].from, QPointF(100.5, rows.top(1) + rows.metrics(1).baseline()));
        QCOMPARE(layout.lines[0].to, QPointF(300.5, rows.top(3) + rows.metrics(3).bandTop));
        QCOMPARE(laidOut({{Client, Web, 1000, 3000}}, rowsOfHosts({{Client, true}, {Web, true}}, true), "resources").layout.lines.size(),
                 std::size_t(1));
    }

    /// Property: an end with an unknown thread or a hidden row is drawn at its host's heading.
    void anEndWithoutARowIsAtItsHost()
    {
        using enum MadeHosts::Host;
        const GraphRows rows = rowsOfHosts({{Client, true}, {Web, true}});
        const ArrowLayout unknown = laidOut({{Client, Web, 1000, 3000, true, false}}, rows).layout;
        QCOMPARE(unknown.lines.size(), std::size_t(1));
        QCOMPARE(unknown.lines[0].to.y(), double(rows.top(2) + rows.metrics(2).bandTop));
        const ArrowLayout nobody = laidOut({{Client, Web, 1000, 3000, false, false}}, rows).layout;
        QCOMPARE(nobody.lines.size(), std::size_t(1));
        QCOMPARE(nobody.lines[0].from.y(), double(rows.top(0) + rows.metrics(0).baseline()));
        const GraphRows closed = rowsOfHosts({{Client, true}, {Web, false}});
        QCOMPARE(laidOut({{Client, Web, 1000, 3000}}, closed).layout.lines.size(), std::size_t(1));
        // No line is drawn, because both ends are in one collapsed host.
        QCOMPARE(laidOut({{Web, Db, 1000, 3000}}, closed).layout.lines.size(), std::size_t(0));
        // Rows of CPUs show no packets between unknown threads.
        const GraphRows cpus = rowsOfHosts({{Client, false}, {Web, false}}, true);
        QCOMPARE(laidOut({{Client, Web, 1000, 3000, false, false}}, cpus).layout.lines.size(), std::size_t(0));
    }

    void withoutHeadingsItGoesNowhere()
    {
        using enum MadeHosts::Host;
        std::vector<GraphRow> one(1);
        one[0].ref = MadeHosts::thread(Client);
        one[0].isThread = true;
        const GraphRows rows(std::move(one), Density::Normal);
        const ArrowLayout out = laidOut({{Client, Client, 1000, 3000, true, false}}, rows).layout;
        QCOMPARE(out.lines.size(), std::size_t(1));
        QVERIFY(out.lines[0].isOutgoingStub && !out.lines[0].isStub);
        const ArrowLayout in = laidOut({{Client, Client, 1000, 3000, false, true}}, rows).layout;
        QCOMPARE(in.lines.size(), std::size_t(1));
        QVERIFY(in.lines[0].isStub);
    }

    void onOneRowItIsALineAlongIt()
    {
        using enum MadeHosts::Host;
        const GraphRows rows = rowsOfHosts({{Client, true}}, true);
        const ArrowLayout layout = laidOut({{Client, Client, 1000, 3000}, {Client, Client, 5000, 5010}}, rows, "resources").layout;
        QCOMPARE(layout.lines.size(), std::size_t(1)); // Only one of the two arrows is drawn: the other one, of 10 ns, is too short.
        QCOMPARE(layout.lines[0].from.y(), layout.lines[0].to.y());
        QCOMPARE(layout.lines[0].spread, 0.0);
    }

    void aHeadIsAsWideAsTheClocksAreUnsure()
    {
        using enum MadeHosts::Host;
        const GraphRows rows = rowsOfHosts({{Client, true}, {Web, true}, {Db, true}, {Spare, true}});
        const ArrowLayout layout = laidOut({{Client, Web, 1000, 3000},
                                            {Client, Db, 4000, 5000},
                                            {Web, Client, 6000, 5500},
                                            {Web, Client, 8000, 7300},
                                            {Web, Spare, 9000, 9100}},
                                           rows)
                                       .layout;
        QCOMPARE(layout.lines.size(), std::size_t(5));
        QCOMPARE(layout.lines[0].spread, 64.0); // The error bound of 640 ns is 64 pixels, because a pixel is 10 ns.
        QCOMPARE(layout.lines[1].spread, 18.0);
        QVERIFY(layout.lines[0].order == LinkOrder::Forward);
        QVERIFY(layout.lines[2].order == LinkOrder::WithinError);
        QVERIFY(layout.lines[3].order == LinkOrder::Impossible);
        QCOMPARE(layout.lines[4].spread, 0.0); // The spread is 0, because the error is unknown.
    }

    void tooManyPacketsAreMarks()
    {
        using enum MadeHosts::Host;
        const auto timeline = MadeHosts::make({{Client, Web, 1000, 3000}});
        const Arrow one = arrows(*timeline, linkKindsInView(*timeline, "control-flow"), {timestamp(0), timestamp(10'000)}).at(0);
        std::vector<Arrow> many;
        for (int i = 0; i < 500; ++i) {
            many.push_back(one);
            many.back().fromTime = timestamp(i * 20);
            many.back().toTime = timestamp(i * 20 + 10);
        }
        ArrowLayoutContext place = placeOf(1000, 10us);
        place.timeline = timeline.get();
        place.selectedRow = -1;
        place.total = many.size();
        const ArrowLayout layout = layOutArrows(many, rowsOfHosts({{Client, true}, {Web, true}}), place);
        QCOMPARE(layout.lines.size(), std::size_t(0));
        QVERIFY(layout.marks.size() > 100);
    }

    /// Property: a few network packets are drawn as lines among many wake-ups, but only if the input has all arrows of the visible range
    /// (`areAll`).
    void fewPacketsAreLinesAmongManyWakeups()
    {
        using enum MadeHosts::Host;
        const auto timeline = MadeHosts::make({{Client, Web, 1000, 3000}, {Client, Web, 6000, 8000}});
        std::vector<Arrow> all = arrows(*timeline, linkKindsInView(*timeline, "control-flow"), {timestamp(0), timestamp(10'000)});
        QCOMPARE(all.size(), std::size_t(2));
        for (int i = 0; i < 500; ++i)
            all.push_back(
                {LinkKind::Wakeup, MadeHosts::thread(Client), MadeHosts::thread(Web), timestamp(i * 20), timestamp(i * 20), 0, {}});
        ArrowLayoutContext place = placeOf(1000, 10us);
        place.height = 400;
        place.timeline = timeline.get();
        place.selectedRow = -1;
        place.total = all.size();
        const GraphRows rows = rowsOfHosts({{Client, true}, {Web, true}});
        QCOMPARE(layOutArrows(all, rows, place).lines.size(), std::size_t(2));
        place.areAll = false;
        QCOMPARE(layOutArrows(all, rows, place).lines.size(), std::size_t(0));
    }

    void linesThatStandApartAreAllThere()
    {
        const std::vector<Arrow> apart{wakeup(100us), wakeup(120us), wakeup(300us)};

        QCOMPARE(layOutArrows(apart, twoRows(), placeOf(1000, 1ms)).lines.size(), std::size_t(3));
    }
};

HELIO_TEST(ArrowLayoutTest)
#include "tst_arrow_layout.moc"
