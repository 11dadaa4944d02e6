#include "tests/support/test_program.h"
#include "widgets/shell/table_look.h"
#include "widgets/theme/themes.h"

#include <QHeaderView>
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
        giveTableLook(table);
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
        giveTableLook(*table);
        window.show();
        QCOMPARE(table->header()->font().weight(), fonts().at(10.5, 500).weight());
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
