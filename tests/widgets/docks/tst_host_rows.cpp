// Several hosts in the time panels. Input: a synthetic timeline.

#include "core/timesync/link_times.h"
#include "tests/support/made_hosts.h"
#include "tests/support/test_program.h"
#include "widgets/controls/field_grid.h"
#include "widgets/docks/details/details_view.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/overview/overview_strip.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

using namespace helio;
using namespace std::chrono_literals;

namespace {

/// A time area, 1100 pixels wide (300 of labels, 800 of time), that shows 8000 ns of the synthetic hosts: 10 ns a pixel.
struct Shown {
    explicit Shown(std::initializer_list<MadeHosts::Packet> packets = {})
        : area(context)
    {
        area.resize(1100, 900);
        area.show();
        context.setTimeline(MadeHosts::make(packets));
        context.time().setVisible({timestamp(0), timestamp(8000)});
        graph = area.rowsPanel("control-flow")->graph();
    }
    bool isReady() const { return graph->rows().count() == 8 && graph->isIdle(); }
    /// Position in a row's label.
    QPoint label(int row, int x) const { return {x, graph->rows().top(row) + 10}; }
    QPoint place(int row, int ns) const { return {300 + ns / 10, graph->rows().top(row) + 10}; }
    QColor colorAt(QPoint at) const { return graph->grab().toImage().pixelColor(at); }
    void move(QPoint to, Qt::KeyboardModifiers modifiers = {})
    {
        QMouseEvent event(QEvent::MouseMove, QPointF(to), graph->mapToGlobal(QPointF(to)), Qt::NoButton, Qt::LeftButton, modifiers);
        QApplication::sendEvent(graph, &event);
    }

    ViewContext context;
    TimeArea area;
    TimeGraph* graph = nullptr;
};

} // namespace

class HostRowsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Themes::instance().setTheme(Theme::Kind::Light); }

    void eachHostHasABadgeOfItsColour()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        const std::vector<HostHeading> hosts = hostHeadings(*s.context.timeline());
        for (int host = 0; host < 4; ++host)
            QCOMPARE(s.colorAt(s.label(2 * host, 28)), theme().category(hosts[std::size_t(host)].color));
    }

    void aClicksOnAClockAsksForTheClocks()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        QSignalSpy views(&s.context, &ViewContext::viewRequested);
        QTest::mouseClick(s.graph, Qt::LeftButton, {}, s.label(2, 300 - 20));
        QCOMPARE(views.size(), 1);
        QCOMPARE(views[0][0].toString(), QString("clocks"));
        QTest::mouseClick(s.graph, Qt::LeftButton, {}, s.label(2, 100)); // A click on the host's name requests no view.
        QTest::mouseClick(s.graph, Qt::LeftButton, {}, s.label(3, 300 - 20)); // A click on a thread requests no view.
        QCOMPARE(views.size(), 1);
    }

    void theCursorIsAsWideAsAnotherHostsClockIsUnsure()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.context.time().setRow(MadeHosts::thread(MadeHosts::Web));
        s.context.time().setCursor(timestamp(4000));
        QTRY_VERIFY(s.graph->isIdle());
        const QColor plain = s.colorAt(s.place(0, 7130)); // Background colour of a heading.
        const QColor band = blended(plain, theme().color("mark.uncertainty"));
        QCOMPARE(s.colorAt(s.place(0, 4000 + 500)), band); // Client's error bound: ±640 ns.
        QCOMPARE(s.colorAt(s.place(0, 4000 - 500)), band);
        QCOMPARE(s.colorAt(s.place(0, 4000 + 700)), plain);
        QCOMPARE(s.colorAt(s.place(4, 4000 + 700)), band); // Db's error bound: ±820 ns.
        // Rows of the cursor's own host show no band, because the cursor's time is exact there.
        QCOMPARE(s.colorAt(s.place(2, 4000 + 100)), plain);
        s.context.time().setRow(MadeHosts::thread(MadeHosts::Db));
        QCOMPARE(s.colorAt(s.place(0, 4000 + 150)), band); // Error bound of the direct comparison of both hosts: ±180 ns.
        QCOMPARE(s.colorAt(s.place(0, 4000 + 250)), plain);
    }

    /// Property: on rows of a host whose clock is unrelated to the other clocks, the cursor is a dashed line, because the cursor's time
    /// on that host is unknown.
    void theCursorOfAHostThatIsNotAlignedIsDashed()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        s.context.time().setRow(MadeHosts::thread(MadeHosts::Web));
        s.context.time().setCursor(timestamp(4000));
        const QImage image = s.graph->grab().toImage();
        const auto lines = [&](int row) {
            int count = 0;
            for (int y = s.graph->rows().top(row); y < s.graph->rows().top(row + 1); ++y)
                count += image.pixelColor(300 + 400, y) == theme().color("cursor.line");
            return count;
        };
        QCOMPARE(lines(2), 20);
        QVERIFY(lines(6) > 4 && lines(6) < 16);
    }

    /// Property: the arrow that the user followed is highlighted, with any number of hosts and at the times that the clocks give.
    void theArrowThatOneCameAlongIsShown()
    {
        Shown s({{MadeHosts::Client, MadeHosts::Web, 1000, 2000}, {MadeHosts::Web, MadeHosts::Db, 3000, 4000}});
        QTRY_VERIFY(s.isReady());
        QVERIFY(!s.area.axis().shownArrow());
        const auto arrow = arrowOfMessage(*s.context.timeline(), 0, 1);
        QVERIFY(arrow && arrow->kind == LinkKind::Packet);
        QVERIFY(arrow->from == MadeHosts::thread(MadeHosts::Web) && arrow->to == MadeHosts::thread(MadeHosts::Db));
        QVERIFY(!arrowOfMessage(*s.context.timeline(), 0, 2) && !arrowOfMessage(*s.context.timeline(), 1, 0));
        s.context.setLink(std::make_shared<const Arrow>(*arrow));
        QCOMPARE(s.area.axis().shownArrow()->toTime, timestamp(4000));

        s.context.setTimeline(
            MadeHosts::make({{MadeHosts::Client, MadeHosts::Web, 1000, 2000}, {MadeHosts::Web, MadeHosts::Db, 3000, 4500}}));
        QCOMPARE(s.area.axis().shownArrow()->toTime, timestamp(4500));
        s.context.time().setCursor(timestamp(77)); // The cursor moves away from the arrow.
        QVERIFY(!s.area.axis().shownArrow());
    }

    void theMenuAndTheDragOfAHostAreAskedFor()
    {
        Shown s;
        QTRY_VERIFY(s.isReady());
        HostGestures& hosts = s.area.axis().hosts();
        QObject::disconnect(&hosts, &HostGestures::menuWanted, nullptr, nullptr); // Disconnected, because the menu would block the test.
        QSignalSpy menus(&hosts, &HostGestures::menuWanted), moves(&hosts, &HostGestures::moved), ends(&hosts, &HostGestures::ended);
        QTest::mouseClick(s.graph, Qt::RightButton, {}, s.label(4, 100));
        QCOMPARE(menus.size(), 1);
        QCOMPARE(menus[0][0].toUInt(), 2u);
        QTest::mousePress(s.graph, Qt::LeftButton, Qt::ControlModifier, s.place(4, 1000));
        s.move(s.place(4, 1500), Qt::ControlModifier);
        s.move(s.place(4, 900), Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(moves.size(), 2);
        QCOMPARE(moves[0][0].value<Duration>(), Duration(500));
        QCOMPARE(moves[0][1].value<Duration>(), Duration(0));
        QCOMPARE(moves[1][0].value<Duration>(), Duration(-100));
        QVERIFY(moves[1][1].value<Duration>() > Duration(0));
        QTest::keyClick(s.graph, Qt::Key_Escape);
        QCOMPARE(ends.size(), 1);
        QCOMPARE(ends[0][0].toBool(), false);
        s.move(s.place(4, 2000));
        QTest::mouseRelease(s.graph, Qt::LeftButton, {}, s.place(4, 2000));
        QCOMPARE(ends.size(), 1);
        QVERIFY(s.context.time().selection().isEmpty());
        // A drag without Ctrl moves no host. It selects a time range, as in a window without hosts.
        QTest::mousePress(s.graph, Qt::LeftButton, {}, s.place(4, 1000));
        s.move(s.place(4, 3000));
        QTest::mouseRelease(s.graph, Qt::LeftButton, {}, s.place(4, 3000));
        QVERIFY(!s.context.time().selection().isEmpty());
    }

    void aChosenArrowIsInDetails()
    {
        Shown s({{MadeHosts::Client, MadeHosts::Web, 1000, 3000}});
        DetailsView details(s.context);
        details.resize(400, 600);
        details.show();
        QTRY_VERIFY(s.isReady());
        const auto words = [&] {
            QStringList shown;
            for (const QLabel* label : details.findChildren<QLabel*>())
                if (label->isVisible())
                    shown << label->text();
            return shown.join('|');
        };
        // Waits until the arrow is painted.
        QTRY_VERIFY(s.colorAt(s.place(1, 2000) + QPoint(0, 20)) != theme().color("surface.timeline"));
        QTest::mouseClick(s.graph, Qt::LeftButton, {}, {300 + 200, (s.graph->rows().top(1) + 17 + s.graph->rows().top(3) + 4) / 2});
        QVERIFY(s.context.link());
        QTRY_VERIFY(words().contains("client 1 on client"));
        for (const char* text : {"Packet", "web 1 on web", "2.000 µs ±640 ns", "10.0.0.1:1000", "SYN ACK", "100 bytes"})
            QVERIFY2(words().contains(QString::fromUtf8(text)), qPrintable(words()));
        FieldGrid* fields = nullptr;
        for (FieldGrid* grid : details.findChildren<FieldGrid*>())
            if (grid->isVisible() && !fields)
                fields = grid;
        QVERIFY(fields);
        emit fields->linkActivated("to");
        QCOMPARE(s.context.time().row(), MadeHosts::thread(MadeHosts::Web));
        QCOMPARE(s.context.time().cursor(), timestamp(3000));
        QVERIFY(s.context.link()); // The arrow stays selected, so that the user can go to its other end.
        emit fields->linkActivated("from");
        QCOMPARE(s.context.time().row(), MadeHosts::thread(MadeHosts::Client));
        s.context.time().setCursor(timestamp(5));
        QVERIFY(!s.context.link());
    }

    /// Property: for an arrow that ends at a CPU instead of a thread, Details show the CPU and its state.
    void anEndAtACpuIsMoreThanNothingInDetails()
    {
        Shown s({{MadeHosts::Client, MadeHosts::Web, 1000, 3000, true, false}});
        DetailsView details(s.context);
        details.resize(400, 600);
        details.show();
        QTRY_VERIFY(s.isReady());
        const Timeline& timeline = *s.context.timeline();
        const auto all = arrows(timeline, linkKindsInView(timeline, "control-flow"), {timestamp(0), timestamp(10'000)});
        QCOMPARE(all.size(), std::size_t(1));
        s.context.setLink(std::make_shared<const Arrow>(all[0]));
        const auto words = [&] {
            QStringList shown;
            for (const QLabel* label : details.findChildren<QLabel*>())
                if (label->isVisible())
                    shown << label->text();
            return shown.join('|');
        };
        QTRY_VERIFY(words().contains("CPU 0 on web"));
        QVERIFY2(words().contains("|Context|user|"), qPrintable(words()));
        QCOMPARE(words().count("Context"), 1); // Details show the context "user" only for the end at the CPU, not for the end at a thread.
    }

    void theOverviewHasALaneAHostInTheirOrder()
    {
        Shown s;
        HostStyles looks;
        looks.order = {"db"};
        looks.hosts["db"].color = 9;
        s.context.clocks().setLooks(looks, "order");
        OverviewStrip* strip = s.area.overview();
        QTRY_COMPARE(strip->height(), OverviewStrip::heightFor(4));
        const double lane = (strip->height() - 1 - OverviewStrip::MarksHeight) / 4.0;
        QTRY_COMPARE(strip->grab().toImage().pixelColor(14, int(lane / 2)), theme().category(9));
        QSignalSpy moves(&s.area.axis().hosts(), &HostGestures::began);
        QTest::mousePress(strip, Qt::LeftButton, Qt::ControlModifier, {700, int(lane * 1.5)});
        QTest::mouseRelease(strip, Qt::LeftButton, Qt::ControlModifier, {700, int(lane * 1.5)});
        QCOMPARE(moves.size(), 1);
        QCOMPARE(moves[0][0].toUInt(), 0u); // The drag moves host 0, client, which has the second lane, because db is first in the order.
    }
};

HELIO_TEST(HostRowsTest)
#include "tst_host_rows.moc"
