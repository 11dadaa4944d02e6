// Properties of `heliograph report`: every table of the file equals what the command below it prints; the file loads nothing from
// elsewhere, and names in the recording cannot change it.

#include "app/cli/output/command_capture.h"
#include "app/cli/output/output.h"
#include "app/cli/selection/open_experiment.h"
#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

const QString Fixtures = QStringLiteral(SOURCE_DIR "/tests/fixtures/");

/// Cell of a table in a report: its text, and the value for sorting; the value is empty for text.
struct HtmlCell {
    QString text;
    QString value;
};

/// Table of a report, with the command line below it.
struct HtmlTable {
    QString caption;
    QStringList columns; ///< Names of the columns as the command prints them.
    QList<QList<HtmlCell>> rows;
    QString command;
};

QString plain(QString html)
{
    html.remove(QRegularExpression("<svg.*?</svg>", QRegularExpression::DotMatchesEverythingOption));
    html.remove(QRegularExpression("<[^>]*>"));
    for (const auto& [entity, text] :
         {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""), std::pair("&#39;", "'"), std::pair("&amp;", "&")})
        html.replace(entity, text);
    return html.trimmed();
}

QStringList allMatches(const QString& text, const QString& pattern)
{
    QStringList found;
    auto it = QRegularExpression(pattern, QRegularExpression::DotMatchesEverythingOption).globalMatch(text);
    while (it.hasNext())
        found << it.next().captured(1);
    return found;
}

/// Returns the tables of a report that have a command below them.
QList<HtmlTable> tablesOf(const QString& html)
{
    QList<HtmlTable> tables;
    auto it = QRegularExpression("<table[^>]*>(.*?)</table>|<p class=\"cmd\">(.*?)</p>", QRegularExpression::DotMatchesEverythingOption)
                  .globalMatch(html);
    while (it.hasNext()) {
        const auto match = it.next();
        if (!match.captured(2).isEmpty()) {
            if (!tables.isEmpty() && tables.last().command.isEmpty())
                tables.last().command = plain(match.captured(2));
            continue;
        }
        HtmlTable table;
        table.caption = plain(allMatches(match.captured(1), "<caption>(.*?)</caption>").value(0));
        table.columns = allMatches(match.captured(1), "data-c=\"(.*?)\"");
        for (const QString& row : allMatches(match.captured(1).section("<tbody>", 1), "<tr>(.*?)</tr>")) {
            QList<HtmlCell> cells;
            for (const QString& cell : allMatches(row, "(<td.*?</td>)"))
                cells << HtmlCell{plain(cell), allMatches(cell.section('>', 0, 0), "data-v=\"(.*?)\"").value(0)};
            table.rows << cells;
        }
        tables << table;
    }
    tables.removeIf([](const HtmlTable& table) { return table.command.isEmpty(); });
    return tables;
}

/// Runs the command line that a report prints.
ProgramResult runPrinted(QString command, const QString& options, const QString& stores)
{
    command.replace(0, QString("heliograph").size(), HELIOGRAPH_PROGRAM);
    return runTool("sh", {"-c", command + options + " --quiet --store-dir " + stores}, plainEnvironment());
}

QString contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// A trace in Chrome's JSON format with hostile names of a process, a thread and slices.
QByteArray hostileTrace()
{
    const auto event = [](const QJsonObject& it) { return QJsonValue(it); };
    const auto name = [&](const char* what, const QString& text) {
        return event({{"ph", "M"}, {"pid", 1}, {"tid", 1}, {"name", what}, {"args", QJsonObject{{"name", text}}}});
    };
    const auto slice = [&](int at, int length, const QString& text) {
        return event({{"ph", "X"}, {"pid", 1}, {"tid", 1}, {"ts", at}, {"dur", length}, {"cat", "a"}, {"name", text}});
    };
    return QJsonDocument(QJsonArray{name("process_name", "</title><script>alert(1)</script>"),
                                    name("thread_name", "<script>alert(2)</script>"), slice(1, 50, "\"><img src=x onerror=alert(3)>"),
                                    slice(60, 20, "</table></script><script>alert(4)</script>"),
                                    slice(90, 5, QString("' onmouseover='alert(5)") + QChar(1) + QChar(0x202e) + "&amp;")})
        .toJson();
}

} // namespace

class ReportOutputTest : public QObject {
    Q_OBJECT

private slots:
    void everyTableEqualsItsCommand_data()
    {
        QTest::addColumn<QStringList>("arguments");
        test::addRow("kernel", QStringList{sampleTrace()});
        test::addRow("a part of it", QStringList{sampleTrace(), "--begin", "+0.5s", "--end", "+1s", "--process", "mixwork"});
        test::addRow("samples", QStringList{Fixtures + "perf/fp.data"});
        test::addRow("recorded calls", QStringList{Fixtures + "ust-callstack"});
        test::addRow("lost events", QStringList{Fixtures + "lossy-small"});
        test::addRow("host and guest", QStringList{Fixtures + "host-guest-small/host", Fixtures + "host-guest-small/guestA"});
        test::addRow("hosts", QStringList{Fixtures + "two-hosts-small"});
    }
    void everyTableEqualsItsCommand()
    {
        QFETCH(QStringList, arguments);
        const QString html = report(arguments);
        const QList<HtmlTable> tables = tablesOf(html);
        QVERIFY(!tables.isEmpty());
        for (const HtmlTable& table : tables) {
            if (table.command.startsWith("heliograph sql"))
                continue; // SQL prints times as numbers; see lossesEqualThoseOfSql().
            const ProgramResult csv = runPrinted(table.command, " --format csv", stores());
            const ProgramResult text = runPrinted(table.command, "", stores());
            QVERIFY2(csv.status == 0 && text.status == 0, qPrintable(table.command + '\n' + csv.err));
            compare(table, csv, text);
        }
    }

    void lossesEqualThoseOfSql()
    {
        const QString html = report({Fixtures + "lossy-small"});
        const QList<HtmlTable> tables = tablesOf(html);
        const auto losses = std::ranges::find_if(tables, [](const HtmlTable& it) { return it.command.startsWith("heliograph sql"); });
        QVERIFY(losses != tables.end());
        const QList<CsvRow> expected = csvRows(runPrinted(losses->command, " --format csv", stores()));
        QVERIFY(expected.size() > 1);
        QCOMPARE(losses->rows.size(), std::min<qsizetype>(50, expected.size()));
        QVERIFY(losses->columns.contains("ts") && losses->columns.contains("dur"));
        for (qsizetype i = 0; i < losses->rows.size(); ++i)
            for (qsizetype column = 0; column < losses->columns.size(); ++column)
                QCOMPARE(losses->rows[i][column].value, QString(expected[i][losses->columns[column].toUtf8()]));
        QVERIFY(losses->rows[0][losses->columns.indexOf("ts")].text != losses->rows[0][losses->columns.indexOf("ts")].value);
    }
    void lossesAreThoseOfTheRange()
    {
        const QList<HtmlTable> all = tablesOf(report({Fixtures + "lossy-small"}));
        const auto isOfLosses = [](const HtmlTable& it) { return it.command.startsWith("heliograph sql"); };
        const auto losses = std::ranges::find_if(all, isOfLosses);
        QVERIFY(losses != all.end());
        const auto ts = losses->columns.indexOf("ts");
        const QString end = losses->rows[0][ts].value;
        const QList<HtmlTable> part = tablesOf(report({Fixtures + "lossy-small", "--end", end}));
        const auto first = std::ranges::find_if(part, isOfLosses);
        QVERIFY(first != part.end());
        QVERIFY(first->rows.size() < losses->rows.size());
        QCOMPARE(QString::number(csvRows(runPrinted(first->command, " --format csv", stores())).size()),
                 QString::number(first->rows.size()));
        QCOMPARE(first->rows[0][ts].value, end);
    }

    void theFileNamesWhatWasNotRecorded()
    {
        const QString html = plain(report({Fixtures + "perf/fp.data"}));
        for (const QByteArray& line : heliograph({"info", Fixtures + "perf/fp.data"}).lines())
            if (line.startsWith("not recorded") || line.startsWith("lost events") || line.startsWith("clock"))
                QVERIFY2(html.contains(QString(line.mid(14)).simplified())
                             || html.simplified().contains(QString(line.mid(14)).simplified()),
                         line.constData());
    }

    void nothingIsLoadedFromElsewhere()
    {
        for (const QString& trace : {sampleTrace(), Fixtures + "perf/fp.data", Fixtures + "ust-callstack"}) {
            const QString html = report({trace});
            for (const QString& source : allMatches(html, "(?:src|href)=\"(.*?)\""))
                QVERIFY2(source.startsWith("data:image/png;base64,") || source.startsWith('#'), qPrintable(source.left(80)));
            QVERIFY(!html.contains("<link") && !html.contains("@import") && !html.contains("url(") && !html.contains("<iframe"));
            QCOMPARE(html.count("<script"), 1);
            QVERIFY(html.contains("default-src 'none'"));
            // Every picture has a text alternative, every table titles of columns, the headings no gaps.
            QCOMPARE(html.count("role=\"img\" aria-label"), html.count("role=\"img\""));
            QCOMPARE(html.count("<table"), html.count("<thead>"));
            QCOMPARE(html.count("<h1>"), 1);
        }
    }

    void hostileNamesStayText()
    {
        const QString trace = m_folder.filePath("hostile.json");
        QFile file(trace);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(hostileTrace()) > 0);
        file.close();
        const QString title = "</title><script>alert(6)</script>";
        const QString html = report({trace, "--title", title, "--bookmark", "+1us <script>alert(7)</script>"});
        QVERIFY(plain(html).contains("alert(4)"));
        QVERIFY(plain(html).contains("alert(7)"));
        QCOMPARE(html.count("<script"), 1);
        QVERIFY(!html.contains("<img"));
        QVERIFY(!html.contains(QRegularExpression("<[^>]*\\son(error|mouseover|load)\\s*=")));
        for (const QChar c : html)
            QVERIFY(c >= u' ' || c == u'\n');
    }

    void theSameCommandMakesTheSameBytes()
    {
        const QString first = report({sampleTrace()});
        QCOMPARE(report({sampleTrace()}), first);
        QVERIFY(plain(first).contains("heliograph report " + sampleTrace()));
    }

    void tablesAreBoundedAndSaySo()
    {
        QJsonArray events;
        for (int i = 0; i < 500; ++i)
            events << QJsonObject{{"ph", "X"},    {"pid", 1},         {"tid", 1},
                                  {"ts", 10 * i}, {"dur", 1 + i % 9}, {"name", QString("call %1").arg(i)}};
        const QString trace = m_folder.filePath("many.json");
        QFile file(trace);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(events).toJson()) > 0);
        file.close();
        const QString html = report({trace});
        bool isCut = false;
        for (const HtmlTable& table : tablesOf(html)) {
            QVERIFY(table.rows.size() <= 100);
            isCut = isCut || table.caption.contains(" of 500 ");
        }
        QVERIFY(isCut);
        QVERIFY(html.size() < 4'000'000);
    }

    void sectionsAndBookmarksAreThoseOfTheUser()
    {
        const QString html = report({sampleTrace(), "--section", "stats --view resources --row 'cpu:0'", "--section",
                                     "render --view control-flow", "--bookmark", "+0.1s the start", "--bookmark", "+0.2s..+0.3s a part"});
        QCOMPARE(allMatches(html, "<h2[^>]*>(.*?)</h2>"),
                 QStringList({"Recording", "Bookmarks", "stats --view resources --row &#39;cpu:0&#39;", "render --view control-flow",
                              "Make this report again"}));
        const QList<HtmlTable> tables = tablesOf(html);
        QCOMPARE(tables.size(), 1); // The table of bookmarks has no command.
        QVERIFY(html.contains("the start") && html.contains("100.000000 ms"));
        QCOMPARE(html.count("<svg class=\"picture"), 2); // Light and dark.
    }

    void aThemeIsEnough()
    {
        const QString html = report({sampleTrace(), "--theme", "dark", "--section", "render --view resources"});
        QCOMPARE(html.count("<svg class=\"picture dark\""), 1);
        QVERIFY(!html.contains("prefers-color-scheme:dark"));
        QVERIFY(!report({sampleTrace(), "--theme", "light", "--section", "render --view resources"}).contains("picture dark"));
    }

    void paperIsLight_data()
    {
        QTest::addColumn<QString>("theme");
        for (const char* theme : {"auto", "light", "dark"})
            test::addRow(theme, QString(theme));
    }
    /// Property: all colours of the dark theme are in rules for the screen, and there are pictures for paper.
    void paperIsLight()
    {
        QFETCH(QString, theme);
        const QString html = report({sampleTrace(), "--theme", theme, "--section", "render --view resources"});
        const QString style = allMatches(html, "<style>(.*?)</style>").value(0);
        const auto paper = QString(style).remove(QRegularExpression("@media screen[^{]*\\{([^{}]*\\{[^{}]*\\})*[^{}]*\\}"));
        QVERIFY(paper.contains("color-scheme:light;") && !paper.contains("color-scheme:dark;"));
        QVERIFY(!paper.contains("svg.picture.light{display:none}"));
        QCOMPARE(html.count("<svg class=\"picture light\""), 1);
    }

    void theRangeOfASectionIsItsOwn_data()
    {
        QTest::addColumn<QString>("begin");
        for (const char* begin : {"--begin +0.2s", "--begin=+0.2s"})
            test::addRow(begin, QString(begin));
    }
    void theRangeOfASectionIsItsOwn()
    {
        QFETCH(QString, begin);
        const QString section = QStringLiteral("stats --view resources ") + begin;
        const QString html = report({sampleTrace(), "--begin", "+0.1s", "--section", section});
        const QList<HtmlTable> tables = tablesOf(html);
        QCOMPARE(tables.size(), 1);
        QVERIFY(tables[0].command.contains(begin) && !tables[0].command.contains("+0.1s"));
    }

    void theReasonOfAFailureIsKeptAfterManyMessages()
    {
        CommandCapture capture;
        for (int i = 0; i < 200; ++i)
            warn("message " + std::to_string(i));
        failWith({Error::Kind::Corrupt, "the trace is damaged"});
        warn("another message");
        QCOMPARE(capture.failure(), std::string("the trace is damaged"));
        QCOMPARE(capture.messages().back(), std::string("the trace is damaged"));
    }

    void errorsLeaveTheOldFile_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("message");
        test::addRow("no such view", QStringList{sampleTrace(), "--section", "stats --view nothing"}, 2, QString("nothing"));
        test::addRow("an option that the command lacks", QStringList{sampleTrace(), "--section", "stats --nothing"}, 2,
                     QString("--nothing"));
        test::addRow("a command without a table", QStringList{sampleTrace(), "--section", "index"}, 2, QString("--section"));
        test::addRow("an open quote", QStringList{sampleTrace(), "--section", "stats '"}, 2, QString("quote"));
        test::addRow("an empty range", QStringList{sampleTrace(), "--begin", "+100s"}, 2, QString("nothing was recorded"));
        test::addRow("a bookmark without a time", QStringList{sampleTrace(), "--bookmark", "here"}, 2, QString("--bookmark"));
        test::addRow("a theme", QStringList{sampleTrace(), "--theme", "blue"}, 2, QString("--theme"));
        test::addRow("no trace", QStringList{"/nowhere"}, 1, QString("/nowhere"));
    }
    void errorsLeaveTheOldFile()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, message);
        const QString path = m_folder.filePath("old.html");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("old") == 3);
        file.close();
        const ProgramResult answer = heliograph(QStringList{"report"} + arguments + QStringList{"-o", path});
        QCOMPARE(answer.status, status);
        QVERIFY2(answer.err.contains(message.toUtf8()), answer.err.constData());
        QCOMPARE(contentsOf(path), QString("old"));
        QCOMPARE(QDir(m_folder.path()).entryList({"old.html*"}, QDir::Files).size(), 1);
    }

    void aRecordingIsNotReplaced()
    {
        const QString recording = m_folder.filePath("recorded.json");
        QFile file(recording);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(hostileTrace()) > 0);
        file.close();
        const QString before = contentsOf(recording);
        const ProgramResult answer = heliograph({"report", recording, "-o", recording});
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.contains("it is a part of the input"), answer.err.constData());
        QCOMPARE(contentsOf(recording), before);
    }

    void aFolderThatDoesNotExistIsReported()
    {
        const ProgramResult answer =
            heliograph({"report", sampleTrace(), "--section", "views", "-o", m_folder.filePath("no/such/file.html")});
        QCOMPARE(answer.status, 1);
        QVERIFY(answer.err.contains("no/such/file.html"));
    }

    /// Property: a browser shows the file without a message on its console, e.g. about something that it refused to load.
    void aBrowserShowsItWithoutMessages_data()
    {
        QTest::addColumn<QStringList>("arguments");
        test::addRow("kernel", QStringList{sampleTrace()});
        test::addRow("samples", QStringList{Fixtures + "perf/fp.data", "--theme", "dark"});
        QTest::newRow("hostile") << QStringList{"hostile"};
    }
    void aBrowserShowsItWithoutMessages()
    {
        QFETCH(QStringList, arguments);
        const QString browser = QStandardPaths::findExecutable("chromium");
        if (browser.isEmpty())
            QSKIP("chromium is not installed");
        if (arguments.first() == "hostile") {
            arguments = {m_folder.filePath("hostile-shown.json")};
            QFile file(arguments.first());
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(hostileTrace()) > 0);
        }
        const QString page = m_folder.filePath("shown.html"), picture = m_folder.filePath("shown.png");
        QCOMPARE(heliograph(QStringList{"report"} + arguments + QStringList{"-o", page}).status, 0);
        QTemporaryDir home;
        auto environment = plainEnvironment();
        environment.insert("HOME", home.path());
        environment.insert("XDG_CONFIG_HOME", home.path());
        environment.insert("XDG_CACHE_HOME", home.path());
        QFile::remove(picture);
        const ProgramResult shown = runTool(browser,
                                            {"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
                                             "--disable-background-networking", "--user-data-dir=" + home.filePath("profile"),
                                             "--window-size=1300,2000", "--screenshot=" + picture, "file://" + page},
                                            environment);
        QCOMPARE(shown.status, 0);
        for (const QByteArray& line : shown.err.split('\n'))
            QVERIFY2(!line.contains("CONSOLE"), line.constData());
        const QImage image(picture);
        QCOMPARE(image.size(), QSize(1300, 2000));
        // Each picture is shown in the theme of the page only.
        const bool isDark = arguments.contains("dark");
        QSet<QRgb> colors;
        int pixels = 0, otherTheme = 0;
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3) {
                colors << image.pixel(x, y);
                ++pixels;
                otherTheme += isDark ? qGray(image.pixel(x, y)) > 200 : qGray(image.pixel(x, y)) < 50;
            }
        QVERIFY(colors.size() > 50);
        QVERIFY2(otherTheme < pixels / 25, qPrintable(QStringLiteral("%1 of %2").arg(otherTheme).arg(pixels)));
    }

    void realTracesHaveReports_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        test::addRow("disks", QString("disks"), QString());
        test::addRow("samples of four processes", QString("solo-vs-parallel-perf"), QString("data/parallel4.data"));
    }
    void realTracesHaveReports()
    {
        QFETCH(QString, collection);
        QFETCH(QString, below);
        HELIO_REQUIRE_TRACE(trace, collection, below);
        const QString html = report({trace});
        QVERIFY(html.contains("<svg class=\"picture light\""));
        QVERIFY(html.size() < 40'000'000);
        for (const HtmlTable& table : tablesOf(html))
            if (!table.command.startsWith("heliograph sql") && !table.command.contains("--list"))
                compare(table, runPrinted(table.command, " --format csv", stores()), runPrinted(table.command, "", stores()));
    }

private:
    QString stores() const { return m_folder.filePath("stores"); }

    /// Makes a report and returns its HTML.
    QString report(const QStringList& arguments)
    {
        const QString path = m_folder.filePath("report.html");
        QFile::remove(path);
        const ProgramResult answer = heliograph(QStringList{"report"} + arguments + QStringList{"-o", path, "--store-dir", stores()});
        if (answer.status != 0)
            qWarning("%s", answer.err.constData());
        return contentsOf(path);
    }

    /// Checks a table against the output of its command: each number against CSV, each text against the text output.
    static void compare(const HtmlTable& table, const ProgramResult& csv, const ProgramResult& text)
    {
        QList<CsvRow> expected = csvRows(csv);
        QVERIFY2(!expected.isEmpty(), qPrintable(table.command));
        const QRegularExpressionMatch sorted = QRegularExpression("largest “(.*?)” first").match(table.caption);
        if (sorted.hasMatch()) {
            QByteArray column = sorted.captured(1).toLower().replace(' ', '_').toUtf8();
            if (!expected.first().contains(column))
                column += "_ns";
            QVERIFY2(expected.first().contains(column), column.constData());
            std::ranges::stable_sort(expected,
                                     [&](const CsvRow& a, const CsvRow& b) { return a[column].toDouble() > b[column].toDouble(); });
        }
        QVERIFY2(table.caption.contains(QString::number(expected.size())), qPrintable(table.caption + " " + table.command));
        QVERIFY(table.rows.size() <= expected.size());
        const QString printed = QString::fromUtf8(text.out);
        int compared = 0;
        for (qsizetype row = 0; row < table.rows.size(); ++row)
            for (qsizetype column = 0; column < table.columns.size(); ++column) {
                const HtmlCell& cell = table.rows[row][column];
                QVERIFY2(printed.contains(cell.text), qPrintable(cell.text + " is not in the output of " + table.command));
                if (cell.value.isEmpty() || !expected[row].contains(table.columns[column].toUtf8()))
                    continue;
                QCOMPARE(cell.value, QString(expected[row][table.columns[column].toUtf8()]));
                ++compared;
            }
        QVERIFY2(compared > 0, qPrintable(table.command));
    }

    QTemporaryDir m_folder;
};

HELIO_TEST(ReportOutputTest)
#include "tst_report_output.moc"
