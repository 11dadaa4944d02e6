// Rows of disks: one for each disk, with lanes until the user opens it.

#include "core/query/rows/row_lookup.h"
#include "tests/core/analyses/disks/disk_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/docks/statistics/row_statistics.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/curves/series_source.h"
#include "widgets/timeline/graph/axis/ruler_scene.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/graph_row_source.h"
#include "widgets/timeline/panels/render.h"
#include "widgets/timeline/panels/time_area.h"

#include <QAbstractButton>
#include <QImage>
#include <QMainWindow>
#include <QMenu>
#include <QTest>

#include <set>

using namespace helio;
using namespace helio::test;

namespace {

/// Twelve disks. The first disk's driver has ten simultaneous requests, the others' one.
struct Disks {
    Disks()
    {
        auto script = std::make_shared<DiskScript>();
        for (int disk = 0; disk < 12; ++disk)
            script->named(1, diskNumber(254, 16 * disk), ("vd" + std::string(1, char('a' + disk))).c_str());
        for (int request = 0; request < 10; ++request)
            script->issue(100 + request, diskNumber(254, 0), 8 * request, 8, Read);
        for (int disk = 1; disk < 12; ++disk)
            script->issue(200 + disk, diskNumber(254, 16 * disk), 0, 8, Write);
        for (int request = 0; request < 10; ++request)
            script->complete(500 + request, diskNumber(254, 0), 8 * request, 8, Read);
        for (int disk = 1; disk < 12; ++disk)
            script->complete(600 + disk, diskNumber(254, 16 * disk), 0, 8, Write);
        script->event(1000, 0, "end");
        script->runDisks();
        auto made = std::make_shared<Timeline>();
        made->analyses = Analyses::builtin();
        made->correlatorRegistry = CorrelatorRegistry::builtin();
        addTrace(*made, {std::shared_ptr<const Store>(script, &script->store()), script, {}, "host"});
        made->range = {timestamp(0), timestamp(1000)};
        made->isComplete = true;
        timeline = made;
    }
    std::vector<GraphRow> shown(RowTree& tree)
    {
        ViewRows found = makeViewRows(*timeline, "disk");
        tree.setRows(std::move(found.rows));
        return makeGraphRows(tree, found.beside);
    }
    std::shared_ptr<const Timeline> timeline;
};

} // namespace

class DiskRowsTest : public QObject {
    Q_OBJECT

private slots:
    void eachDiskIsOneRowWithLanesUntilItIsOpened()
    {
        Disks disks;
        RowTree tree;
        std::vector<GraphRow> rows = disks.shown(tree);
        QCOMPARE(rows.size(), std::size_t(12));
        QCOMPARE(rows[0].name, QString("vda"));
        QCOMPARE(rows[0].lanes.size(), MostShownLanes);
        QCOMPARE(rows[0].remark, QString("+2 more"));
        QCOMPARE(rows[1].lanes.size(), std::size_t(1));
        QVERIFY(!rows[1].isHeading);

        tree.setOpen(0, true);
        rows = makeGraphRows(tree, {});
        QVERIFY(rows.size() > 12);
        QVERIFY(rows[0].lanes.empty());
        QCOMPARE(rows[1].depth, 1);
    }

    /// Property: each slot of requests in the statistics names its disk.
    void theStatisticsNameDisks()
    {
        const Disks disks;
        std::set<QString> names;
        for (const RowStatistics& line : rowStatistics(*disks.timeline, disks.timeline->range, {}, "disk")) {
            names.insert(line.name);
            QVERIFY2(!line.name.startsWith('#'), qPrintable(line.name));
        }
        for (const char* name : {"vda #0", "vda #9", "vdb #0", "vdl #0"})
            QVERIFY2(names.contains(name), name);
    }

    void theListNamesDisks()
    {
        Disks disks;
        RowTree tree;
        tree.setFlat(true);
        const std::vector<GraphRow> rows = disks.shown(tree);
        QCOMPARE(rows.size(), std::size_t(12));
        std::set<QString> names;
        for (const GraphRow& row : rows) {
            names.insert(row.name);
            QVERIFY(!row.lanes.empty());
        }
        QCOMPARE(names.size(), std::size_t(12));
        QVERIFY(names.contains("vdl"));
    }

    /// Input: the first disk has requests in flight from 100 to 509 ns, the second disk from 201 to 601 ns. Property: the number of a
    /// disk's row is the share of time with requests in flight.
    void aDisksNumberIsItsUtilization()
    {
        Disks disks;
        RowTree tree;
        const std::vector<GraphRow> rows = disks.shown(tree);
        QVERIFY(rows[0].hasShare && rows[0].utilization);
        std::vector<std::pair<TrackRef, UtilizationSeries>> asked;
        for (const GraphRow& row : rows)
            asked.emplace_back(row.ref, row.utilization.value());
        const auto shareIn = [&](int row, std::int64_t begin, std::int64_t end) {
            Shares shares;
            addUtilization(*disks.timeline, asked, {timestamp(begin), timestamp(end)}, shares);
            const auto share = shareOf(rows[std::size_t(row)], shares);
            return share ? std::round(share->share * 1000) : -1;
        };
        QCOMPARE(shareIn(0, 0, 1000), 409.0);
        QCOMPARE(shareIn(1, 0, 1000), 400.0);
        QCOMPARE(shareIn(0, 200, 500), 1000.0);
        QCOMPARE(shareIn(0, 600, 900), 0.0);
    }

    void utilizationIsDrawnInPercent()
    {
        Disks disks;
        const Theme theme = Theme::make(Theme::Kind::Dark);
        const std::vector<NamedSeries> all = namedSeries(*disks.timeline, "disk-busy", theme);
        QCOMPARE(all.size(), std::size_t(12));
        QCOMPARE(drawnUnit(all[0].series), QString("%"));
        const TimeRange window{timestamp(0), timestamp(1000)};
        const Curve curve = layOutCurve(fetchCurve(*disks.timeline, all[0], window, Duration(1)), TimeScale(window, 1000));
        const CurveSpan* busy = curveSpanAt(curve, 300);
        QVERIFY(busy);
        QCOMPARE(std::round(busy->value), 100.0);
        const std::vector<NamedSeries> queues = namedSeries(*disks.timeline, "disk-queues", theme);
        QVERIFY(!queues.empty());
        QVERIFY(drawnUnit(queues[0].series) != "%");
    }

    /// Property: the time in the queue is drawn in the lane of the request, before its bar, and ends where the bar begins. If the lane was
    /// still in use when the request was queued, only the time after that use is drawn.
    void queuedTimeIsDrawnBeforeEachRequest()
    {
        auto script = std::make_shared<DiskScript>();
        const int disk = diskNumber(254, 0);
        script->named(1, disk, "vda");
        for (int request = 0; request < 20; ++request)
            script->insert(50 + request, disk, 8 * request, 8, Read);
        for (int request = 0; request < 10; ++request)
            script->issue(100 + request, disk, 8 * request, 8, Read);
        for (int request = 0; request < 10; ++request)
            script->complete(500 + request, disk, 8 * request, 8, Read);
        script->issue(600, disk, 8 * 10, 8, Read);
        script->complete(700, disk, 8 * 10, 8, Read);
        script->issue(800, disk, 8 * 100, 8, Write); // This request is issued without having been queued.
        script->complete(900, disk, 8 * 100, 8, Write);
        script->event(1000, 0, "end");
        script->runDisks();
        auto timeline = std::make_shared<Timeline>();
        timeline->analyses = Analyses::builtin();
        timeline->correlatorRegistry = CorrelatorRegistry::builtin();
        addTrace(*timeline, {std::shared_ptr<const Store>(script, &script->store()), script, {}, "host"});
        timeline->range = {timestamp(0), timestamp(1000)};
        timeline->isComplete = true;
        RowTree tree;
        ViewRows found = makeViewRows(*timeline, "disk");
        tree.setRows(std::move(found.rows));
        const GraphRow row = makeGraphRows(tree, found.beside).front();
        QStringList lanes;
        for (std::size_t i = 0; i < row.lanes.size(); ++i) {
            QStringList texts;
            for (const Interval& it : intervals(*timeline, row.laneGrounds.at(i), timeline->range))
                texts << QString("%1-%2 %3")
                             .arg(nanoseconds(it.range.begin))
                             .arg(nanoseconds(it.range.end))
                             .arg(QString::fromStdString(valueText(*timeline, row.laneGrounds[i], it.value)));
            lanes << QString::fromStdString(rowOf(*timeline, row.lanes[i]).value().id).section("queue:", 1) + ": " + texts.join(", ");
        }
        QCOMPARE(lanes.join('\n'),
                 QString("driver/slot:0: 50-100 0+8, 100-600 80+8\n"
                         "driver/slot:1: 51-101 8+8\ndriver/slot:2: 52-102 16+8\ndriver/slot:3: 53-103 24+8\n"
                         "driver/slot:4: 54-104 32+8\ndriver/slot:5: 55-105 40+8\ndriver/slot:6: 56-106 48+8\n"
                         "driver/slot:7: 57-107 56+8"));
        QCOMPARE(row.remark, QString("+2 more"));

        RenderRequest request;
        request.timeline = timeline;
        request.view = "disk";
        request.window = {timestamp(0), timestamp(1000)};
        request.labelWidth = 200;
        request.size = QSize(1200, 0);
        request.size.setHeight(naturalHeight(request));
        const Theme theme = Theme::make(Theme::Kind::Dark);
        const QImage image = renderView(request, theme);
        const auto has = [&](int lane, int from, int to, const char* role) {
            for (int x = 200 + from; x < 200 + to; ++x)
                for (int y = LaneMargin + lane * LanePitch; y < LaneMargin + lane * LanePitch + LaneHeight; ++y)
                    if (image.pixelColor(x, RulerHeight + y) == theme.color(role))
                        return true;
            return false;
        };
        QVERIFY(has(0, 52, 99, "disk.queued") && !has(0, 52, 99, "disk.read"));
        QVERIFY(has(0, 102, 499, "disk.read") && !has(0, 102, 499, "disk.queued")); // The bar hides the next request's time in the queue.
        QVERIFY(has(0, 502, 599, "disk.queued") && has(0, 602, 699, "disk.read"));
        QVERIFY(!has(0, 702, 799, "disk.queued") && has(0, 802, 899, "disk.write"));
        QVERIFY(has(7, 59, 106, "disk.queued") && !has(7, 512, 999, "disk.queued"));

        tree.setOpen(0, true); // All waiting requests have rows below the opened disk.
        int waiting = 0;
        for (const Row& it : tree.rows())
            waiting += QString::fromStdString(it.id).contains("queue:waiting/slot:");
        QCOMPARE(waiting, 20);
    }

    void requestsThatWereNotIssuedHaveLanes()
    {
        auto script = std::make_shared<DiskScript>();
        const int disk = diskNumber(254, 0);
        script->named(1, disk, "vda");
        for (int request = 0; request < 3; ++request)
            script->insert(50 + request, disk, 8 * request, 8, Read);
        script->event(1000, 0, "end");
        script->runDisks();
        Timeline timeline;
        timeline.analyses = Analyses::builtin();
        timeline.correlatorRegistry = CorrelatorRegistry::builtin();
        addTrace(timeline, {std::shared_ptr<const Store>(script, &script->store()), script, {}, "host"});
        timeline.range = {timestamp(0), timestamp(1000)};
        RowTree tree;
        ViewRows found = makeViewRows(timeline, "disk");
        tree.setRows(std::move(found.rows));
        QCOMPARE(makeGraphRows(tree, found.beside).front().lanes.size(), std::size_t(3));
    }

    void theDisksPanelShowsOneViewAtATime()
    {
        Disks disks;
        ViewContext context;
        QMainWindow window;
        auto* area = new TimeArea(context, &window);
        window.setCentralWidget(area);
        window.resize(1600, 900);
        window.show();
        context.setTimeline(disks.timeline);
        TimePanels& panels = *area->panels();
        const auto panel = [&](const char* id) { return panels.find(id); };
        const auto shown = [&] {
            QStringList ids;
            for (const TimePanel* it : panels.panels())
                if (it->group() == "disk" && !it->isHidden())
                    ids << QString::fromStdString(it->id());
            return ids.join(' ');
        };
        QTRY_COMPARE(shown(), QString("disk"));
        PanelHeader* header = panel("disk")->header();
        QTRY_COMPARE(header->choices().size(), std::size_t(4));
        QVERIFY(header->showsSwitch());
        panel("disk")->setCollapsed(false);
        const auto chip = [](PanelHeader* of, const QString& name) -> QAbstractButton* {
            for (auto* button : of->findChildren<QAbstractButton*>())
                if (button->accessibleName() == name)
                    return button;
            return nullptr;
        };
        QVERIFY(chip(header, "Requests")->isChecked() && chip(header, "Requests")->height() == 17);
        chip(header, "Utilization")->click();
        QCOMPARE(shown(), QString("disk-busy"));
        QVERIFY(!panel("disk-busy")->isCollapsed());
        header = panel("disk-busy")->header();
        QCOMPARE(header->title(), QString("Disks"));
        QVERIFY(chip(header, "Utilization")->isChecked());

        const QJsonObject layout = panels.layout();
        panels.setFront(panel("disk-queues"));
        QCOMPARE(shown(), QString("disk-queues"));
        panels.restoreLayout(layout);
        QCOMPARE(shown(), QString("disk-busy"));
        panels.setPanelVisible(panel("disk"), false);
        QCOMPARE(shown(), QString());
        panels.setPanelVisible(panel("disk"), true);
        QCOMPARE(shown(), QString("disk-busy"));

        window.resize(1280, 800); // At this width, the header has no room for the switch between views, which is then only in the menu.
        QTRY_VERIFY(!panel("disk-busy")->header()->showsSwitch());
        QMenu menu;
        panel("disk-busy")->header()->addChoices(menu);
        QCOMPARE(menu.actions().front()->text(), QString("Requests"));
        menu.actions().front()->trigger();
        QCOMPARE(shown(), QString("disk"));
    }

    void aRowIsAsHighAsItsLanes()
    {
        Disks disks;
        RowTree tree;
        const GraphRows rows(disks.shown(tree), Density::Normal);
        QCOMPARE(rows.metrics(0).height, 2 * LaneMargin + LanePitch * 8 - 1);
        QCOMPARE(rows.metrics(1).height, 20);
    }

    void requestsAreDrawnInTheirLanes()
    {
        Disks disks;
        RenderRequest request;
        request.timeline = disks.timeline;
        request.view = "disk";
        request.window = {timestamp(0), timestamp(1000)};
        request.labelWidth = 200;
        request.size = QSize(1200, 0);
        request.size.setHeight(naturalHeight(request));
        const Theme theme = Theme::make(Theme::Kind::Dark);
        const QImage image = renderView(request, theme);
        const QColor read = theme.color("disk.read"), write = theme.color("disk.write");
        const auto columnAt = [&](int ns) { return 200 + ns; };
        const auto count = [&](int x, const QColor& color) {
            int pixels = 0;
            for (int y = 0; y < image.height(); ++y)
                pixels += image.pixelColor(x, y) == color;
            return pixels;
        };
        QCOMPARE(count(columnAt(300), read), 8 * LaneHeight);
        QCOMPARE(count(columnAt(300), write), 11 * LaneHeight);
        QCOMPARE(count(columnAt(550), read), 0);
        QCOMPARE(count(columnAt(50), write), 0);
    }
};

HELIO_TEST(DiskRowsTest)
#include "tst_disk_rows.moc"
