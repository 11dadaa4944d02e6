// Properties of File › Save report: the file shows the panels, docks and bookmarks of the window, and its last section makes it again.

#include "tests/app/exports/open_window.h"
#include "tests/support/test_program.h"
#include "widgets/docks/sql/sql_view.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTreeView>

using namespace helio;

namespace {

const QString Waits = QStringLiteral("-- waits\nSELECT ts, dur, thread.name, state FROM thread_state JOIN thread USING (utid)\n"
                                     "WHERE state = 'S' AND dur > 1000000 ORDER BY dur DESC LIMIT 20");

QStringList allMatches(const QString& text, const QString& pattern)
{
    QStringList found;
    auto it = QRegularExpression(pattern, QRegularExpression::DotMatchesEverythingOption).globalMatch(text);
    while (it.hasNext())
        found << it.next().captured(1);
    return found;
}

QString plain(QString html)
{
    for (const auto& [entity, text] :
         {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""), std::pair("&#39;", "'"), std::pair("&amp;", "&")})
        html.replace(entity, text);
    return html;
}

QStringList headings(const QString& html) { return allMatches(html, "<h2[^>]*>(.*?)</h2>"); }

/// Runs a command line of a report; its output goes to `file` if that is not empty. Returns standard output.
QByteArray run(const OpenWindow& window, QString command, const QString& options)
{
    command.replace(0, QString("heliograph").size(), HELIOGRAPH_PROGRAM);
    QProcess shell;
    shell.setWorkingDirectory(window.home.filePath(""));
    shell.start("sh", {"-c", command + options + " --quiet --store-dir " + window.home.filePath("stores")});
    if (!shell.waitForFinished(60000) || shell.exitCode() != 0)
        qWarning("%s", shell.readAllStandardError().constData());
    return shell.readAllStandardOutput();
}

/// Saves a report of the window and returns it; empty if nothing is saved within a minute.
QString saved(OpenWindow& window)
{
    const QString path = window.home.filePath(window.window.session().name() + ".html");
    QFile::remove(path);
    window.trigger("file.save-report");
    (void)QTest::qWaitFor([&] { return window.isSaid("Saved to " + path); }, 60000);
    return QString::fromUtf8(contents(path));
}

} // namespace

class ReportWindowTest : public QObject {
    Q_OBJECT

private slots:
    void theReportShowsWhatTheWindowShows()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TimeWindow& time = it.window.context().time();
        const TimeRange full = time.full();
        time.setVisible({full.begin + full.duration() / 4, full.begin + full.duration() / 2});
        it.window.context().bookmarks().add({full.begin + full.duration() / 3, full.begin + full.duration() / 3}, "<b>the slow one</b>");
        it.focus("statistics");
        QTRY_VERIFY(it.window.docks().view("statistics")->findChild<QTreeView*>()->model()->rowCount() > 3);

        const QString html = saved(it);

        const QStringList titles = headings(html);
        QStringList panels;
        for (const TimePanel* panel : it.area().panels()->panels())
            if (panel->isVisible() && !panel->isCollapsed() && !panel->isVacant())
                panels << panel->name();
        QVERIFY(panels.size() >= 2);
        QCOMPARE(titles.mid(0, 2 + panels.size()), QStringList({"Recording", "Bookmarks"}) + panels);
        QVERIFY(titles.contains("Statistics"));
        QCOMPARE(titles.last(), QString("Make this report again"));
        QVERIFY(html.contains("&lt;b&gt;the slow one&lt;/b&gt;"));
        QCOMPARE(html.count("<svg class=\"picture light\""), panels.size());
        const QString begin = QString::number(nanoseconds(time.visible().begin));
        QVERIFY(html.contains("--begin " + begin));
    }

    void itsTablesAreThoseOfTheCommands()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("statistics");
        QTRY_VERIFY(it.window.docks().view("statistics")->findChild<QTreeView*>()->model()->rowCount() > 3);
        const QString html = saved(it).section("<h2 id=", 0).section(">Statistics</h2>", 1);
        const QString command = plain(allMatches(html, "<p class=\"cmd\">(.*?)</p>").value(0));
        QVERIFY2(command.startsWith("heliograph stats "), qPrintable(command));
        const QList<QByteArray> lines = run(it, command, " --format csv").split('\n');
        const QStringList rows = allMatches(html.section("</table>", 0, 0).section("<tbody>", 1), "<tr>(.*?)</tr>");
        QVERIFY(rows.size() > 10 && rows.size() <= lines.size() - 1);
        const qsizetype total = lines.first().trimmed().split(',').indexOf("total_ns");
        const QStringList columns = allMatches(html.section("</thead>", 0, 0), "data-c=\"(.*?)\"");
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const QString cell = allMatches(rows[i], "(<td[^>]*>)").value(columns.indexOf("total_ns"));
            QCOMPARE(allMatches(cell, "data-v=\"(.*?)\"").value(0), QString(lines[i + 1].trimmed().split(',').value(total)));
        }
    }

    void itsCommandMakesTheSameSectionsAgain()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.window.context().bookmarks().add(it.window.context().time().full(), "all 'of' it");
        it.focus("statistics");
        QTRY_VERIFY(it.window.docks().view("statistics")->findChild<QTreeView*>()->model()->rowCount() > 3);
        const QString html = saved(it);
        const QString command = plain(allMatches(html, "<pre>(.*?)</pre>").last());
        QVERIFY2(command.startsWith("heliograph report "), qPrintable(command));
        run(it, command, "");
        const QString again = QString::fromUtf8(contents(it.home.filePath("report.html")));
        QCOMPARE(headings(again), headings(html));
        QVERIFY(again.contains("all &#39;of&#39; it"));
        const auto tables = [](const QString& text) { return allMatches(text, "<tbody>(.*?)</tbody>"); };
        QCOMPARE(tables(again), tables(html));
        QCOMPARE(allMatches(again, "<h1>(.*?)</h1>"), allMatches(html, "<h1>(.*?)</h1>"));
    }

    void resultsOfQueriesAreDrawnAndListed()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("sql");
        auto& sql = *dynamic_cast<SqlView*>(it.window.docks().view("sql"));
        sql.setQuery(Waits);
        sql.run();
        QTRY_COMPARE(sql.model().rowCount(), 20);
        sql.setShownAsRows(true);
        sql.setShownAsChart(true);
        const ResultPanels& panels = ResultPanels::of(it.window.context());
        QTRY_VERIFY(panels.find("sql")->data && panels.find("sql-2")->data);

        const QString html = saved(it);

        QCOMPARE(headings(html).count("SQL: waits"), 1);
        QVERIFY(!headings(html).contains("SQL")); // The dock shows the same rows as the panel.
        const QString section = html.section(">SQL: waits</h2>", 1).section("</section>", 0, 0);
        QCOMPARE(section.count("<svg class=\"picture light\""), 2);
        QCOMPARE(section.count("<table"), 1);
        QVERIFY(section.contains("worker-") && section.contains(">20 rows<"));
        const QString command = plain(allMatches(section, "<p class=\"cmd\">(.*?)</p>").value(0));
        const QByteArray csv = run(it, command, " --format csv");
        QCOMPARE(csv.count('\n'), 21);
        for (const QString& cell : allMatches(section, "<td class=\"t\" data-v=\"(.*?)\""))
            QVERIFY2(csv.contains(cell.toUtf8() + ','), qPrintable(cell));
        // The command of the report makes the same sections again.
        run(it, plain(allMatches(html, "<pre>(.*?)</pre>").last()), "");
        QCOMPARE(headings(QString::fromUtf8(contents(it.home.filePath("report.html")))), headings(html));
    }

    void queriesThatWereStoppedDoNotRunAgain()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("sql");
        auto& sql = *dynamic_cast<SqlView*>(it.window.docks().view("sql"));
        sql.setQuery("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0");
        sql.run();
        QTest::qWait(100);
        sql.cancel();
        QVERIFY(it.copied().isEmpty());
        QVERIFY(!headings(saved(it)).contains("SQL"));
    }

    void aReportThatIsStoppedWritesNothing()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.trigger("file.save-report");
        it.window.findChild<StatusBar*>()->cancelWork();
        QTRY_VERIFY_WITH_TIMEOUT(it.isSaid("Report stopped. Nothing was written."), 30'000);
        QVERIFY(!QFile::exists(it.home.filePath(it.window.session().name() + ".html")));
    }

    void aFileThatCannotBeWrittenIsReported()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.window.context().setAskPath([](const QString&, const QString&, const QString&) { return QString("/no/such/folder/r.html"); });
        it.trigger("file.save-report");
        QTRY_VERIFY_WITH_TIMEOUT(it.isSaid("Cannot save the report: /no/such/folder/r.html"), 30000);
    }
};

HELIO_TEST(ReportWindowTest)
#include "tst_report_window.moc"
