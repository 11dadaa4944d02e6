// The SQL page of the window of a fleet: results equal those of `heliograph fleet sql`, mistakes are underlined, endless queries stop, and
// rows select traces.

#include "app/gui/common/actions.h"
#include "app/gui/fleet/fleet_data.h"
#include "app/gui/fleet/fleet_sql_examples.h"
#include "app/gui/fleet/fleet_sql_page.h"
#include "app/gui/fleet/fleet_status.h"
#include "app/gui/fleet/fleet_window.h"
#include "core/base/shell_words.h"
#include "tests/support/made_catalogue.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/dock_area.h"
#include "widgets/controls/pages.h"
#include "widgets/fleet/fleet_model.h"
#include "widgets/sql/sql_completion_list.h"
#include "widgets/sql/sql_tables.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace helio;
using fleet::TraceSummary;
using test::fleetSummary;
using test::MadeFleet;

namespace {

const QString Endless = QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");

/// Ten traces of ten hosts; the higher the number, the worse.
std::vector<TraceSummary> tenTraces()
{
    std::vector<TraceSummary> all;
    for (std::int64_t i = 1; i <= 10; ++i)
        all.push_back(fleetSummary(i, double(i) / 20, i * 1'000));
    return all;
}

/// A window with a catalogue, whose SQL page is shown. It uses a temporary home folder.
struct SqlWindow {
    explicit SqlWindow(const std::vector<TraceSummary>& summaries = tenTraces())
        : made(summaries)
    {
    }
    bool open()
    {
        window.resize(1600, 1000); // Wide enough to show the page.
        window.show();
        window.open(made.file());
        if (!isListed())
            return false;
        window.actions().at("view.sql").trigger();
        return page().isVisible();
    }
    bool isListed()
    {
        return QTest::qWaitFor([this] { return !window.data().isReading() && !window.data().isFiltering() && window.data().table(); },
                               20'000);
    }
    bool run(const QString& query)
    {
        page().setQuery(query);
        page().run();
        return isDone();
    }
    bool isDone()
    {
        return QTest::qWaitFor([this] { return !page().isRunning(); }, 60'000);
    }
    /// Starts an endless query, and waits until it has rows or computes, as far as the page can tell.
    void runEndless()
    {
        page().setQuery(Endless);
        page().run();
        QTest::qWait(50);
    }
    /// Returns the rows of the result as MadeFleet::ask() does.
    std::vector<std::string> rows()
    {
        std::vector<std::string> all;
        const auto& result = page().model().result();
        for (std::size_t row = 0; result && row < result->rows(); ++row) {
            std::string line;
            for (int column = 0; column < int(result->columns.size()); ++column) {
                const sql::Value& value = result->value(row, column);
                const auto* const real = std::get_if<double>(&value);
                line += (column > 0 ? "|" : "")
                    + (real                                                ? std::to_string(*real)
                           : std::holds_alternative<std::monostate>(value) ? "-"
                                                                           : rawText(value).toStdString());
            }
            all.push_back(line);
        }
        return all;
    }
    FleetSqlPage& page() { return window.sql(); }
    SqlEditor& editor() { return *page().findChild<SqlEditor*>(); }
    QTreeView& results() { return *page().findChild<QTreeView*>("rows"); }
    QPushButton* button(const QString& text)
    {
        for (QPushButton* const it : page().findChildren<QPushButton*>())
            if (it->text() == text && it->isVisible())
                return it;
        return nullptr;
    }
    bool says(const QString& text)
    {
        for (const QLabel* const it : page().findChildren<QLabel*>())
            if (it->isVisible() && plainText(it->text()).contains(text))
                return true;
        return false;
    }
    QString remark() { return plainText(window.findChild<FleetStatus*>()->remark()); }
    QString selectedHost()
    {
        return plainText(window.model().index(window.table().currentIndex().row(), FleetModel::Host).data().toString());
    }
    void chooseRow(int row)
    {
        results().setCurrentIndex(page().model().index(row, 0));
        QTest::keyClick(&results(), Qt::Key_Return);
    }

    test::OwnHome home;
    MadeFleet made;
    FleetWindow window;
};

} // namespace

class FleetSqlTest : public QObject {
    Q_OBJECT

private slots:
    void resultsAreThoseOfTheCommand()
    {
        SqlWindow it;
        QVERIFY(it.open());
        for (const FleetSqlExample& example : fleetSqlExamples()) {
            QVERIFY2(it.run(QString::fromUtf8(example.query)), example.title);
            QVERIFY2(!it.page().failure() && it.page().model().result(), example.title);
            QCOMPARE(it.rows(), it.made.ask(example.query));
        }
        QVERIFY(it.run("SELECT host, share, NULL, max_ns FROM worst_finding JOIN digest USING (trace_id) WHERE kind = 'wakeup'"));
        QCOMPARE(it.rows().size(), std::size_t(10));
        QCOMPARE(it.rows(),
                 it.made.ask("SELECT host, share, NULL, max_ns FROM worst_finding JOIN digest USING (trace_id) WHERE kind = 'wakeup'"));
        QVERIFY(it.says("10 rows"));
        QVERIFY(it.page().model().csv().startsWith("host,share,NULL,max_ns\nweb-"));
    }

    void statementsKeepTheirTables()
    {
        SqlWindow it;
        QVERIFY(it.open());
        QVERIFY(it.run("CREATE TABLE mine AS SELECT host FROM trace"));
        QVERIFY(it.says("The statement returns no rows."));
        QVERIFY(it.run("SELECT count(*) FROM mine"));
        QCOMPARE(it.rows(), std::vector<std::string>{"10"});
        QVERIFY(it.run("DELETE FROM trace"));
        QVERIFY(it.page().failure());
        QCOMPARE(it.made.ask("SELECT count(*) FROM trace"), std::vector<std::string>{"10"});
    }

    void theEmptyPageOffersAnExample()
    {
        SqlWindow it;
        QVERIFY(it.open());
        QVERIFY(it.says("No query has run.") && it.says("FROM worst_finding"));
        QTest::mouseClick(it.button("Run this example"), Qt::LeftButton);
        QVERIFY(it.isDone());
        QCOMPARE(it.page().query(), QString::fromUtf8(fleetSqlExamples().front().query));
        QCOMPARE(it.page().model().rowCount(), 10);
    }

    /// Property: the position of a mistake is that in the editor, also if only the selected text was run.
    void mistakesAreUnderlined()
    {
        SqlWindow it;
        QVERIFY(it.open());
        QVERIFY(it.run("SELECT host,\n  nowhere FROM trace"));
        QVERIFY(it.page().failure());
        QCOMPARE(it.page().failure()->line, 2);
        QCOMPARE(it.page().failure()->column, 3);
        QVERIFY(it.editor().hasMistake());
        QVERIFY(it.says("Line 2, column 3: ") && it.says("nowhere"));
        QTest::keyClicks(&it.editor(), " ");
        QVERIFY(!it.editor().hasMistake());
        QVERIFY(!it.says("Line 2, column 3: "));

        it.page().setQuery("SELECT 1;\n\nSELECT nowhere FROM trace");
        QTextCursor cursor(it.editor().document());
        cursor.setPosition(11);
        cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
        it.editor().setTextCursor(cursor);
        it.page().run();
        QVERIFY(it.isDone());
        QVERIFY(it.says("Line 3, column 8: "));
        QVERIFY(it.run("SELECT 1"));
        QVERIFY(!it.page().failure() && !it.editor().hasMistake());
    }

    void endlessQueriesAreCancelled()
    {
        SqlWindow it;
        QVERIFY(it.open());
        it.runEndless();
        QVERIFY(it.page().isRunning() && it.button("Cancel"));
        QVERIFY(it.says("0 rows, ") && it.says("The query is running."));
        QTest::mouseClick(it.button("Cancel"), Qt::LeftButton);
        QVERIFY(!it.page().isRunning() && it.button("Run"));
        QVERIFY(it.says("The query was cancelled."));
        it.runEndless();
        QTest::keyClick(&it.editor(), Qt::Key_Escape);
        QVERIFY(!it.page().isRunning());
        QVERIFY(it.run("SELECT 3")); // The page goes on.
        QCOMPARE(it.rows(), std::vector<std::string>{"3"});
    }

    void endlessQueriesEndWithTheWindow()
    {
        SqlWindow it;
        QVERIFY(it.open());
        it.runEndless();
        QVERIFY(it.page().isRunning());
        it.window.close();
        QVERIFY(!it.page().isRunning());
        it.window.show();
        it.runEndless();
        QVERIFY(it.page().isRunning()); // The destructor of the window ends the query; otherwise, this test never ends.
    }

    void largeResultsAreCut()
    {
        SqlWindow it;
        QVERIFY(it.open());
        QVERIFY(it.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"));
        QCOMPARE(it.page().model().rowCount(), int(SqlResult::MostRows));
        QVERIFY(it.says("Only the first 100000 rows are read"));
        QVERIFY(it.run("SELECT 1"));
        QVERIFY(!it.says("Only the first"));
    }

    /// Property: Ctrl+Enter runs the query in the editor, and opens the selected trace elsewhere.
    void keysOfTheEditorWin()
    {
        SqlWindow it;
        QVERIFY(it.open());
        it.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&it.window));
        QVERIFY(it.editor().hasFocus());
        QSignalSpy opened(&it.window.actions().at("file.open-trace"), &QAction::triggered);
        it.page().setQuery("SELECT count(*) FROM trace");
        QTest::keyClick(&it.editor(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(it.isDone());
        QCOMPARE(it.rows(), std::vector<std::string>{"10"});
        QCOMPARE(opened.size(), 0);
        QCOMPARE(it.page().query(), QStringLiteral("SELECT count(*) FROM trace"));
        QTest::keyClick(&it.window.table(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(opened.size(), 1);
        fleet::FleetConditions conditions;
        conditions.hasFindings = true;
        it.window.data().setConditions(conditions);
        QTest::keyClick(&it.editor(), Qt::Key_Escape);
        QVERIFY(it.window.table().hasFocus());
        QVERIFY(it.window.data().conditions() == conditions);
    }

    /// Property: reading the catalogue again keeps the query and its rows, and later queries see what was added.
    void reloadsKeepTheQuery()
    {
        SqlWindow it;
        QVERIFY(it.open());
        QVERIFY(it.run("CREATE TABLE mine(x)"));
        QVERIFY(it.run("SELECT count(*) FROM trace"));
        it.made.add({fleetSummary(11, 0.9, 5)});
        it.window.actions().at("file.reload").trigger();
        QVERIFY(it.isListed());
        QCOMPARE(it.page().query(), QStringLiteral("SELECT count(*) FROM trace"));
        QCOMPARE(it.rows(), std::vector<std::string>{"10"});
        QVERIFY(it.says("The catalogue was read again after this query."));
        it.page().run();
        QVERIFY(it.isDone());
        QCOMPARE(it.rows(), std::vector<std::string>{"11"});
        QVERIFY(!it.says("The catalogue was read again after this query."));
        QVERIFY(it.run("SELECT * FROM mine"));
        QVERIFY(it.page().failure()); // The connection is another one.

        it.runEndless();
        it.window.actions().at("file.reload").trigger();
        QVERIFY(it.isListed());
        QVERIFY(!it.page().isRunning());
        QVERIFY(it.run("SELECT 1"));
    }

    void anotherCatalogueIsQueried()
    {
        SqlWindow it;
        QVERIFY(it.open());
        QVERIFY(it.run("SELECT host FROM trace ORDER BY id"));
        const MadeFleet other({fleetSummary(42, 0.5, 7)});
        it.window.open(other.file());
        QVERIFY(it.isListed());
        QVERIFY(it.says("No query has run."));
        QCOMPARE(it.page().query(), QStringLiteral("SELECT host FROM trace ORDER BY id"));
        it.page().run();
        QVERIFY(it.isDone());
        QCOMPARE(it.rows(), std::vector<std::string>{"web-42"});
    }

    void rowsSelectTraces_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("host");
        QTest::newRow("trace_id") << "SELECT trace_id FROM worst_finding WHERE host = 'web-03'"
                                  << "web-03";
        QTest::newRow("path") << "SELECT path FROM trace WHERE host = 'web-04'"
                              << "web-04";
        QTest::newRow("id and path") << "SELECT id, path FROM trace WHERE host = 'web-05'"
                                     << "web-05";
        // The finding's id is that of another trace.
        QTest::newRow("another id and path")
            << "SELECT finding.id, path FROM finding JOIN trace ON trace.id = trace_id WHERE trace.host = 'web-03' AND rank = 2"
            << "web-03";
    }
    void rowsSelectTraces()
    {
        QFETCH(QString, query);
        QFETCH(QString, host);
        SqlWindow it;
        QVERIFY(it.open());
        QVERIFY(it.run(query));
        QCOMPARE(it.page().model().rowCount(), 1);
        QCOMPARE(it.selectedHost(), QStringLiteral("web-10"));
        const QRect cell = it.results().visualRect(it.page().model().index(0, 0));
        QTest::mouseClick(it.results().viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(it.selectedHost(), QStringLiteral("web-10")); // One click only marks the row.
        QTest::mouseDClick(it.results().viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(it.selectedHost(), host);
        it.window.table().setCurrentIndex(it.window.model().index(0, 0));
        it.chooseRow(0);
        QCOMPARE(it.selectedHost(), host);
        QVERIFY(it.page().isVisible());
    }

    void tracesThatAreNotListedAreNamed()
    {
        SqlWindow it;
        QVERIFY(it.open());
        fleet::FleetConditions conditions;
        conditions.host = "web-09";
        it.window.data().setConditions(conditions);
        QVERIFY(it.isListed());
        QVERIFY(it.run("SELECT trace_id FROM worst_finding WHERE host = 'web-03'"));
        it.chooseRow(0);
        QVERIFY2(it.remark().startsWith("web-03 is not listed"), qPrintable(it.remark()));
        QCOMPARE(it.selectedHost(), QStringLiteral("web-09"));
        QVERIFY(it.run("SELECT 12345 AS trace_id"));
        it.chooseRow(0);
        QVERIFY2(it.remark().startsWith("The trace of the row is not listed"), qPrintable(it.remark()));
        QVERIFY(it.run("SELECT count(*) FROM trace"));
        it.chooseRow(0);
        QVERIFY2(it.remark().startsWith("The row names no trace."), qPrintable(it.remark()));
    }

    void queriesAreCopiedAsCommands()
    {
        SqlWindow it;
        QVERIFY(it.open());
        QVERIFY(!it.button("Copy as command")->isEnabled());
        const QString query = QStringLiteral("SELECT host\nFROM trace WHERE host != 'it''s'");
        it.page().setQuery(query + '\n');
        QTest::mouseClick(it.button("Copy as command"), Qt::LeftButton);
        const auto words = splitShellLine(QApplication::clipboard()->text().toStdString());
        QVERIFY(words);
        QCOMPARE(*words, (std::vector<std::string>{"heliograph", "fleet", "sql", it.made.path(), query.toStdString()}));
    }

    void namesAreCompleted()
    {
        SqlWindow it;
        QVERIFY(it.open());
        QTRY_VERIFY_WITH_TIMEOUT(it.page().findChild<SqlTables*>()->shownTables() >= 7, 20'000);
        it.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&it.window));
        QTest::keyClicks(&it.editor(), "SELECT * FROM worst_f");
        QTRY_VERIFY(it.editor().completions() && it.editor().completions()->isVisible());
        QTest::keyClick(&it.editor(), Qt::Key_Return);
        QCOMPARE(it.page().query(), QStringLiteral("SELECT * FROM worst_finding"));
    }

    /// Property: the tab is shown by its action, also in a window that is too narrow to show it unasked.
    void theActionShowsThePage()
    {
        SqlWindow it;
        QVERIFY(it.open());
        auto* const dock = it.window.findChild<DockArea*>();
        QCOMPARE(dock->pages(), (QStringList{"details", "sql"}));
        dock->setCurrent("details");
        QVERIFY(!it.page().isVisible());
        it.window.resize(1000, 700);
        QTRY_VERIFY(!dock->isVisible());
        it.window.actions().at("view.sql").trigger();
        QVERIFY(it.page().isVisible() && it.window.actions().at("view.details").isChecked());
    }

    void damagedCataloguesFailInWords()
    {
        SqlWindow it;
        QVERIFY(it.open());
        it.made.change("PRAGMA user_version = 2");
        QVERIFY(it.run("SELECT 1"));
        QVERIFY(it.page().failure() && it.page().failure()->message.contains("version 2"));
        it.window.actions().at("file.reload").trigger();
        QVERIFY(it.isListed());
        QVERIFY(it.page().isVisible());
    }

    void hostileValuesAreShown()
    {
        SqlWindow it;
        it.made.change(test::HostileStatements);
        QVERIFY(it.open());
        for (const char* const table : {"trace", "finding", "digest", "tag", "worst_finding"}) {
            QVERIFY(it.run(QString("SELECT * FROM %1").arg(table)));
            QVERIFY(it.page().model().rowCount() > 0);
            for (int row = 0; row < std::min(it.page().model().rowCount(), 20); ++row)
                it.chooseRow(row);
            QVERIFY(!it.window.grab().isNull());
        }
        QVERIFY(it.run("SELECT '<img src=x>' AS a, -1 AS dur, 9223372036854775807 AS ts, x'ff00fe' AS path"));
        it.chooseRow(0);
        QVERIFY(!it.window.grab().isNull());
    }
};

HELIO_TEST(FleetSqlTest)
#include "tst_fleet_sql.moc"
