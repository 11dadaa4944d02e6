// The line below a flame graph's header: the path of the zoomed frame, filter chips, and a view's own controls.

#include "tests/support/test_program.h"
#include "tests/widgets/flame/frame/made_content.h"
#include "widgets/controls/pill.h"
#include "widgets/flame/frame/flame_trail.h"

#include <QTest>

using namespace helio;

class FlameTrailTest : public QObject {
    Q_OBJECT

private slots:
    void theCrumbsShowTheWayInAndTheirLinksLeadBack()
    {
        FlameView graph;
        graph.resize(800, 300);
        CrumbTrail crumbs(graph);
        crumbs.setRootName("solver");
        graph.setContent(madeChain(4));
        crumbs.refresh();
        QVERIFY(crumbs.isEmpty());

        graph.zoomTo(0, 3);
        crumbs.refresh();
        for (const char* name : {"solver", "f0", "f1", "f2"})
            QVERIFY2(crumbs.text().contains(name), name);
        QVERIFY(!crumbs.text().contains("f3"));
        emit crumbs.linkActivated("1");
        QCOMPARE(graph.zoom(), 1u);
    }

    void aLongWayIsShownByItsBeginningAndItsEnd()
    {
        FlameView graph;
        CrumbTrail crumbs(graph);
        graph.setContent(madeChain(12));
        graph.zoomTo(0, 12);
        crumbs.refresh();

        QVERIFY(crumbs.text().contains("f0") && crumbs.text().contains("f11"));
        QVERIFY(crumbs.text().contains(QStringLiteral("\u2026")));
        QVERIFY(!crumbs.text().contains("f5"));
    }

    void theLineIsThereWhileSomethingIsInIt()
    {
        FlameView graph;
        graph.setContent(madeChain(4));
        FlameTrail trail(graph);
        auto* part = new QLabel;
        trail.add(part);
        QVERIFY(trail.has(part));
        part->hide();
        trail.refresh();
        QVERIFY(trail.isHidden());

        part->setVisible(true);
        trail.refresh();
        QVERIFY(!trail.isHidden());
        part->hide();
        graph.zoomTo(0, 2);
        trail.refresh();
        QVERIFY(!trail.isHidden());
        graph.zoomTo(0, 0);
        trail.refresh();
        QVERIFY(trail.isHidden());
    }

    void aHintStandsThereWhileTheGraphIsNotZoomed()
    {
        FlameView graph;
        graph.setContent(madeChain(4));
        FlameTrail trail(graph);
        trail.setHint("Click a frame");
        trail.refresh();
        const auto* crumbs = trail.findChild<CrumbTrail*>();
        QCOMPARE(crumbs->text(), "Click a frame");
        QVERIFY(!trail.isHidden());
        graph.zoomTo(0, 2);
        trail.refresh();
        QVERIFY(!crumbs->text().contains("Click a frame"));
    }

    void aChipIsTakenAwayByAClick()
    {
        FlameView graph;
        FlameTrail trail(graph);
        QStringList taken;
        // The action of this chip sets new chips, which deletes the clicked chip. The chip of a filter does the same in the views.
        trail.setChips({{"only f",
                         [&] {
                             trail.setChips({});
                             taken << "f";
                         }},
                        {"without g", [&] { taken << "g"; }}});
        QVERIFY(trail.hasChips());
        const auto chips = trail.findChildren<Pill*>();
        QCOMPARE(chips.size(), 2);
        QCOMPARE(chips[0]->text(), "only f");
        chips[0]->click();
        QVERIFY(taken.isEmpty()); // The action runs later, because it deletes the chip, which must not happen during the chip's click.
        QTRY_COMPARE(taken, QStringList{"f"});
        QVERIFY(!trail.hasChips());
        QTRY_VERIFY(trail.findChildren<Pill*>().isEmpty());
    }
};

HELIO_TEST(FlameTrailTest)
#include "tst_flame_trail.moc"
