// Property of Copy link: a shell that runs the copied command opens the same traces at the same times and row.

#include "app/cli/command_line.h"
#include "app/gui/common/position_link.h"
#include "core/query/rows/row_lookup.h"
#include "tests/app/exports/open_window.h"
#include "tests/support/test_program.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QDir>
#include <QProcess>

using namespace helio;

namespace {

/// Returns the words into which a shell splits a command.
std::vector<std::string> shellWords(const QString& command)
{
    QProcess shell;
    shell.start("sh", {"-c", "printf '%s\\0' " + command});
    if (!shell.waitForFinished())
        return {};
    std::vector<std::string> words;
    for (const QByteArray& word : shell.readAllStandardOutput().split('\0'))
        words.push_back(word.toStdString());
    words.pop_back(); // Remove the empty word after the zero byte that ends the output.
    return words;
}

WindowArguments parsed(std::vector<std::string> words)
{
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    return windowArguments(int(argv.size()), argv.data());
}

/// A window opened with the arguments of a command line.
struct LinkedWindow {
    explicit LinkedWindow(const WindowArguments& arguments)
    {
        QStringList paths;
        for (const auto& trace : arguments.traces)
            paths << QString::fromStdString(trace.string());
        window.resize(1440, 900);
        window.show();
        window.setExperimentOptions(arguments.experiment);
        window.open(paths, arguments.position);
        isReady = QTest::qWaitFor([this] { return window.session().state() == Session::State::Ready; }, 20'000);
    }
    TimeWindow& time() { return window.context().time(); }
    std::string rowId()
    {
        const auto row = time().row().isValid() ? rowOf(*window.context().timeline(), time().row()) : std::nullopt;
        return row ? row->id : std::string();
    }
    std::string view() { return std::string(viewOf(*window.context().timeline(), time().row())); }
    QString notice()
    {
        QStringList texts;
        for (const NoticeBar* bar : window.findChildren<NoticeBar*>())
            if (bar->isVisible())
                texts << bar->text();
        return texts.join('\n');
    }

    test::OwnHome home;
    MainWindow window;
    bool isReady = false;
};

/// Opens the sample trace in a window. `options` are command-line options that select a position, for example a time range or a row.
std::unique_ptr<LinkedWindow> openSample(const std::vector<std::string>& options)
{
    std::vector<std::string> words{"heliograph", Sample.toStdString()};
    words.insert(words.end(), options.begin(), options.end());
    return std::make_unique<LinkedWindow>(parsed(words));
}

} // namespace

class LinkTest : public QObject {
    Q_OBJECT

private slots:
    void aCopiedLinkOpensTheSamePosition_data()
    {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("view");
        test::addRow("thread", Sample, "control-flow");
        test::addRow("cpu", Sample, "resources");
        test::addRow("two hosts", QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small"), "control-flow");
        test::addRow("calls", QStringLiteral(SOURCE_DIR "/tests/fixtures/ust-callstack"), "call-stack");
        test::addRow("clock without a date", QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data"), "control-flow");
    }
    void aCopiedLinkOpensTheSamePosition()
    {
        QFETCH(QString, trace);
        QFETCH(QString, view);
        std::vector<std::string> words;
        TimeRange visible;
        Timestamp cursor;
        std::string row;
        std::uint32_t host = 0;
        {
            OpenWindow it({trace});
            QVERIFY(it.isReady);
            TimeWindow& time = it.window.context().time();
            const auto timeline = it.window.context().timeline();
            std::optional<Row> last;
            for (const Row& each : rows(*timeline, view.toStdString()))
                if (each.ref.isValid())
                    last = each;
            QVERIFY(last);
            const Duration length = time.full().duration();
            time.setVisible({time.full().begin + length / 4, time.full().begin + length / 2});
            time.setCursor(time.full().begin + length / 3);
            time.setRow(last->ref);
            it.trigger("go.copy-link");
            QVERIFY(it.isSaid("Copied: heliograph "));
            words = shellWords(clipboard());
            visible = time.visible();
            cursor = time.cursor();
            row = last->id;
            host = last->host;
        }
        QCOMPARE(words.at(0), std::string("heliograph"));
        QCOMPARE(words.at(1), QDir(trace).absolutePath().toStdString());
        LinkedWindow it(parsed(words));
        QVERIFY(it.isReady);
        QTRY_COMPARE(it.rowId(), row);
        QCOMPARE(it.view(), view.toStdString());
        QCOMPARE(rowOf(*it.window.context().timeline(), it.time().row())->host, host);
        QCOMPARE(it.time().cursor(), cursor);
        QCOMPARE(it.time().visible(), visible);
        QVERIFY2(!it.notice().contains("--"), qPrintable(it.notice()));
        QVERIFY(!it.window.context().changes().canUndo());
    }

    void pathsWithSpecialCharactersAreQuoted()
    {
        test::OwnHome home;
        const QString strange = home.filePath("it's a $trace *");
        QVERIFY(QFile::link(Sample, strange));
        OpenWindow it({strange});
        QVERIFY(it.isReady);
        it.trigger("go.copy-link");
        const std::vector<std::string> words = shellWords(clipboard());
        QCOMPARE(words.at(1), strange.toStdString());
        QCOMPARE(parsed(words).traces, std::vector<std::filesystem::path>{strange.toStdString()});
    }

    void timesHaveTheFormsOfTheCommands_data()
    {
        QTest::addColumn<QString>("text");
        test::addRow("from the start", "+1.5ms");
        test::addRow("with a unit and groups of digits", "+1 500 us");
        test::addRow("with thin spaces", "+0.001\u2009500\u2009000 s");
        test::addRow("nanoseconds since the epoch", "");
    }
    void timesHaveTheFormsOfTheCommands()
    {
        QFETCH(QString, text);
        const Timestamp begin = openSample({})->time().full().begin;
        if (text.isEmpty())
            text = QString::number(nanoseconds(begin) + 1'500'000);
        const auto it = openSample({"--at", text.toStdString()});
        QVERIFY(it->isReady);
        QTRY_COMPARE(it->time().cursor(), begin + Duration(1'500'000));
        QCOMPARE(it->time().visible(), it->time().full());
    }

    /// Property: if the user zooms before reading ends, a link (--at, --row) changes neither the visible range nor the cursor nor the
    /// selected row. It could be applied only when reading ends.
    void movesOfTheUserAreKept_data()
    {
        QTest::addColumn<QString>("time");
        test::addRow("relative", "+1.5ms");
        test::addRow("absolute", "");
    }
    void movesOfTheUserAreKept()
    {
        QFETCH(QString, time);
        if (time.isEmpty())
            time = QString::number(nanoseconds(openSample({})->time().full().begin) + 1'500'000);
        test::OwnHome home;
        MainWindow window;
        TimeWindow& shown = window.context().time();
        TimeRange chosen;
        connect(&window.session(), &Session::firstShown, &window, [&] {
            shown.zoom(0.1, shown.full().begin + shown.full().duration() / 2);
            chosen = shown.visible();
        });
        window.show();
        window.open({Sample}, parsed({"heliograph", Sample.toStdString(), "--at", time.toStdString(), "--row", "worker-?"}).position);
        QTRY_COMPARE_WITH_TIMEOUT(window.session().state(), Session::State::Ready, 20'000);
        QTRY_VERIFY(!window.findChild<PositionLink*>());
        QVERIFY(!chosen.isEmpty());
        QCOMPARE(shown.visible(), chosen);
        QCOMPARE(shown.cursor(), shown.full().begin);
        QVERIFY(!shown.row().isValid());
    }

    void rowsAreFoundByLabelAndPattern()
    {
        const auto it = openSample({"--row", "worker-?", "--begin", "+1ms", "--end", "+2ms"});
        QVERIFY(it->isReady);
        QTRY_VERIFY(!it->rowId().empty());
        const auto row = rowOf(*it->window.context().timeline(), it->time().row());
        QVERIFY(row->label.starts_with("worker-"));
        QCOMPARE(it->time().visible().duration(), Duration(1'000'000));
        QCOMPARE(it->time().cursor(), it->time().visible().begin);
    }

    /// Property: a thread of the call stacks is found by its id and by its label; its first row of calls is selected and shown.
    void threadsOfCallStacksAreFound_data()
    {
        QTest::addColumn<QString>("row");
        test::addRow("id", "calls:2");
        test::addRow("label", "CrBrowserMain");
    }
    void threadsOfCallStacksAreFound()
    {
        QFETCH(QString, row);
        test::OwnHome home;
        QFile slices(home.filePath("slices.json"));
        QVERIFY(slices.open(QIODevice::WriteOnly));
        slices.write(
            R"([{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"CrBrowserMain"}},)"
            R"({"ph":"i","pid":1,"tid":2,"ts":1,"name":"mark","s":"t"},)"
            R"({"ph":"X","pid":1,"tid":2,"ts":2,"dur":9,"name":"outer"},{"ph":"X","pid":1,"tid":2,"ts":3,"dur":1,"name":"inner"}])");
        slices.close();
        LinkedWindow it(parsed({"heliograph", slices.fileName().toStdString(), "--view", "call-stack", "--row", row.toStdString()}));
        QVERIFY(it.isReady);
        QTRY_COMPARE(it.rowId(), std::string("calls:2/1"));
        TimeGraph* graph = it.window.findChild<TimeArea*>()->rowsPanel("call-stack")->graph();
        QTRY_VERIFY(graph->selectedRow() >= 0);
    }

    void aViewAloneIsShown()
    {
        const auto areaOf = [](const LinkedWindow& window) { return window.window.findChild<TimeArea*>(); };
        std::string view; // Id of a view whose panel is collapsed when the window opens.
        const auto plain = openSample({});
        for (const TimePanel* panel : areaOf(*plain)->panels()->panels())
            if (panel->isVisible() && panel->isCollapsed())
                view = panel->id();
        QVERIFY(!view.empty());
        const auto it = openSample({"--view", view});
        QVERIFY(it->isReady);
        QTRY_VERIFY(!areaOf(*it)->panel(view)->isCollapsed());
        QVERIFY(it->rowId().empty());
    }

    void whatDoesNotExistIsSaid_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("problem");
        QTest::newRow("row") << QStringList{"--row", "tid:99999999"}
                             << "--row: no row has the ID or label \"tid:99999999\"; heliograph tracks lists the rows";
        QTest::newRow("row of a view") << QStringList{"--row", "nobody", "--view", "resources"}
                                       << "--row: no row of resources has the ID or label \"nobody\"; heliograph tracks lists the rows";
        QTest::newRow("view") << QStringList{"--view", "nonsense"} << "there is no view \"nonsense\" here";
        QTest::newRow("host") << QStringList{"--host", "nowhere", "--row", "x"} << "--host: no host is named \"nowhere\"; there are: ";
        QTest::newRow("time") << QStringList{"--at", "+3h"} << "--at: \"+3h\" is outside of the trace, which has times from ";
        QTest::newRow("end") << QStringList{"--end", "5"} << "--end: \"5\" is outside of the trace";
        QTest::newRow("range") << QStringList{"--begin", "+2ms", "--end", "+1ms"} << "--end is not after --begin";
        QTest::newRow("end alone") << QStringList{"--end", "+0s"} << "--end: \"+0s\" is not after the start of the trace";
        QTest::newRow("begin alone") << QStringList{"--begin", "END"} << "--begin: \"END\" is not before the end of the trace";
    }
    void whatDoesNotExistIsSaid()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, problem);
        std::vector<std::string> words;
        if (options.contains("END")) { // Stands for the end of the trace.
            const QString end = QString::number(nanoseconds(openSample({})->time().full().end));
            options.replaceInStrings("END", end);
            problem.replace("END", end);
        }
        for (const QString& word : options)
            words.push_back(word.toStdString());
        const auto it = openSample(words);
        QVERIFY(it->isReady);
        QTRY_VERIFY2(it->notice().contains(problem), qPrintable(it->notice()));
        QVERIFY(it->rowId().empty());
        QCOMPARE(it->time().visible(), it->time().full());
        it->window.open({Sample}); // Opening other traces hides the notice.
        QCOMPARE(it->notice(), QString());
    }

    /// Property: a time is said to be wrong for traces that have no times or no events, too, and a row is searched there all the same.
    void timesOfTracesWithoutTimesAreSaid()
    {
        test::OwnHome home;
        QFile folded(home.filePath("stacks.folded"));
        QVERIFY(folded.open(QIODevice::WriteOnly));
        folded.write("app;main;work 7\napp;main;rest 3\n");
        folded.close();
        LinkedWindow it(parsed({"heliograph", folded.fileName().toStdString(), "--at", "+1s", "--row", "nobody"}));
        QVERIFY(it.isReady);
        QTRY_VERIFY2(it.notice().contains("--at: the trace has no times"), qPrintable(it.notice()));
        QTRY_VERIFY2(it.notice().contains("--row: no row has the ID or label \"nobody\""), qPrintable(it.notice()));
    }

    /// Property: a position that could not be shown yet is forgotten when the traces are closed, and when the last session is opened again.
    void aPendingPositionIsDroppedWithItsTraces_data()
    {
        QTest::addColumn<QString>("action");
        test::addRow("close", "file.close");
        test::addRow("reopen the last session", "file.reopen-last");
    }
    void aPendingPositionIsDroppedWithItsTraces()
    {
        QFETCH(QString, action);
        const auto it = openSample({}); // Saves a last session when other traces are opened.
        QVERIFY(it->isReady);
        const WindowArguments link = parsed({"heliograph", Sample.toStdString(), "--at", "+1.5ms"});
        it->window.open({Sample}, link.position); // Not shown yet: the traces are opened by another thread.
        it->window.actions().at(action).trigger();
        if (action == "file.close")
            it->window.session().open({Sample});
        QTRY_COMPARE(it->window.session().state(), Session::State::Ready);
        QVERIFY(it->time().cursor() != it->time().full().begin + Duration(1'500'000));
    }
};

HELIO_TEST(LinkTest)
#include "tst_link.moc"
