// Rows of disks: one for each disk, with lanes until the user expands the row.

#include "tests/core/analyses/disks/disk_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/panels/graph_row_source.h"
#include "widgets/timeline/panels/render.h"

#include <QImage>
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

    void aRowIsAsHighAsItsLanes()
    {
        Disks disks;
        RowTree tree;
        const GraphRows rows(disks.shown(tree), Density::Normal);
        QCOMPARE(rows.metrics(0).height, 2 * LanePad + LanePitch * 8 - 1);
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
