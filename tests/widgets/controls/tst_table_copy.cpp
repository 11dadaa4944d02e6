#include "tests/support/test_program.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/table_copy.h"
#include "widgets/controls/table_style.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

using namespace helio;

namespace {

/// A table with three lines and three columns. The last column is hidden, and one line has a child.
struct Table {
    Table()
    {
        model.setHorizontalHeaderLabels({"name", "time", "hidden"});
        model.appendRow({new QStandardItem("a, \"b\""), new QStandardItem("1\u2009204.000\u2009567 s"), new QStandardItem("x")});
        model.appendRow({new QStandardItem("second"), new QStandardItem("\u22123.5\u2009ms"), new QStandardItem("y")});
        model.appendRow({new QStandardItem("third"), new QStandardItem("0 s"), new QStandardItem("z")});
        model.item(1)->appendRow({new QStandardItem("below"), new QStandardItem("1 ns"), new QStandardItem("w")});
        table.setModel(&model);
        styleTable(table);
        table.setSelectionMode(QAbstractItemView::ExtendedSelection);
        table.setColumnHidden(2, true);
        table.resize(400, 200);
        table.show();
    }
    QStandardItemModel model;
    QTreeView table;
};

QString clipboard() { return QGuiApplication::clipboard()->text(); }

} // namespace

class TableCopyTest : public QObject {
    Q_OBJECT

private slots:
    void copiesArePlain_data()
    {
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("plain");
        test::addRow("moment", "14:02:11.204\u2009000\u2009567", "14:02:11.204000567");
        test::addRow("unit", "\u22121\u2009204\u2009kB", "-1204 kB");
        test::addRow("words", "futex \u2013 7 \u00b5s", "futex \u2013 7 \u00b5s");
        test::addRow("empty", "", "");
    }
    void copiesArePlain()
    {
        QFETCH(QString, shown);
        QFETCH(QString, plain);
        QCOMPARE(plainText(shown), plain);
    }

    void theKeyCopiesTheSelectedLines()
    {
        Table it;
        it.table.selectionModel()->select(it.model.index(2, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        it.table.selectionModel()->select(it.model.index(0, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QTest::keyClick(&it.table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(clipboard(), QString("a, \"b\"\t1204.000567 s\nthird\t0 s"));
    }

    void csvHasAllLinesAndTheColumnsThatAreShown()
    {
        Table it;
        QCOMPARE(tableCsv(it.table), QString("name,time\n\"a, \"\"b\"\"\",1204.000567 s\nsecond,-3.5 ms\nbelow,1 ns\nthird,0 s\n"));
        it.table.header()->moveSection(1, 0);
        QVERIFY(tableCsv(it.table).startsWith("time,name\n1204.000567 s,\"a"));
    }

    void theMenuCopiesACellLinesAndTheTable()
    {
        Table it;
        it.table.setCurrentIndex(it.model.index(1, 0));
        QMenu menu;
        addCopyActions(menu, it.table, it.model.index(1, 1));
        QStringList copied;
        for (QAction* action : menu.actions()) {
            action->trigger();
            copied << clipboard();
        }
        QCOMPARE(copied, (QStringList{"second\t-3.5 ms", "-3.5 ms", tableCsv(it.table)}));
    }

    void aModelThatWritesItsOwnCsvServesAllCopies()
    {
        struct Own : QStandardItemModel, CsvModel {
            QString csv() const override { return "time_ns\n1296000000\n"; }
        } model;
        model.appendRow(new QStandardItem("1.296\u2009s"));
        QTreeView table;
        table.setModel(&model);
        QCOMPARE(tableCsv(table), model.csv());
    }

    void theMenuNamesOneRowOrSeveral()
    {
        Table it;
        it.table.setCurrentIndex(it.model.index(0, 0));
        QMenu one, two;
        addCopyActions(one, it.table, {});
        it.table.selectionModel()->select(it.model.index(2, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        addCopyActions(two, it.table, {});
        QCOMPARE(one.actions()[0]->text(), "Copy row");
        QCOMPARE(two.actions()[0]->text(), "Copy rows");
    }

    void anEmptyTableOffersNothingButItsTitles()
    {
        QTreeView table;
        QStandardItemModel model;
        model.setHorizontalHeaderLabels({"name"});
        table.setModel(&model);
        QMenu menu;
        addCopyActions(menu, table, {});
        QVERIFY(!menu.actions()[0]->isEnabled());
        QVERIFY(!menu.actions()[1]->isEnabled());
        QCOMPARE(tableCsv(table), QString("name\n"));
    }
};

HELIO_TEST(TableCopyTest)
#include "tst_table_copy.moc"
