// The SQL dock over the sample trace: running, failing, cancelling, going to rows, panels, sessions.

#include "core/experiment/timeline.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/rows.h"
#include "tests/support/own_home.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/docks/sql/sql_examples.h"
#include "widgets/docks/sql/sql_view.h"
#include "widgets/sql/sql_editor.h"
#include "widgets/sql/sql_tables.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/result_bars.h"
#include "widgets/timeline/panels/result_curves.h"
#include "widgets/timeline/panels/result_panel_view.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/workspace/sql_requests.h"

#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QTreeView>
#include <QTreeWidget>

#include <algorithm>
#include <sqlite3.h>

using namespace helio;

namespace {

const QString Waits = QStringLiteral("-- waits\nSELECT ts, dur, thread.name, state, utid FROM thread_state JOIN thread USING (utid)\n"
                                     "WHERE state = 'S' AND dur > 1000000 ORDER BY dur DESC LIMIT 20");
/// A query that runs for minutes.
const QString Endless = QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0");

struct Shown {
    ViewContext context;
    SqlView view{context};

    explicit Shown(const std::shared_ptr<const Timeline>& timeline)
    {
        view.resize(1300, 300);
        view.show();
        if (timeline) {
            context.time().setFull(rangeOf(*timeline));
            context.setTimeline(timeline);
        }
    }
    void run(const QString& query)
    {
        view.setQuery(query);
        view.run();
        if (!QTest::qWaitFor([&] { return !view.isBusy(); }, 30'000))
            qFatal("still running");
    }
    bool says(const QString& words) const
    {
        return std::ranges::any_of(view.findChildren<QLabel*>(),
                                   [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
    }
    QPushButton* button(const QString& text) const
    {
        for (auto* it : view.findChildren<QPushButton*>())
            if (it->text() == text)
                return it;
        qFatal("no button");
    }
};

} // namespace

class SqlViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
    }

    void aQueryFillsTheTable()
    {
        Shown shown(m_timeline);
        QVERIFY(shown.says("No query has run."));
        shown.run(Waits);
        QCOMPARE(shown.view.model().rowCount(), 20);
        QVERIFY(shown.says("20 rows"));
        QVERIFY(shown.says("no events were lost"));
        const auto& result = *shown.view.model().result();
        for (std::size_t row = 1; row < result.rows(); ++row)
            QVERIFY(*result.integer(row - 1, 1) >= *result.integer(row, 1));
        QCOMPARE(shown.view.history().value(0), Waits);
    }
    void onlyTheSelectionRuns()
    {
        Shown shown(m_timeline);
        shown.view.setQuery("SELECT 1 AS a;\nSELECT 2 AS b, nme");
        auto* editor = shown.view.findChild<SqlEditor*>();
        QTextCursor cursor = editor->textCursor();
        cursor.setPosition(0);
        cursor.setPosition(13, QTextCursor::KeepAnchor);
        editor->setTextCursor(cursor);
        shown.view.run();
        QTRY_VERIFY(!shown.view.isBusy());
        QCOMPARE(shown.view.model().result()->columns, std::vector<std::string>{"a"});
        // The place of a mistake in a selection is that in the whole text.
        cursor.setPosition(15);
        cursor.setPosition(33, QTextCursor::KeepAnchor);
        editor->setTextCursor(cursor);
        shown.view.run();
        QTRY_VERIFY(shown.view.failure());
        QVERIFY(shown.says("Line 2, column 16"));
        QCOMPARE(editor->extraSelections().last().cursor.selectedText(), QString("nme"));
    }
    void aMistakeIsShownAndUnderlined()
    {
        Shown shown(m_timeline);
        shown.run("SELECT ts\nFROM thread_stat");
        QVERIFY(shown.view.failure());
        QVERIFY(shown.says("no such table: thread_stat"));
        QVERIFY(shown.says("The query failed."));
        shown.run("SELECT ts,\n  nme FROM thread_state");
        QVERIFY(shown.says("Line 2, column 3: no such column: nme"));
        auto* editor = shown.view.findChild<SqlEditor*>();
        QVERIFY(editor->hasMistake());
        QCOMPARE(editor->extraSelections().last().cursor.selectedText(), QString("nme"));
        editor->insertPlainText("x"); // The place is that of another text.
        QVERIFY(!editor->hasMistake());
        QVERIFY(!shown.says("Line 2, column 3"));
        QVERIFY(shown.says("no such column: nme"));
    }
    void queriesCannotChangeAnything()
    {
        Shown shown(m_timeline);
        for (const char* query : {"ATTACH 'x' AS y", "DELETE FROM thread", "DROP VIEW sched", "PRAGMA journal_mode"}) {
            shown.run(query);
            QVERIFY2(shown.view.failure(), query);
        }
        shown.run("CREATE VIEW mine AS SELECT 1 AS a");
        QVERIFY(!shown.view.failure());
        QVERIFY(shown.says("The statement returns no rows."));
        shown.run("SELECT * FROM mine");
        QCOMPARE(shown.view.model().rowCount(), 1);
    }
    void aQueryIsCancelled()
    {
        Shown shown(m_timeline);
        shown.view.setQuery(Endless);
        shown.view.run();
        QTRY_COMPARE(shown.button("Cancel")->isEnabled(), true);
        QTest::qWait(50);
        shown.view.cancel();
        QVERIFY(shown.says("The query was cancelled."));
        QVERIFY(shown.button("Run"));
        shown.run("SELECT 3 AS x"); // The dock goes on.
        QCOMPARE(shown.view.model().rowCount(), 1);
    }
    void theTimeLimitEndsAQuery()
    {
        Shown shown(m_timeline);
        shown.view.restore({{"query", Endless}, {"limit", 1}});
        shown.view.run();
        QTRY_VERIFY_WITH_TIMEOUT(shown.view.failure(), 20'000);
        QVERIFY(shown.view.failure()->isTimeout);
        QVERIFY(shown.says("The query took too long."));
        QVERIFY(shown.says("Stopped after 1 s"));
    }
    void largeResultsAreBounded()
    {
        Shown shown(m_timeline);
        shown.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n");
        QCOMPARE(shown.view.model().rowCount(), int(SqlResult::MostRows));
        QVERIFY(shown.view.model().result()->isCut);
        QVERIFY(shown.says("First 100"));
    }
    void allExamplesRun()
    {
        Shown shown(m_timeline);
        QTRY_VERIFY_WITH_TIMEOUT(!shown.view.examples().isEmpty(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!shown.view.isBusy(), 60'000);
        QVERIFY(shown.view.examples().contains("CPU time by process"));
        QVERIFY(!shown.view.examples().contains("Lost events")); // The sample has no losses.
        for (const SqlExample& example : sqlExamples()) {
            shown.run(QString::fromUtf8(example.query));
            QVERIFY2(!shown.view.failure(), example.query);
            if (shown.view.examples().contains(QLatin1String(example.title)))
                QVERIFY2(shown.view.model().rowCount() > 0, example.title);
        }
    }
    void tablesAndColumnsAreListed()
    {
        Shown shown(m_timeline);
        auto* tables = shown.view.findChild<SqlTables*>();
        QTRY_VERIFY_WITH_TIMEOUT(tables->shownTables() > 20, 20'000);
        const int all = tables->shownTables();
        tables->filter()->setText("waker_utid");
        QVERIFY(tables->shownTables() >= 1 && tables->shownTables() < all);
    }

    void aRowLeadsToItsTimeAndThread()
    {
        Shown shown(m_timeline);
        shown.run(Waits);
        auto* table = shown.view.findChild<QTreeView*>("rows");
        table->setCurrentIndex(shown.view.model().index(2, 0));
        emit table->clicked(shown.view.model().index(2, 0));
        const auto& result = *shown.view.model().result();
        const TimeWindow& time = shown.context.time();
        QCOMPARE(nanoseconds(time.cursor()), *result.integer(2, 0));
        QCOMPARE(time.selection().duration().count(), *result.integer(2, 1));
        const auto all = threads(*m_timeline);
        const auto row = std::ranges::find(all, time.row(), &Row::ref);
        QVERIFY(row != all.end());
        QCOMPARE(row->label, std::get<std::string>(result.value(2, 2)));
        QVERIFY(shown.says("Row 3 of 20, shown in the timeline"));
        QCOMPARE(ResultPanels::of(shown.context).values().size(), std::size_t(5));
        QCOMPARE(ResultPanels::of(shown.context).values()[3], (std::pair<QString, QString>("state", "S")));
        shown.context.time().setCursor(time.cursor() + Duration(5)); // The user moves on.
        QVERIFY(ResultPanels::of(shown.context).values().empty());
        QVERIFY(!shown.says("shown in the timeline"));
    }
    void rowsWithoutTimesSelectTheirThread()
    {
        Shown shown(m_timeline);
        shown.run("SELECT utid, name FROM thread WHERE name GLOB 'worker-*' ORDER BY name LIMIT 1");
        const Timestamp before = shown.context.time().cursor();
        emit shown.view.findChild<QTreeView*>("rows")->clicked(shown.view.model().index(0, 0));
        QVERIFY(shown.context.time().row().isValid());
        QCOMPARE(shown.context.time().cursor(), before);
        shown.run("SELECT 1 AS a");
        emit shown.view.findChild<QTreeView*>("rows")->clicked(shown.view.model().index(0, 0)); // Leads nowhere, does no harm.
    }

    void aResultBecomesAPanel()
    {
        Shown shown(m_timeline);
        TimeArea area(shown.context);
        area.resize(1200, 700);
        area.show();
        shown.context.setTimeline(m_timeline);
        shown.run("SELECT 1 AS a");
        QVERIFY(!shown.button("Show as rows")->isEnabled());
        QVERIFY(shown.button("Show as rows")->toolTip().contains("ts and dur"));
        shown.run(Waits);
        shown.view.setShownAsRows(true);
        auto* panel = qobject_cast<ResultPanelView*>(area.panel("sql"));
        QVERIFY(panel && panel->bars());
        QVERIFY(panel->order() < area.panel("control-flow")->order());
        QTRY_VERIFY(ResultPanels::of(shown.context).find("sql")->data);
        const auto data = ResultPanels::of(shown.context).find("sql")->data;
        QCOMPARE(data->count, std::size_t(20));
        QCOMPARE(panel->bars()->countIn(rangeOf(*m_timeline)), std::size_t(20));
        QCOMPARE(panel->header()->subtitle(), QString("waits"));
        shown.view.setPartition({});
        QTRY_COMPARE(ResultPanels::of(shown.context).find("sql")->data->lanes.size(), std::size_t(1));
        // A click on a bar selects the row of the result.
        ResultPanels::of(shown.context).choose("sql", 4);
        QCOMPARE(shown.view.findChild<QTreeView*>("rows")->currentIndex().row(), 4);
        QCOMPARE(ResultPanels::of(shown.context).mark().line, 4U);
        // Removed by its menu; the button is off again.
        ResultPanels::of(shown.context).remove("sql");
        QVERIFY(!area.panel("sql"));
        QTRY_VERIFY(!shown.button("Show as rows")->isChecked());
    }
    void aPanelKeepsItsRowsUntilNewOnesAreThere()
    {
        Shown shown(m_timeline);
        shown.run(Waits);
        shown.view.setShownAsRows(true);
        ResultPanels& panels = ResultPanels::of(shown.context);
        QTRY_VERIFY(panels.find("sql")->data);
        const auto before = panels.find("sql")->data;
        bool isAlwaysFilled = true;
        connect(&panels, &ResultPanels::changed, this, [&] { isAlwaysFilled &= panels.find("sql")->data != nullptr; });
        shown.run(Waits);
        QTRY_VERIFY(panels.find("sql")->data != before);
        QVERIFY(isAlwaysFilled);
    }
    void aPanelThatIsClickedLeavesTheRunningQueryAlone()
    {
        Shown shown(m_timeline);
        shown.run(Waits);
        shown.view.setShownAsRows(true);
        ResultPanels& panels = ResultPanels::of(shown.context);
        QTRY_VERIFY(panels.find("sql")->data);
        const auto result = shown.view.model().result();
        shown.run("SELECT 1 AS a");
        shown.view.setQuery(Endless);
        shown.view.run();
        QTRY_VERIFY(shown.button("Cancel")->isEnabled());
        panels.choose("sql", 4);
        QCOMPARE(nanoseconds(shown.context.time().cursor()), *result->integer(4, 0));
        QCOMPARE(panels.mark().line, 4U);
        QCOMPARE(shown.view.query(), Endless);
        QVERIFY(shown.button("Cancel")->isEnabled());
        QCOMPARE(shown.view.model().rowCount(), 1);
        panels.edit("sql"); // Only the text changes while the query runs.
        QCOMPARE(shown.view.query(), Waits);
        QVERIFY(shown.button("Cancel")->isEnabled());
        shown.view.cancel();
        panels.choose("sql", 4);
        QCOMPARE(shown.view.model().rowCount(), 20);
        QVERIFY(shown.says("Row 5 of 20, shown in the timeline"));
    }
    void mistakesOfAnEarlierTextAreNotUnderlined()
    {
        Shown shown(m_timeline);
        shown.view.setQuery("SELECT nme FROM thread");
        shown.view.run();
        shown.view.setQuery("SELECT name FROM thread");
        QTRY_VERIFY(shown.view.failure());
        QVERIFY(!shown.view.findChild<SqlEditor*>()->hasMistake());
        QVERIFY(shown.says("no such column: nme"));
    }
    void aDatabaseThatCannotBeMadeEndsTheWaiting()
    {
        Shown shown({});
        shown.view.restore({{"panels", QJsonArray{QJsonObject{{"query", "SELECT 1 AS ts, 2 AS dur"}, {"id", "sql"}}}}});
        sqlite3_hard_heap_limit64(1);
        shown.context.time().setFull(rangeOf(*m_timeline));
        shown.context.setTimeline(m_timeline);
        const ResultPanels& panels = ResultPanels::of(shown.context);
        const bool hasProblem = QTest::qWaitFor([&] { return !panels.find("sql")->problem.isEmpty(); }, 30'000);
        sqlite3_hard_heap_limit64(0);
        QVERIFY(hasProblem);
        QTRY_VERIFY(!shown.view.isBusy());
        shown.run("SELECT 1 AS a"); // The dock goes on.
        QCOMPARE(shown.view.model().rowCount(), 1);
    }
    void valuesOfAllTypesCountForTheLimit()
    {
        Shown shown(m_timeline);
        QString columns = "i";
        for (int i = 0; i < 200; ++i)
            columns += QStringLiteral(", i AS c%1").arg(i);
        shown.run(QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT %1 FROM n").arg(columns));
        const auto& result = *shown.view.model().result();
        QVERIFY(result.isCut);
        QVERIFY(result.values.size() * sizeof(sql::Value) <= SqlResult::MostBytes);
        QVERIFY(result.rows() > 1000);
    }
    void valuesBecomeCurves()
    {
        Shown shown(m_timeline);
        TimeArea area(shown.context);
        area.resize(1200, 700);
        area.show();
        shown.context.setTimeline(m_timeline);
        shown.run("SELECT ts, cpu AS value FROM sched LIMIT 500");
        shown.view.setShownAsChart(true);
        auto* panel = qobject_cast<ResultPanelView*>(area.panel("sql"));
        QVERIFY(panel && panel->curves());
        QTRY_COMPARE(panel->curves()->countIn({Timestamp::min(), Timestamp::max()}), std::size_t(500));
    }
    void sessionsKeepQueryAndPanels()
    {
        QJsonObject saved;
        {
            Shown shown(m_timeline);
            shown.run(Waits);
            shown.view.setShownAsRows(true);
            shown.view.setPartition("state");
            shown.view.setQuery("SELECT 5");
            saved = shown.view.save();
        }
        Shown shown({});
        shown.view.restore(saved);
        QCOMPARE(shown.view.query(), QString("SELECT 5"));
        QCOMPARE(ResultPanels::of(shown.context).panels().size(), std::size_t(1));
        shown.context.time().setFull(rangeOf(*m_timeline));
        shown.context.setTimeline(m_timeline);
        QTRY_VERIFY_WITH_TIMEOUT(ResultPanels::of(shown.context).find("sql")->data, 30'000);
        const auto data = ResultPanels::of(shown.context).find("sql")->data;
        QCOMPARE(data->count, std::size_t(20));
        QCOMPARE(data->lanes.size(), std::size_t(1));
        QCOMPARE(data->lanes[0].name, QString("S"));
        // Reading the traces again fills the panels again.
        shown.context.setTimeline({});
        QVERIFY(!ResultPanels::of(shown.context).find("sql")->data);
        shown.context.setTimeline(m_timeline);
        QTRY_VERIFY_WITH_TIMEOUT(ResultPanels::of(shown.context).find("sql")->data, 30'000);
    }
    void hostileSessionsAreHarmless()
    {
        Shown shown(m_timeline);
        shown.view.restore(
            {{"query", 5},
             {"limit", -7},
             {"panels",
              QJsonArray{1, QJsonObject{{"query", "SELECT nothing"}, {"id", "cpus"}},
                         QJsonObject{{"query", "SELECT 1 AS ts, 2 AS dur"}, {"id", "sql-99999999999"}, {"partition", "none"}}}}});
        QCOMPARE(shown.view.query(), QString());
        const auto& panels = ResultPanels::of(shown.context).panels();
        QCOMPARE(panels.size(), std::size_t(2));
        QVERIFY(panels[0].id.startsWith("sql") && panels[1].id.startsWith("sql") && panels[0].id != panels[1].id);
        QTRY_VERIFY_WITH_TIMEOUT(!ResultPanels::of(shown.context).panels()[0].problem.isEmpty(), 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(ResultPanels::of(shown.context).panels()[1].data, 30'000);
    }

    void otherViewsAskInSql()
    {
        Shown shown(m_timeline);
        QString requested;
        connect(&shown.context, &ViewContext::viewRequested, this, [&](const QString& id) { requested = id; });
        QMenu menu;
        addSqlAction(menu, shown.context, {});
        QVERIFY(menu.isEmpty());
        addSqlAction(menu, shown.context, "SELECT 'it''s' AS a");
        menu.actions().first()->trigger();
        QCOMPARE(requested, QString("sql"));
        QTRY_COMPARE(shown.view.model().rowCount(), 1);
        QCOMPARE(sqlText("it's"), QString("'it''s'"));
    }
    void withoutATraceThereIsNothingToQuery()
    {
        Shown shown({});
        QVERIFY(shown.says("No trace is open."));
        QVERIFY(!shown.button("Run")->isEnabled());
        shown.view.setQuery("SELECT 1");
        shown.view.run(); // Says so, and waits for a trace.
        QVERIFY(!shown.view.isBusy());
        shown.context.setTimeline(m_timeline);
        QTRY_COMPARE(shown.view.model().rowCount(), 1);
    }
    void theCommandPrintsTheSameRows()
    {
        Shown shown(m_timeline);
        QVERIFY(shown.view.shownCommand().words.isEmpty());
        shown.run(Waits);
        QCOMPARE(shown.view.shownCommand().words, (QStringList{"sql", ' ' + Waits})); // A blank before the comment: it is no option.
    }

private:
    test::OwnHome m_home; // The history is in the settings.
    std::shared_ptr<const Timeline> m_timeline;
};

HELIO_TEST(SqlViewTest)
#include "tst_sql_view.moc"
