// SQL in the window: the menu, panels as actions, the command, and sessions.

#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/docks/sql/sql_view.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/time_area.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

const QString Waits = QStringLiteral("SELECT ts, dur, utid FROM thread_state WHERE state = 'S' AND dur > 0 LIMIT 7");

SqlView& sqlOf(MainWindow& window) { return dynamic_cast<SqlView&>(*window.docks().view("sql")); }

} // namespace

class SqlWindowTest : public QObject {
    Q_OBJECT

private slots:
    void theMenuOpensTheDock()
    {
        test::OwnHome home;
        MainWindow window;
        QVERIFY(test::openIn(window));
        QVERIFY(!sqlOf(window).isVisible());
        window.actions().at("analyse.sql").trigger();
        QTRY_VERIFY(sqlOf(window).isVisible());
        QCOMPARE(window.docks().frontView(), QString("sql"));
    }
    void panelsHaveActionsAndTheirCommand()
    {
        test::OwnHome home;
        MainWindow window;
        QVERIFY(test::openIn(window));
        window.actions().at("view.sql").trigger();
        SqlView& sql = sqlOf(window);
        sql.setQuery(Waits);
        sql.run();
        QTRY_COMPARE(sql.model().rowCount(), 7);
        sql.setShownAsRows(true);
        QVERIFY(window.actions().contains("view.panel-sql"));
        QVERIFY(window.actions().at("view.panel-sql").isChecked());
        sql.setShownAsRows(false);
        QVERIFY(!window.actions().contains("view.panel-sql"));
        sql.setFocus();
        window.actions().at("file.copy-command").trigger();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith("heliograph sql /")
                     && copied.contains("'SELECT ts, dur, utid FROM thread_state WHERE state = '\\''S'\\''"),
                 qPrintable(copied));
    }
    void sessionsRestoreQueryAndPanels()
    {
        test::OwnHome home;
        QTemporaryDir folder;
        const QString path = folder.filePath("a.heliograph");
        {
            MainWindow window;
            QVERIFY(test::openIn(window));
            window.actions().at("view.sql").trigger();
            SqlView& sql = sqlOf(window);
            sql.setQuery(Waits);
            sql.run();
            QTRY_COMPARE(sql.model().rowCount(), 7);
            sql.setShownAsRows(true);
            QVERIFY(saveSession(window.sessionState(), path));
        }
        MainWindow window;
        QVERIFY(test::openIn(window, {path}));
        QTRY_COMPARE(sqlOf(window).query(), Waits);
        const ResultPanels& panels = ResultPanels::of(window.context());
        QTRY_VERIFY_WITH_TIMEOUT(panels.find("sql") && panels.find("sql")->data, 30'000);
        QCOMPARE(panels.find("sql")->data->count, std::size_t(7));
    }
};

HELIO_TEST(SqlWindowTest)
#include "tst_sql_window.moc"
