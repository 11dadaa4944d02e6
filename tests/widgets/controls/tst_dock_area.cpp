#include "tests/support/test_program.h"
#include "widgets/controls/dock_area.h"

#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace helio;

namespace {

/// A dock area with nine pages.
struct Dock {
    Dock()
    {
        for (const char* title : {"Events", "Flame graph", "Functions", "Source", "Durations", "Locks", "Requests", "Packets", "Bookmarks"})
            area.addPage(title, title, new QLabel(title));
        area.setCurrent("Events");
    }
    void resize(int width)
    {
        area.resize(width, 200);
        area.show();
        QTest::qWait(0);
    }
    QStringList visibleTabs()
    {
        auto* tabs = area.findChild<QTabBar*>();
        QStringList titles;
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->isTabVisible(i) && tabs->tabRect(i).right() < area.width())
                titles << tabs->tabText(i);
        return titles;
    }
    QStringList inMenu()
    {
        QMenu* menu = area.overflowButton()->menu();
        emit menu->aboutToShow();
        QStringList titles;
        for (QAction* action : menu->actions())
            titles << action->text();
        return area.overflowButton()->isVisible() ? titles : QStringList();
    }

    DockArea area{QStringLiteral("Docks")};
};

} // namespace

class DockAreaTest : public QObject {
    Q_OBJECT

private slots:
    void everyPageHasATabOrALineOfTheMenu_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {2000, 900, 640, 416, 320, 200})
            QTest::addRow("%d", width) << width;
    }
    void everyPageHasATabOrALineOfTheMenu()
    {
        QFETCH(int, width);
        Dock dock;
        dock.resize(width);
        const QStringList all = dock.area.pages();
        for (const QString& id : all) {
            dock.area.setCurrent(id);
            QCOMPARE(dock.area.current(), id);
            QVERIFY2(dock.visibleTabs().contains(id), qPrintable(id));
            QStringList reachable = dock.visibleTabs() + dock.inMenu();
            reachable.sort();
            QStringList expected = all;
            expected.sort();
            QCOMPARE(reachable, expected);
        }
        QVERIFY(width > 640 || !dock.inMenu().isEmpty());
    }

    void theMenuBringsAPageToTheFront()
    {
        Dock dock;
        dock.resize(320);
        QSignalSpy changed(&dock.area, &DockArea::currentChanged);
        const QString last = dock.inMenu().last();
        dock.area.overflowButton()->menu()->actions().last()->trigger();
        QCOMPARE(dock.area.current(), last);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(dock.area.findChild<QTabBar*>()->tabText(dock.area.findChild<QTabBar*>()->currentIndex()), last);
    }

    void aPageWithoutATabIsInNoMenu()
    {
        Dock dock;
        dock.area.setTabShown("Packets", false);
        for (const int width : {2000, 320}) {
            dock.resize(width);
            QVERIFY(!dock.visibleTabs().contains("Packets"));
            QVERIFY(!dock.inMenu().contains("Packets"));
            QVERIFY(!dock.area.isTabShown("Packets"));
        }
        dock.area.setTabShown("Packets", true);
        QVERIFY(dock.area.isTabShown("Packets"));
        QVERIFY(dock.inMenu().contains("Packets"));
    }

    void whatIsInFrontAndWantsRoomDoesNotChangeTheLeastSize()
    {
        DockArea area(QStringLiteral("Docks"));
        auto* large = new QLabel("large");
        large->setMinimumSize(900, 700);
        area.addPage("small", "Small", new QLabel("small"));
        area.addPage("large", "Large", large);
        const QSize least = area.minimumSizeHint();
        area.setCurrent("large");
        QCOMPARE(area.minimumSizeHint(), least);
        QVERIFY(least.height() < 200 && least.width() < 200);
        area.resize(300, 200);
        area.show();
        QTest::qWait(0);
        QCOMPARE(large->height(), 700); // The page keeps its height and scrolls.
    }

    void aPageThatIsTakenOutStaysWhole()
    {
        DockArea area(QStringLiteral("Docks"));
        auto* page = new QLabel("page");
        area.addPage("page", "Page", page);
        QCOMPARE(area.takePage("page"), page);
        QVERIFY(!page->parent());
        delete page;
    }
};

HELIO_TEST(DockAreaTest)
#include "tst_dock_area.moc"
