// Property: File > Export saves every table of every dock completely, and every panel as PNG and SVG.

#include "tests/app/exports/open_window.h"
#include "tests/support/test_program.h"
#include "widgets/controls/table_copy.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QImage>

using namespace helio;

namespace {

/// Returns the number of rows of a model below `parent`, child rows at all levels included.
qsizetype linesBelow(const QAbstractItemModel& model, const QModelIndex& parent = {})
{
    qsizetype lines = 0;
    for (int row = 0; row < model.rowCount(parent); ++row)
        lines += 1 + linesBelow(model, model.index(row, 0, parent));
    return lines;
}

/// Returns the number of records of a CSV text: line ends inside quotes do not count.
qsizetype recordsOf(const QString& csv)
{
    qsizetype records = 0;
    bool isQuoted = false;
    for (const QChar c : csv) {
        isQuoted = isQuoted != (c == u'"');
        records += c == u'\n' && !isQuoted;
    }
    return records;
}

bool isTable(const QAbstractItemView& view)
{
    return view.isVisible() && view.model() && !qobject_cast<const QHeaderView*>(&view) && !view.inherits("QComboBoxListView")
        && !qobject_cast<const QComboBox*>(view.parentWidget());
}

} // namespace

class AllTablesTest : public QObject {
    Q_OBJECT

private slots:
    void everyTableOfEveryDockIsSavedWhole_data()
    {
        QTest::addColumn<QStringList>("traces");
        const QString fixtures = QStringLiteral(SOURCE_DIR "/tests/fixtures/");
        test::addRow("sample", QStringList{Sample});
        test::addRow("two hosts", QStringList{fixtures + "two-hosts-small/web", fixtures + "two-hosts-small/db"});
        test::addRow("samples", QStringList{fixtures + "perf/fp.data"});
        test::addRow("calls", QStringList{fixtures + "ust-callstack"});
        test::addRow("lock statistics", QStringList{fixtures + "lock_stat_0.4.txt"});
    }
    void everyTableOfEveryDockIsSavedWhole()
    {
        QFETCH(QStringList, traces);
        OpenWindow it(traces);
        it.window.context().bookmarks().add({it.window.context().time().cursor(), it.window.context().time().cursor()}, "a, \"b\"");
        int tables = 0;
        for (const QString& id : it.window.docks().views()) {
            it.focus(qPrintable(id));
            QTest::qWait(300);
            QWidget* view = it.window.docks().view(id);
            for (auto* table : view->findChildren<QAbstractItemView*>()) {
                if (!isTable(*table) || table->parentWidget()->inherits("helio::EventList"))
                    continue;
                table->setFocus();
                emit qApp->focusChanged(nullptr, table);
                QFile::remove(it.home.filePath(id + ".csv"));
                it.trigger("file.export-csv");
                const QString csv = QString::fromUtf8(contents(it.home.filePath(id + ".csv")));
                const QString what = id + ' ' + table->objectName() + ' ' + table->metaObject()->className();
                QVERIFY2(!csv.isEmpty(), qPrintable(what));
                QCOMPARE(csv, tableCsv(*table));
                QVERIFY2(recordsOf(csv) == linesBelow(*table->model()) + 1, qPrintable(what + ":\n" + csv.left(2000)));
                QVERIFY2(!csv.contains(QChar(0x2009)) && !csv.contains(QChar(0x2212)), qPrintable(what));
                ++tables;
            }
        }
        QVERIFY(tables >= 1);
    }

    void everyPanelIsSavedAsAPicture()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        int pictures = 0;
        for (TimePanel* panel : it.area().panels()->panels()) {
            if (panel->isHidden())
                continue;
            panel->setCollapsed(false);
            it.focusPanel(panel->id());
            if (it.area().panels()->current() != panel)
                continue;
            const QString path = it.home.filePath(QString::fromStdString(panel->id()));
            it.trigger("file.export-png");
            QVERIFY2(QImage(path + ".png").width() == 2 * panel->width(), panel->id().c_str());
            it.trigger("file.export-svg");
            QVERIFY2(contents(path + ".svg").contains("<svg"), panel->id().c_str());
            ++pictures;
        }
        QVERIFY(pictures >= 2);
    }
};

HELIO_TEST(AllTablesTest)
#include "tst_all_tables.moc"
