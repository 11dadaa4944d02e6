#include "tests/support/test_program.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/search_hits.h"
#include "widgets/timeline/graph/time_panels.h"

#include <QApplication>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

using namespace helio;

namespace {

constexpr int RowHeight = 20;

/// A time panel with a given number of empty rows.
class MadePanel final : public TimePanel {
public:
    MadePanel(TimeAxis& axis, const std::string& id, int rows, int rowHeight = RowHeight)
        : TimePanel(axis, id, QString::fromStdString(id))
        , m_rows(rows)
        , m_rowHeight(rowHeight)
        , m_body(new QWidget(this))
    {
        adoptBody();
    }
    QWidget* body() const override { return m_body; }
    bool hasRows() const override { return true; }
    void stepChange(bool) override { }
    int heightOfWholeRows(int most) const override
    {
        return headerHeight() + std::max(1, (most - headerHeight()) / m_rowHeight) * m_rowHeight;
    }
    int fullHeight() const override { return naturalHeight() + closedRows * m_rowHeight; }
    int shownRows() const { return (height() - headerHeight()) / m_rowHeight; }

    int closedRows = 0; ///< Number of hidden rows below collapsed ones.

protected:
    int bodyHeight() const override { return m_rows * m_rowHeight; }

private:
    const int m_rows;
    const int m_rowHeight;
    QWidget* m_body;
};

struct Stacked {
    explicit Stacked(int height) { panels.resize(800, height); }
    MadePanel& add(const std::string& id, int rows, int rowHeight = RowHeight)
    {
        auto* panel = new MadePanel(axis, id, rows, rowHeight);
        panels.add(panel);
        return *panel;
    }

    TimeWindow time;
    Bookmarks bookmarks;
    SearchHits hits;
    TimeAxis axis{time, bookmarks, hits};
    TimePanels panels;
};

} // namespace

class TimePanelsTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: four panels whose rows need a little more than an equal share of the height, and a new panel with more rows. Property: the
    /// new panel is at least as high as each existing panel.
    void aPanelThatComesHasAsMuchAsTheOthers()
    {
        Stacked it(460);
        for (const char* id : {"a", "b", "c", "d"})
            it.add(id, 4); // Each panel has 104 pixels with its header, a little more than a fifth of the total height of 460.
        MadePanel& last = it.add("last", 30);
        QVERIFY2(last.shownRows() >= 3, qPrintable(QString::number(last.height())));
        for (const TimePanel* panel : it.panels.panels())
            QVERIFY(panel->height() <= last.height());
    }

    void whereThereIsRoomNothingIsCut()
    {
        Stacked it(700);
        for (const char* id : {"a", "b", "c", "d"})
            it.add(id, 4);
        QVERIFY(it.add("last", 30).shownRows() >= 10);
        for (const TimePanel* panel : it.panels.panels())
            QVERIFY(panel->height() >= panel->headerHeight() + 4 * RowHeight);
    }

    /// Property: if other panels need less than an equal share of the height, a panel may get a little more than this share, so that no row
    /// is cut.
    void aLittleMoreThanItsPartIsGivenWhereTheLastOneHasEnough()
    {
        Stacked it(310);
        MadePanel& first = it.add("first", 6); // The panel needs 144 pixels; an equal share of the height is 103.
        it.add("second", 1);
        MadePanel& last = it.add("last", 2);
        QCOMPARE(first.shownRows(), 6);
        QVERIFY(last.shownRows() >= 2);
    }

    /// Property: the panel with 30 rows gets the remaining height. The last panel does not get it, because its 4 rows already fit and it
    /// would show a blank area.
    void whatIsLeftGoesToOneThatHasRowsForIt()
    {
        Stacked it(500);
        it.add("closed", 2).closedRows = 30;
        MadePanel& many = it.add("many", 30);
        MadePanel& few = it.add("few", 4);
        QCOMPARE(few.shownRows(), 4);
        QCOMPARE(few.height(), 24 + 80);
        QCOMPARE(many.height(), 500 - (24 + 40) - (24 + 80));
        many.setWantedHeight(150); // Simulates that the user resizes this panel. The remaining height then goes to the last panel.
        QCOMPARE(many.height(), 150);
        QCOMPARE(few.geometry().bottom() + 1, 500);
    }

    void whatIsUsefulIsFourRowsOfEachOrWhatItHas()
    {
        Stacked it(600);
        it.add("many", 30);
        it.add("few", 2);
        QCOMPARE(it.panels.usefulHeight(), 24 + 84 + 24 + 40);
        QCOMPARE(it.panels.naturalHeight(), 24 + 600 + 24 + 40);
        it.panels.panels()[0]->setCollapsed(true);
        QCOMPARE(it.panels.usefulHeight(), 24 + 24 + 40);
        it.panels.panels()[1]->setWantedHeight(200);
        QCOMPARE(it.panels.usefulHeight(), 24 + 200);
    }

    void whereThereIsNoRoomForAllTheyAreScrolled()
    {
        Stacked it(200);
        for (const char* id : {"a", "b", "c", "d"})
            it.add(id, 30);
        const auto& panels = it.panels.panels();
        auto* bar = it.panels.findChild<QScrollBar*>(QString(), Qt::FindDirectChildrenOnly);
        for (const TimePanel* panel : panels)
            QCOMPARE(panel->height(), 84); // 84 pixels are the height of the header and three rows.
        QCOMPARE(bar->maximum(), 4 * 84 - 200);
        QVERIFY(!bar->isHidden());

        QWheelEvent down(QPointF(10, 10), QPointF(10, 10), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&it.panels, &down);
        QVERIFY(down.isAccepted());
        QCOMPARE(panels[0]->y(), -60);
        QCOMPARE(panels[3]->y(), 3 * 84 - 60);

        emit panels[3]->ensureVisibleRequested();
        QCOMPARE(panels[3]->y() + 84, 200);
        emit panels[0]->ensureVisibleRequested();
        QCOMPARE(panels[0]->y(), 0);
        emit panels[1]->ensureVisibleRequested(); // The stack is not scrolled, because the panel is visible.
        QCOMPARE(panels[0]->y(), 0);

        panels[0]->setCollapsed(true);
        panels[1]->setCollapsed(true);
        panels[2]->setCollapsed(true);
        QVERIFY(bar->isHidden());
        QCOMPARE(panels[3]->geometry().bottom() + 1, 200);
    }

    /// Property: while panels scroll, each is as high as whole rows, and none gets the remaining height.
    void scrolledPanelsAreAsHighAsWholeRows()
    {
        Stacked it(180);
        for (const char* id : {"a", "b", "c"})
            it.add(id, 30, 25);
        it.add("few", 1, 25);
        it.add("dragged", 30, 25).setWantedHeight(100);
        std::vector<int> heights;
        for (const TimePanel* panel : it.panels.panels())
            heights.push_back(panel->height());
        QCOMPARE(heights, (std::vector<int>{24 + 50, 24 + 50, 24 + 50, 24 + 25, 100}));
        auto* bar = it.panels.findChild<QScrollBar*>(QString(), Qt::FindDirectChildrenOnly);
        QCOMPARE(bar->maximum(), 3 * 74 + 49 + 100 - 180);
    }

    /// Input: a high stack with so many panels that it scrolls. Property: a panel with many rows gets 40 % of the visible height in whole
    /// rows, one with few rows the height of its rows.
    void aScrolledPanelWithManyRowsIsHigherThanOthers()
    {
        Stacked it(500);
        for (const char* id : {"a", "b", "c", "d", "e"})
            it.add(id, 2);
        it.add("many", 30);
        it.add("threads", 30);
        it.add("more", 5);
        std::vector<int> heights;
        for (const TimePanel* panel : it.panels.panels())
            heights.push_back(panel->height());
        QCOMPARE(heights, (std::vector<int>{64, 64, 64, 64, 64, 24 + 160, 24 + 160, 24 + 100}));
    }

    /// Input: two stacks of panels with different heights. Property: scrolling one scrolls the other to the same panel.
    void panelsScrollToWhereOthersAre()
    {
        Stacked one(200), other(150);
        for (const char* id : {"a", "b", "c", "d"}) {
            one.add(id, 30);
            other.add(id, 30, 30); // A scrolled panel is 84 pixels high in both stacks, with rows of 20 or of 30 pixels.
        }
        other.panels.panels()[0]->setWantedHeight(120);
        auto* bar = one.panels.findChild<QScrollBar*>(QString(), Qt::FindDirectChildrenOnly);
        const auto follow = [&] { other.panels.scrollTo(one.panels.scrolledTo()); };
        connect(&one.panels, &TimePanels::scrolled, &other.panels, follow);
        const auto& panels = other.panels.panels();
        bar->setValue(42); // Scrolls by half of the first panel.
        QCOMPARE(panels[0]->y(), -60);
        bar->setValue(84);
        QCOMPARE(panels[1]->y(), 0);
        bar->setValue(bar->maximum());
        QCOMPARE(panels[3]->geometry().bottom() + 1, 150);
        bar->setValue(0);
        QCOMPARE(panels[0]->y(), 0);
    }

    void aSharedHeaderStaysWhilePanelsScroll()
    {
        Stacked it(150);
        MadePanel& first = it.add("a", 30);
        it.panels.shareHeader(&first);
        for (const char* id : {"b", "c"}) {
            auto* panel = new MadePanel(it.axis, id, 30);
            panel->keepTitle("of an analysis");
            it.panels.add(panel);
        }
        QCOMPARE(it.panels.titledHeight(), 2 * (24 + 84));
        emit it.panels.panels()[2]->ensureVisibleRequested();
        QCOMPARE(first.y(), 150 - 84 - 84 - 60);
        QCOMPARE(first.header()->y(), 0);
    }
};

HELIO_TEST(TimePanelsTest)
#include "tst_time_panels.moc"
