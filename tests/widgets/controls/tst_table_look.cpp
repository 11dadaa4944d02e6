#include "tests/support/test_program.h"
#include "widgets/controls/table_style.h"
#include "widgets/theme/themes.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

using namespace helio;

class TableLookTest : public QObject {
    Q_OBJECT

private slots:
    void aTableFollowsTheTheme()
    {
        QTreeView table;
        styleTable(table);
        for (const Theme::Kind kind : {Theme::Kind::Light, Theme::Kind::Dark}) {
            Themes::instance().setTheme(kind);
            QCOMPARE(table.viewport()->palette().color(QPalette::Base), theme().color("surface.panel"));
            QCOMPARE(table.palette().color(QPalette::Highlight), theme().color("surface.selected"));
            QCOMPARE(table.font(), fonts().detail());
        }
    }

    void titlesHaveTheirFontWhereverTheTableLies()
    {
        QWidget window;
        auto* table = new QTreeView(&window);
        styleTable(*table);
        window.show();
        QCOMPARE(table->header()->font().weight(), fonts().at(10.5, 500).weight());
    }

    void aStretchedColumnKeepsItsLeastWidth()
    {
        QStandardItemModel model(1, 3);
        QTreeView table;
        styleTable(table);
        table.setModel(&model);
        for (int column : {1, 2})
            table.header()->resizeSection(column, 100);
        stretchColumn(table, 0, 150);
        table.resize(600, 100);
        table.show();
        QTRY_COMPARE(table.header()->sectionSize(0), table.viewport()->width() - 200);
        table.header()->resizeSection(2, 120);
        QCOMPARE(table.header()->sectionSize(0), table.viewport()->width() - 220);
        table.resize(200, 100);
        QTRY_COMPARE(table.header()->sectionSize(0), 150);
        QVERIFY(table.horizontalScrollBar()->maximum() > 0);
    }

    void aColumnThatIsFittedToItsTextEndsInsideOfTheTable()
    {
        QStandardItemModel model(1, 3);
        model.setData(model.index(0, 1), QString(1'000, 'w'));
        QTreeView table;
        styleTable(table);
        table.setModel(&model);
        for (int column : {0, 1, 2})
            table.header()->resizeSection(column, 60);
        table.resize(400, 100);
        table.show();
        emit table.header()->sectionHandleDoubleClicked(1);
        QCOMPARE(table.header()->sectionSize(1), table.viewport()->width() - 60);
        model.setData(model.index(0, 1), QString(5, 'w'));
        emit table.header()->sectionHandleDoubleClicked(1);
        QVERIFY(table.header()->sectionSize(1) < 200); // A short text needs less.
    }

    void aSortableTableIsSortedFromTheStart()
    {
        QStandardItemModel model;
        for (const char* name : {"b", "c", "a"})
            model.appendRow(new QStandardItem(name));
        QTreeView table;
        table.setModel(&model);
        makeSortable(table, 0, Qt::DescendingOrder);
        QCOMPARE(model.index(0, 0).data().toString(), "c");
        QVERIFY(table.header()->isSortIndicatorShown());
        QCOMPARE(table.header()->sortIndicatorSection(), 0);
        QVERIFY(table.header()->sectionsClickable());
    }
};

HELIO_TEST(TableLookTest)
#include "tst_table_look.moc"
