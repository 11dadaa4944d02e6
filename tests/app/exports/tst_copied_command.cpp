// Property of "Copy as command": the copied command prints what the dock or panel shows.

#include "core/query/rows/facts.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/views.h"
#include "tests/app/exports/open_window.h"
#include "tests/support/open_comparison.h"
#include "tests/support/test_program.h"
#include "widgets/docks/details/details_view.h"
#include "widgets/docks/details/wait_card.h"
#include "widgets/docks/durations/durations_view.h"
#include "widgets/docks/flame_graph/flame_graph_view.h"
#include "widgets/docks/functions/functions_view.h"
#include "widgets/docks/inspector/inspector_view.h"
#include "widgets/docks/requests/request_model.h"
#include "widgets/docks/requests/requests_view.h"
#include "widgets/docks/statistics/statistics_model.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/timeline/overview/overview_strip.h"
#include "widgets/workspace/analysis_list.h"
#include "widgets/workspace/path_choice.h"

#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QSettings>
#include <QTreeView>

using namespace helio;

namespace {

const QString Fixtures = QStringLiteral(SOURCE_DIR "/tests/fixtures/");

struct Printed {
    int status = -1;
    QStringList lines; ///< Lines of the command's output, without the header line.
    QByteArray problems;
};

/// Runs the copied command in another folder and returns its output as CSV.
Printed run(const OpenWindow& window, QString command, const QString& options = " --format csv")
{
    command.replace(0, QString("heliograph").size(), HELIOGRAPH_PROGRAM);
    QProcess shell;
    shell.setWorkingDirectory("/");
    shell.start("sh", {"-c", command + options + " --quiet --store-dir " + window.home.filePath("stores")});
    if (!shell.waitForFinished(60000))
        return {};
    QStringList lines = QString::fromUtf8(shell.readAllStandardOutput()).remove('\r').split('\n', Qt::SkipEmptyParts);
    return {shell.exitStatus() == QProcess::NormalExit ? shell.exitCode() : -1, lines.mid(1), shell.readAllStandardError()};
}

/// The Statistics dock of a window. The constructor selects the second quarter of the recording.
struct ShownStatistics {
    explicit ShownStatistics(OpenWindow& window)
        : time(window.window.context().time())
    {
        window.focus("statistics");
        time.setSelection({time.full().begin + time.full().duration() / 4, time.full().begin + time.full().duration() / 2});
        QWidget* const dock = window.window.docks().view("statistics");
        choice = dock->findChild<QComboBox*>();
        model = dynamic_cast<const StatisticsModel*>(dock->findChild<QTreeView*>()->model());
    }
    /// True once the dock has rows and its combo box offers the entry `rows`, e.g. "Processes".
    bool offers(const QString& rows) const { return model->rowCount() > 0 && choice->findText(rows) >= 0; }
    void choose(const QString& rows) const
    {
        choice->setCurrentText(rows);
        emit choice->activated(choice->currentIndex());
    }
    bool isOfSelection() const { return model->range() == time.selection(); }

    TimeWindow& time;
    QComboBox* choice;
    const StatisticsModel* model;
};

} // namespace

class CopiedCommandTest : public QObject {
    Q_OBJECT

private slots:
    void theCommandOfADockPrintsItsRange()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TimeWindow& time = it.window.context().time();
        const TimeRange full = time.full();
        it.focus("statistics");
        QCOMPARE(it.copied(), QString("heliograph stats %1 --view control-flow").arg(Sample));
        const TimeRange part{full.begin + full.duration() / 4, full.begin + full.duration() / 2};
        time.setSelection(part);
        const QString range = QString(" --begin %1 --end %2").arg(nanoseconds(part.begin)).arg(nanoseconds(part.end));
        QCOMPARE(it.copied(), QString("heliograph stats %1 --view control-flow").arg(Sample) + range);
        it.focus("events");
        it.window.context().filter("name == \"sched_switch\" && cpu == 1");
        QCOMPARE(it.copied(), QString("heliograph events %1 --filter 'name == \"sched_switch\" && cpu == 1'").arg(Sample));
        it.focus("bookmarks");
        QCOMPARE(it.copied(), QString());
        QVERIFY(it.isSaid("There are no bookmarks."));
        it.focusPanel("control-flow");
        QCOMPARE(it.copied(), QString("heliograph states %1 --view control-flow").arg(Sample) + range);
    }

    void docksWithoutATableHaveCommandsToo()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        ViewContext& context = it.window.context();
        TimeWindow& time = context.time();
        const TimeRange part{time.full().begin + time.full().duration() / 4, time.full().begin + time.full().duration() / 2};
        const QString range = QString(" --begin %1 --end %2").arg(nanoseconds(part.begin)).arg(nanoseconds(part.end));
        context.bookmarks().add(part, "half");
        context.bookmarks().add({part.end, part.end}, "moment");
        it.focus("bookmarks");
        QCOMPARE(it.copied(), QString());
        QVERIFY(it.isSaid("Select a bookmark first."));
        auto* list = it.window.docks().view("bookmarks")->findChild<QTreeView*>();
        list->setCurrentIndex(list->model()->index(0, 0));
        QCOMPARE(it.copied(), QString("heliograph %1 --at %2").arg(Sample).arg(nanoseconds(part.begin)) + range);
        list->setCurrentIndex(list->model()->index(1, 0));
        QCOMPARE(it.copied(), QString("heliograph %1 --at %2").arg(Sample).arg(nanoseconds(part.end)));

        time.setVisible(part);
        it.focus("legend");
        QCOMPARE(it.copied(), QString("heliograph stats %1 --view control-flow").arg(Sample) + range);
        QCOMPARE(run(it, it.copied()).status, 0);

        it.focus("details");
        QVERIFY(it.copied().isEmpty());
        QVERIFY(it.isSaid("Select a state, a call or an event first."));
        const std::vector<Row> cpuRows = rows(*context.timeline(), "resources");
        const auto cpu = std::ranges::find(cpuRows, TrackRole::Cpu, &Row::role);
        QVERIFY(cpu != cpuRows.end());
        time.setRow(cpu->ref);
        time.setCursor(part.begin);
        const auto state = intervalAt(*context.timeline(), cpu->ref, part.begin);
        QVERIFY(!state.empty());
        QTRY_VERIFY(!it.copied().isEmpty());
        const QString command = it.copied();
        QVERIFY2(command.contains(" states ") && command.contains(" --view resources --row "), qPrintable(command));
        const Printed printed = run(it, command);
        QCOMPARE(printed.status, 0);
        QCOMPARE(int(printed.lines.size()), 1); // The command prints one line: the state at the cursor on the selected row.
        QVERIFY2(printed.lines[0].contains(QString::number(nanoseconds(state[0].range.begin))), qPrintable(printed.lines[0]));

        emit it.area().overview()->menuRequested({});
        QMenu* menu = nullptr;
        for (QMenu* each : it.window.findChildren<QMenu*>())
            if (each->isVisible())
                menu = each;
        QVERIFY(menu);
        for (QAction* action : menu->actions())
            if (action->text() == "Copy as command")
                action->trigger();
        menu->close();
        QCOMPARE(clipboard(), QString("heliograph stats %1 --view resources").arg(Sample));
    }

    void theInspectorsCommandCountsTheMatchesOfTheRules()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        const QString file = QStringLiteral(SOURCE_DIR "/resources/analyses/futex-contention.xml");
        QVERIFY(QFile::exists(file));
        it.window.loadAnalyses({file.toStdString()});
        const AnalysisList& list = AnalysisList::of(it.window.context());
        const AnalysisEntry* entry = nullptr;
        QTRY_VERIFY([&] {
            for (const AnalysisEntry& each : list.entries())
                if (each.path == file)
                    entry = &each;
            return entry != nullptr;
        }());
        const QString id = entry->id;
        it.focus("inspector");
        dynamic_cast<InspectorView*>(it.window.docks().view("inspector"))->choose(id);
        const QString command = it.copied();
        QCOMPARE(command.section(" --analysis ", 0, 0), QString("heliograph analyses check %1 --trace %2").arg(file, Sample));
        QCOMPARE(run(it, command, {}).status, 0);
    }

    void theComparisonsCommandComparesTheSameProgram()
    {
        test::OpenComparison it({Sample}, {Sample});
        QVERIFY(it.isReady());
        CompareContext& context = it.window.context();
        QTRY_VERIFY(!context.program().isEmpty());
        QGuiApplication::clipboard()->clear();
        it.action("file.copy-command")->trigger();
        const QString command = clipboard();
        QVERIFY2(command.startsWith(QString("heliograph compare --a %1 --b %1 --process %2").arg(Sample, context.program())),
                 qPrintable(command));
        OpenWindow any; // This window only provides a folder of stores for the command.
        QVERIFY2(run(any, command, {}).status == 0, qPrintable(command));
    }

    void everyCommandThatIsCopiedRuns_data()
    {
        QTest::addColumn<QString>("trace");
        for (const char* trace : {"two-hosts-small", "host-guest-small", "ust-callstack", "perf/calls-all.data", "perf/fp.data"})
            QTest::newRow(trace) << Fixtures + trace;
        QTest::newRow("sample") << Sample;
    }
    void everyCommandThatIsCopiedRuns()
    {
        QFETCH(QString, trace);
        OpenWindow it({trace});
        QVERIFY(it.isReady);
        const auto timeline = it.window.context().timeline();
        for (const Row& row : threads(*timeline))
            if (row.tid > 0)
                it.window.context().time().setRow(row.ref);
        int ran = 0;
        for (const QString& view : it.window.docks().views()) {
            it.focus(qPrintable(view));
            QTest::qWait(100);
            const QString command = it.copied();
            if (command.isEmpty())
                continue;
            const Printed printed = run(it, command, {});
            // Exit status 1 or 2 of the command is also correct for a view that is empty because its events were not recorded.
            const bool isEmpty =
                printed.problems.contains("were recorded") || printed.problems.contains("no samples or calls in this trace");
            QVERIFY2(printed.status == 0 || (printed.status > 0 && printed.status <= 2 && isEmpty),
                     qPrintable(view + ": " + command + "\n" + printed.problems));
            ++ran;
        }
        QVERIFY(ran > 3);
        for (const TimePanel* panel : it.area().panels()->panels()) {
            it.focusPanel(panel->id());
            if (it.area().panels()->current() != panel)
                continue;
            if (const QString command = it.copied(); !command.isEmpty())
                QVERIFY2(run(it, command).status == 0, qPrintable(command));
        }
    }

    void connectionsOfTheWholeExperimentArePrintedWhileAPartIsVisible()
    {
        OpenWindow it({Fixtures + "two-hosts-small"});
        QVERIFY(it.isReady);
        it.focus("packets");
        TimeWindow& time = it.window.context().time();
        time.setVisible({time.full().begin, time.full().begin + time.full().duration() / 100});
        QAbstractItemModel* model = it.window.docks().view("packets")->findChild<QTreeView*>("connections")->model();
        QTRY_VERIFY(model->rowCount() > 1);
        const Printed printed = run(it, it.copied());
        QCOMPARE(printed.status, 0);
        QCOMPARE(int(printed.lines.size()), model->rowCount());
        it.window.docks().view("packets")->findChild<QLineEdit*>()->setText("tcp");
        QCOMPARE(it.copied(), QString());
        QVERIFY(it.isSaid("Clear its filter first"));
    }

    void sumsOfThreadsArePrinted_data()
    {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("rows");
        QTest::addColumn<QString>("by");
        for (const QString& trace : {Sample, Fixtures + "two-hosts-small"})
            for (const auto& [rows, by] : {std::pair("Processes", "process"), std::pair("Thread names", "name")})
                QTest::addRow("%s by %s", qPrintable(QFileInfo(trace).fileName()), by) << trace << QString(rows) << QString(by);
    }
    /// Property: the copied command prints the sums of threads that the dock shows, in the same order. It may also print idle groups, which
    /// the dock hides.
    void sumsOfThreadsArePrinted()
    {
        QFETCH(QString, trace);
        QFETCH(QString, rows);
        QFETCH(QString, by);
        OpenWindow it({trace});
        QVERIFY(it.isReady);
        const ShownStatistics dock(it);
        const StatisticsModel* const model = dock.model;
        QTRY_VERIFY(dock.offers(rows));
        dock.choose(rows);
        QTRY_VERIFY(model->rowCount() > 1 && dock.isOfSelection() && model->line(0).name != "");
        QTRY_VERIFY(model->headerData(0, Qt::Horizontal).toString() == (by == "process" ? "Process" : "Name"));
        const bool hasSeveralHosts = it.window.context().timeline()->hosts.size() > 1;
        QTRY_VERIFY(hasSeveralHosts || std::ranges::any_of(model->lines(), [](const RowStatistics& line) { return line.threads > 1; }));

        it.focus("statistics");
        const QString command = it.copied();
        QVERIFY2(command.contains("stats ") && command.contains("--by " + by), qPrintable(command));
        const Printed printed = run(it, command);
        QCOMPARE(printed.status, 0);
        struct Group {
            QString name;
            QMap<QString, std::pair<qint64, qint64>> states; // Count and total time in ns of each state, keyed by the state's name.
        };
        QList<Group> groups; // Groups of threads in the order of the command's output, without idle groups.
        for (const QString& line : printed.lines) {
            QStringList cells = line.split(',');
            if (by == "name")
                cells.insert(1, "");
            const QString name =
                QString("%1 %2, threads %3")
                    .arg(cells[2] + (hasSeveralHosts ? " on " + cells[0] : ""), cells[1].isEmpty() ? "-1" : cells[1], cells[3]);
            if (groups.isEmpty() || groups.last().name != name || groups.last().states.contains(cells[4]))
                groups << Group{name, {}};
            groups.last().states[cells[4]] = {cells[5].toLongLong(), cells[6].toLongLong()};
        }
        groups.removeIf([](const Group& group) {
            const QStringList idle{"sleeping", "waiting", "idle-kthread", "parked", "unknown"};
            return std::ranges::all_of(group.states.keys(), [&](const QString& state) { return idle.contains(state); });
        });
        QCOMPARE(int(groups.size()), model->rowCount());
        for (int i = 0; i < model->rowCount(); ++i) {
            const RowStatistics& line = model->line(i);
            QCOMPARE(groups[i].name, QString("%1 %2, threads %3").arg(line.name).arg(line.tid).arg(line.threads));
            QCOMPARE(groups[i].states.size(), qsizetype(line.parts.size()));
            for (const RowStatistics::Part& part : line.parts) {
                const auto [count, total] = groups[i].states[QString::fromStdString(part.state->name)];
                QCOMPARE(count, qint64(part.count));
                // With drifting clocks, the command sums intervals that are rounded to 1 ns, as it prints them.
                QVERIFY2(std::abs(total - qint64(part.total.count())) <= (hasSeveralHosts ? count + 1 : 0), qPrintable(line.name));
            }
        }
    }

    void estimatedTimesArePrinted_data()
    {
        QTest::addColumn<QString>("rows");
        QTest::addColumn<int>("nameColumn");
        QTest::newRow("Threads") << "Threads" << 2;
        QTest::newRow("Processes") << "Processes" << 2;
        QTest::newRow("Thread names") << "Thread names" << 1;
    }
    /// Input: a recording with samples but without scheduler events. Property: the command prints the estimates that the dock shows.
    void estimatedTimesArePrinted()
    {
        QFETCH(QString, rows);
        QFETCH(int, nameColumn);
        OpenWindow it({Fixtures + "perf/fp.data"});
        QVERIFY(it.isReady);
        const ShownStatistics dock(it);
        const StatisticsModel* const model = dock.model;
        QTRY_VERIFY(dock.offers(rows));
        dock.choose(rows);
        QTRY_VERIFY(model->rowCount() > 0 && dock.isOfSelection() && model->hasEstimates());
        it.focus("statistics");

        const QString command = it.copied();

        QVERIFY2(command.contains(" --estimate"), qPrintable(command));
        const Printed printed = run(it, command);
        QCOMPARE(printed.status, 0);
        QMap<QString, qint64> times; // Times on a CPU by name.
        for (const QString& line : printed.lines) {
            const QStringList cells = line.split(',');
            const qsizetype state = cells.size() - 7; // The last columns are state, count, total_ns, min_ns, mean_ns, max_ns, estimated_ns.
            if (cells[state] == "unknown")
                continue;
            QCOMPARE(cells[state + 1], QString()); // An estimate counts no intervals.
            QCOMPARE(cells[state + 2], cells[state + 6]);
            times[cells[nameColumn]] += cells[state + 2].toLongLong();
        }
        QVERIFY(!times.isEmpty());
        QMap<QString, qint64> shown;
        for (const RowStatistics& line : model->lines())
            if (line.onCpu > Duration(0)) // The dock also lists threads that may have run without a sample.
                shown[line.name] += line.onCpu.count();
        QCOMPARE(times, shown);
    }

    void requestsOfTheWholeExperimentArePrinted()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("requests");
        TimeWindow& time = it.window.context().time();
        time.setVisible({time.full().begin, time.full().begin + time.full().duration() / 100});
        auto* view = dynamic_cast<RequestsView*>(it.window.docks().view("requests"));
        QTRY_VERIFY_WITH_TIMEOUT(!view->isBusy() && view->model().rowCount() > 1, 20000);
        const Printed printed = run(it, it.copied());
        QCOMPARE(printed.status, 0);
        QCOMPARE(int(printed.lines.size()), view->model().rowCount());
        view->findChild<QLineEdit*>()->setText("futex");
        QCOMPARE(it.copied(), QString());
    }

    void durationsArePrintedOfTheKindAndTheRangeThatAreShown()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("durations");
        TimeWindow& time = it.window.context().time();
        time.setVisible({time.full().begin, time.full().begin + time.full().duration() / 100});
        auto* kinds = it.window.docks().view("durations")->findChild<QComboBox*>();
        const DurationTable* model = &it.window.docks().view("durations")->findChild<IntervalDurationsView*>()->table();
        QTRY_VERIFY(model->rowCount() > 1); // Wait until the dock shows its default kind of intervals.
        QVERIFY(it.copied().endsWith("--of " + kinds->currentData().toString()));
        const Printed whole = run(it, it.copied());
        QCOMPARE(whole.status, 0);
        QCOMPARE(int(whole.lines.size()), model->rowCount());
        const TimeRange part{time.full().begin, time.full().begin + time.full().duration() / 8};
        time.setSelection(part);
        QTRY_VERIFY(it.copied().contains("--end " + QString::number(nanoseconds(part.end))));
        const Printed selected = run(it, it.copied());
        QCOMPARE(selected.status, 0);
        QCOMPARE(int(selected.lines.size()), model->rowCount());
        QVERIFY(selected.lines.size() < whole.lines.size());
    }

    void durationsOfCallsArePrinted()
    {
        OpenWindow it({Fixtures + "ust-callstack"});
        QVERIFY(it.isReady);
        it.focus("durations");
        const auto timeline = it.window.context().timeline();
        for (const std::string& view : viewsOf(*timeline))
            for (const Row& row : rows(*timeline, view))
                // Rows with the label "1" show the outermost calls of a thread. Select such a row and the middle of its lifetime.
                if (row.valueKind == ValueKind::Frame && row.ref.isValid() && row.label == "1")
                    it.window.context().time().jump({.row = row.ref, .cursor = row.life.begin + row.life.duration() / 2});
        QTRY_VERIFY(it.copied().contains("--of call --filter"));
        const Printed printed = run(it, it.copied());
        QCOMPARE(printed.status, 0);
        QCOMPARE(int(printed.lines.size()), 1);
    }

    void functionsArePrintedOfTheSelectedThread_data()
    {
        QTest::addColumn<QString>("trace");
        QTest::newRow("samples") << Fixtures + "perf/fp.data";
        QTest::newRow("calls") << Fixtures + "ust-callstack";
    }
    void functionsArePrintedOfTheSelectedThread()
    {
        QFETCH(QString, trace);
        OpenWindow it({trace});
        QVERIFY(it.isReady);
        it.focus("functions");
        auto* view = dynamic_cast<FunctionsView*>(it.window.docks().view("functions"));
        SampleModel& samples = SampleModel::of(it.window.context());
        const auto isShown = [&] {
            return samples.shown().names && samples.shown().names->isComplete && view->functions().lines()
                && view->functions().rowCount() > 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isShown(), 20000);
        QTest::qWait(100);
        const Printed all = run(it, it.copied());
        QCOMPARE(all.status, 0);
        QCOMPARE(int(all.lines.size()), view->functions().rowCount());
        int compared = 0;
        for (const Row& row : threads(*it.window.context().timeline())) {
            it.window.context().time().setRow(row.ref);
            if (!samples.hasRow())
                continue;
            QTest::qWait(300);
            const QString command = it.copied();
            const Printed printed = run(it, command);
            QVERIFY2(printed.status == 0, qPrintable(command + printed.problems));
            QVERIFY2(command.contains("--thread") || command.contains("--row") || command.contains("pid =="), qPrintable(command));
            QTRY_VERIFY2(int(printed.lines.size()) == view->functions().rowCount(), qPrintable(command));
            if (++compared == 3)
                break;
        }
        QVERIFY(compared > 0);
        it.window.docks().view("functions")->findChild<QLineEdit*>()->setText("main");
        QCOMPARE(it.copied(), QString());
    }

    void functionsArePrintedAsTheyAreGrouped()
    {
        OpenWindow it({Fixtures + "perf/fp.data"});
        QVERIFY(it.isReady);
        it.focus("functions");
        auto* view = dynamic_cast<FunctionsView*>(it.window.docks().view("functions"));
        for (const FunctionChoices& choices :
             {FunctionChoices{FunctionGroup::Module, false, false, {}}, FunctionChoices{FunctionGroup::Function, true, false, {}},
              FunctionChoices{FunctionGroup::Function, false, true, {}}, FunctionChoices{FunctionGroup::Thread, false, false, {}},
              FunctionChoices{FunctionGroup::Process, false, false, {}}}) {
            view->setChoices(choices);
            QTRY_VERIFY(view->functions().lines() && view->functions().lines()->choices == choices && view->functions().rowCount() > 0);
            const QString command = it.copied();
            const Printed printed = run(it, command);
            QVERIFY2(printed.status == 0, qPrintable(command + printed.problems));
            QTRY_VERIFY2(int(printed.lines.size()) == view->functions().rowCount(), qPrintable(command));
        }
    }

    void hostsAreCalledAsTheyWereRecorded()
    {
        OpenWindow it({Fixtures + "two-hosts-small"});
        QVERIFY(it.isReady);
        const auto timeline = it.window.context().timeline();
        HostStyles looks;
        looks.hosts[timeline->hosts[0].id].name = "the first one";
        it.window.context().clocks().setLooks(looks, "named");
        it.focus("waited_for");
        for (const Row& row : threads(*it.window.context().timeline()))
            if (row.tid > 0 && row.host == 0)
                PathChoice::of(it.window.context()).setQuestion(PathRequest{row.ref, {}});
        QVERIFY(it.copied().contains("--host " + QString::fromStdString(timeline->hosts[0].label)));
    }

    void whatTheFlameGraphLeavesOutIsLeftOut()
    {
        OpenWindow it({Fixtures + "perf/fp.data"});
        QVERIFY(it.isReady);
        it.focus("flame_graph");
        auto* view = dynamic_cast<FlameGraphView*>(it.window.docks().view("flame_graph"));
        FlameChoices choices;
        choices.isInverted = true;
        choices.hiddenFunctions = {"two words", "-dash"};
        choices.focus = {"main"};
        view->setChoices(choices);
        const QString command = it.copied();
        QVERIFY2(command.endsWith("--inverted --hide 'two words' --hide=-dash --focus main"), qPrintable(command));
        QCOMPARE(run(it, command).status, 0);
        choices.sandwich = FrameKey{};
        view->setChoices(choices);
        QCOMPARE(it.copied(), QString());
    }

    void theShownPathIsPrintedWhateverRowIsSelected()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("waited_for");
        QCOMPARE(it.copied(), QString());
        TimeWindow& time = it.window.context().time();
        std::vector<Row> all = threads(*it.window.context().timeline());
        std::erase_if(all, [](const Row& row) { return row.tid <= 0; });
        QVERIFY(all.size() > 1);
        PathChoice::of(it.window.context()).setQuestion(PathRequest{all.front().ref, {}});
        time.setRow(all.back().ref);
        const QString command = it.copied();
        QVERIFY2(command.endsWith(QString("--summary --by cause --thread %1").arg(all.front().tid)), qPrintable(command));
        QCOMPARE(run(it, command).status, 0);
        QTRY_VERIFY(it.area().panel("critical-path"));
        it.focusPanel("critical-path");
        const Printed path = run(it, it.copied());
        QCOMPARE(path.status, 0);
        QVERIFY(!path.lines.isEmpty());
    }

    void theExplainedWaitIsPrintedWhereverTheCursorIs()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("details");
        QCOMPARE(it.copied(), QString());
        TimeWindow& time = it.window.context().time();
        auto* view = dynamic_cast<DetailsView*>(it.window.docks().view("details"));
        const auto why = [view] { return view->waitCard().why(); };
        for (const Row& row : threads(*it.window.context().timeline())) {
            if (row.tid <= 0)
                continue;
            time.setRow(row.ref);
            time.setCursor(row.life.begin + row.life.duration() / 2);
            QTest::qWait(0);
            if (QTest::qWaitFor([&] { return !view->isBusy(); }, 5000) && why() && why()->steps.size() > 1)
                break;
        }
        QVERIFY(why());
        const std::size_t steps = why()->steps.size();
        it.focus("details");
        const Printed printed = run(it, it.copied());
        QCOMPARE(printed.status, 0);
        QCOMPARE(std::size_t(printed.lines.size()), steps);
    }

    void threadsAreSelectedWithTheirHost()
    {
        OpenWindow it({Fixtures + "two-hosts-small"});
        QVERIFY(it.isReady);
        const auto timeline = it.window.context().timeline();
        it.focus("waited_for");
        for (const Row& row : threads(*timeline)) {
            if (row.tid <= 0)
                continue;
            PathChoice::of(it.window.context()).setQuestion(PathRequest{row.ref, {}});
            const QString command = it.copied();
            QVERIFY2(command.contains("--host " + QString::fromStdString(timeline->hosts[row.host].label)), qPrintable(command));
            const Printed printed = run(it, command);
            QVERIFY2(printed.status == 0, qPrintable(command + printed.problems));
        }
    }

    void theTracesAreReadAsInTheWindow()
    {
        QDir::setCurrent(SOURCE_DIR);
        OpenWindow it({"resources/samples/workers"});
        QVERIFY(it.isReady);
        it.focus("messages");
        QCOMPARE(it.copied(), "heliograph info " + Sample);
        QSettings().setValue("symbols/folders", QStringList{Fixtures + "perf"});
        QSettings().setValue("symbols/sysroot", Fixtures);
        const QString file = Fixtures + "analyses/extension.xml";
        it.window.loadAnalyses({file.toStdString()});
        const QString command = it.copied();
        QSettings().remove("symbols");
        QVERIFY2(command.endsWith(" --analysis " + file), qPrintable(command));
        QVERIFY2(command.contains(" --symbols " + Fixtures + "perf") && command.contains(" --sysroot "), qPrintable(command));
        QCOMPARE(run(it, command, {}).status, 0);
    }
};

HELIO_TEST(CopiedCommandTest)
#include "tst_copied_command.moc"
