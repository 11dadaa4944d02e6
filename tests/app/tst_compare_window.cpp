#include "app/gui/compare_window/compare_window.h"
#include "app/gui/compare_window/comparison_actions.h"
#include "core/query/rows/row_lookup.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"
#include "widgets/compare/alignment_gutter.h"
#include "widgets/compare/difference_lane.h"
#include "widgets/compare/why/why_slower_view.h"
#include "widgets/controls/dock_area.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/status_bar.h"
#include "widgets/docks/clocks/clocks_view.h"
#include "widgets/docks/clocks/host_table.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/axis/ruler.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <utility>
#include <vector>

using namespace helio;

namespace {

const QString sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");
const QString fixture = QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small");
const QString lossy = QStringLiteral(SOURCE_DIR "/tests/fixtures/lossy-small");

struct Opened {
    QTemporaryDir cache;
    CompareWindow window;

    explicit Opened(const Comparison& comparison = comparisonOf({sample}, {sample}))
    {
        ExperimentOptions options;
        options.storeDirectory = cache.path().toStdString();
        window.show();
        window.open(comparison, options);
    }
    bool isReady()
    {
        return window.session(Side::A).state() == Session::State::Ready && window.session(Side::B).state() == Session::State::Ready;
    }
    const Breakdown& breakdown() const { return window.findChild<WhySlowerView*>()->breakdown(); }
};

QAction* action(CompareWindow& window, const QString& text)
{
    for (QAction* action : window.findChildren<QAction*>())
        if (action->text() == text)
            return action;
    qFatal("no action %s", qPrintable(text));
}

TimeArea* areaOf(CompareWindow& window, Side side)
{
    for (TimeArea* area : window.findChildren<TimeArea*>())
        if (&area->axis().window() == &window.context().side(side).time())
            return area;
    return nullptr;
}

TrackPanel* panelOf(CompareWindow& window, Side side) { return areaOf(window, side)->rowsPanel(TrackRole::Thread); }

/// Writes samples of single-threaded processes as perf script prints them, and returns the path of the file. `processes`: the name and the
/// number of samples of each process.
QString written(const QTemporaryDir& folder, const QString& name, const std::vector<std::pair<const char*, int>>& processes)
{
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    int ms = 1, pid = 100;
    for (const auto& [process, count] : processes) {
        for (int i = 0; i < count; ++i, ++ms)
            file.write(QStringLiteral("%1 %2/%2 [000] 1.%3: 1000000 cpu-clock: \n\t 10 main+0x2 (/opt/app)\n\n")
                           .arg(process)
                           .arg(pid)
                           .arg(ms * 1000, 6, 10, QChar('0'))
                           .toUtf8());
        ++pid;
    }
    return file.fileName();
}

} // namespace

class CompareWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void escClearsTheSelectedRangeWhereverTheFocusIs()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 20000);
        TimeWindow& time = it.window.context().a().time();
        time.setSelection({time.full().begin, time.full().begin + Duration(1000)});
        QTest::keyClick(it.window.findChild<WhySlowerView*>(), Qt::Key_Escape);
        QVERIFY(time.selection().isEmpty());
    }

    void everyMenuAndToolComesFromTheTable()
    {
        CompareWindow window;
        QStringList menus;
        for (const QAction* menu : window.findChild<QMenuBar*>()->actions())
            menus << menu->text();
        QCOMPARE(menus, QStringList({"File", "Edit", "View", "Go", "Analysis", "Align", "Compare", "Help"}));
        for (const ActionSpec& spec : comparisonActions()) {
            const QAction& it = *action(window, QString::fromUtf8(spec.text));
            QCOMPARE(it.shortcuts(), shortcutsOf(spec));
            QCOMPARE(it.isCheckable(), spec.isCheckable);
        }
        // The File menu has the flame graph's actions after those that save the comparison.
        const auto files = window.findChild<QMenuBar*>()->actions().front()->menu()->actions();
        QCOMPARE(files[2]->text(), QString("Save differential flame graph as SVG…"));
        const auto isSeparator = [](const QAction* it) { return it->isSeparator(); };
        QCOMPARE(std::ranges::count_if(files, isSeparator), 2);
        QVERIFY(!action(window, "Stop loading")->isEnabled());
    }

    void twoSidesShareTimeAndTheirDifferenceAddsUp()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QTRY_VERIFY(!action(it.window, "Stop loading")->isEnabled());
        QTRY_VERIFY(!it.breakdown().lines.empty());
        CompareContext& context = it.window.context();
        QVERIFY(!context.program().isEmpty());
        QCOMPARE(it.breakdown().a, it.breakdown().b); // The amounts are equal, because both sides are the same trace.
        QCOMPARE(it.window.findChildren<TimeArea*>().size(), 2);

        const TimeRange full = context.a().time().full();
        context.a().time().setVisible({full.begin + full.duration() / 4, full.begin + full.duration() / 2});
        QCOMPARE(context.b().time().visible(), context.a().time().visible());
        context.link().setLinked(false);
        context.b().time().setVisible(full);
        QVERIFY(context.a().time().visible() != context.b().time().visible());
    }

    void theLedgerSpeaksOfTheSelectedRange()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        it.window.context().setProgram("mixwork");
        QTRY_VERIFY(it.breakdown().a > Duration(1'000'000'000));
        const Timestamp begin = it.window.context().a().time().full().begin;
        // Select the range from 0.6 to 0.7 s after the trace's begin, in which the compared program runs.
        it.window.context().a().time().setSelection({begin + Duration(600'000'000), begin + Duration(700'000'000)});
        QTRY_COMPARE(it.breakdown().a, Duration(100'000'000));
        QCOMPARE(it.breakdown().b, Duration(100'000'000));
    }

    void theCauseIsExplainedAndShownOnTheTimelines()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        Opened it(comparisonOf({recordings + "/data/solo.data"}, {recordings + "/data/parallel4.data"}));
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(it.breakdown().runsB == 4, 30'000);
        const auto labels = it.window.findChild<WhySlowerView*>()->findChildren<QLabel*>();
        QTRY_VERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().startsWith("In B, 4 processes shared 2 CPUs at 99 % utilization; each got a CPU only half the time.");
        }));
        const auto buttons = it.window.findChild<WhySlowerView*>()->findChildren<QPushButton*>();
        const auto show = std::ranges::find(buttons, "Show in timelines", &QPushButton::text);
        QVERIFY(show != buttons.end() && (*show)->isDefault() && (*show)->isVisibleTo(&it.window));

        (*show)->click();
        CompareContext& context = it.window.context();
        QCOMPARE(context.b().time().visible().duration(), Duration(100'000'000));
        QCOMPARE(context.a().time().visible().duration(), Duration(100'000'000));
    }

    /// Property: each side has one header for all panels, all rows are visible at the window's default size, and keys act on the time
    /// axis.
    void eachSideHasOneHeaderAndRoomForItsRows()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        Opened it(comparisonOf({recordings + "/data/solo.data"}, {recordings + "/data/parallel4.data"}));
        it.window.resize(1600, 1000);
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(it.breakdown().runsB == 4, 30'000);
        QVERIFY(qobject_cast<TimeGraph*>(it.window.focusWidget()));
        int headers = 0;
        int fields = 0;
        for (const PanelHeader* header : it.window.findChildren<PanelHeader*>()) {
            headers += header->isVisible();
            fields += header->filter()->isVisible();
        }
        QCOMPARE(headers, 2);
        QCOMPARE(fields, 1);
        for (const TimeArea* area : it.window.findChildren<TimeArea*>()) {
            const TimeGraph* threads = area->rowsPanel("control-flow")->graph();
            QTRY_VERIFY(threads->rows().count() >= 2);
            QTRY_VERIFY2(threads->height() >= threads->rows().height(), qPrintable(QString::number(threads->height())));
        }
        TimePanel* ofB = it.window.findChildren<TimeArea*>().back()->panel("control-flow");
        it.window.findChildren<TimeArea*>().front()->panel("control-flow")->header()->filter()->setText("perf");
        QCOMPARE(ofB->header()->filter()->text(), "perf");
    }

    void anEmptiedFilterStaysOpenWhileItIsEdited()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        it.window.activateWindow();
        for (TimeArea* area : it.window.findChildren<TimeArea*>()) {
            PanelHeader& header = *area->rowsPanel(TrackRole::Thread)->header();
            header.openFilter();
            QTRY_VERIFY(header.filter()->hasFocus());
            QTest::keyClicks(header.filter(), "w");
            QTest::keyClick(header.filter(), Qt::Key_Backspace);
            QVERIFY(header.filter()->isVisible() && header.filter()->hasFocus());
            QTest::keyClick(header.filter(), Qt::Key_Escape);
            QVERIFY(!header.filter()->isVisible());
        }
    }

    void theHeadlineSaysWhichSideIsFaster()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const QString solo = recordings + "/data/solo.data";
        const QString parallel = recordings + "/data/parallel4.data";
        const auto headlineOf = [](const QString& a, const QString& b) {
            Opened it(comparisonOf({a}, {b}));
            const auto* view = it.window.findChild<WhySlowerView*>();
            return QTest::qWaitFor([&] { return it.isReady() && view->headline().contains(QString::fromUtf8("\u00d7 ")); }, 60'000)
                ? view->headline()
                : QString();
        };

        const QString slower = headlineOf(solo, parallel);
        const QString faster = headlineOf(parallel, solo);

        QVERIFY2(slower.startsWith("matinit is ") && slower.endsWith(QString::fromUtf8("\u00d7 slower")), qPrintable(slower));
        QCOMPARE(faster, QString(slower).replace("slower", "faster in B"));
    }

    void theSideWhoseRecordingIsNotWholeSaysSo()
    {
        Opened it(comparisonOf({fixture}, {lossy}));
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        const auto badges = [&] {
            QList<QToolButton*> shown;
            for (QToolButton* badge : it.window.findChildren<QToolButton*>())
                if (badge->isVisible() && badge->text().contains("problem"))
                    shown << badge;
            return shown;
        };
        QTRY_COMPARE(badges().size(), 1); // Only one badge about problems is visible: the badge of side B. The overview shows none.
        QVERIFY2(badges()[0]->toolTip().contains("lost"), qPrintable(badges()[0]->toolTip()));
        DockArea* side = nullptr;
        for (DockArea* dock : it.window.findChildren<DockArea*>())
            if (dock->contains("messages-B"))
                side = dock;
        QVERIFY(side && side->current() != "messages-B");
        badges()[0]->click();
        QCOMPARE(side->current(), "messages-B");
        QVERIFY(side->isVisible());
    }

    /// Property: the clocks of a side can be opened from a menu and therefore from the command palette, which lists the menus' actions.
    void theClocksOfASideAreFound()
    {
        const QString hosts = QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small");
        Opened it(comparisonOf({sample}, {hosts + "/web", hosts + "/db"}));
        it.window.resize(1280, 800);
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        const auto dockOf = [&](const char* page) -> DockArea* {
            for (DockArea* dock : it.window.findChildren<DockArea*>())
                if (dock->contains(page))
                    return dock;
            return nullptr;
        };
        QTRY_VERIFY(dockOf("clocks-B"));
        DockArea* side = dockOf("clocks-B");
        action(it.window, "Clocks of A")->trigger();
        QVERIFY(!dockOf("clocks-A") && side->current() != "clocks-B");
        action(it.window, "Clocks of B")->trigger();
        QCOMPARE(side->current(), "clocks-B");
        const auto* clocks = it.window.findChild<ClocksView*>();
        QVERIFY(clocks && clocks->isVisible());
        QTRY_VERIFY(!clocks->hosts().clocks().empty());
        for (const QWidget* part : clocks->findChildren<QPushButton*>())
            if (part->isVisible())
                QVERIFY2(part->mapTo(clocks, part->rect().topRight()).x() < clocks->width(), qPrintable(part->accessibleName()));
        QVERIFY(clocks->minimumSizeHint().width() <= clocks->width());
    }

    void whoeverHidesTheLaneIsShownHowToGetItBack()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        const auto says = [&](const QString& text) {
            const auto labels = it.window.findChild<StatusBar*>()->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(text); });
        };
        QVERIFY(it.window.findChild<DifferenceLane*>()->isVisible());
        action(it.window, "Side by side")->trigger();
        QVERIFY(!it.window.findChild<DifferenceLane*>()->isVisible());
        QVERIFY(says("press F8"));
        QVERIFY(says("Side by side, aligned at"));
        action(it.window, "Side by side")->trigger();
        QVERIFY(it.window.findChild<DifferenceLane*>()->isVisible());
        QVERIFY(!says("press F8"));
        action(it.window, "Link axes")->trigger();
        QVERIFY(!it.window.findChild<DifferenceLane*>()->isVisible());
        QVERIFY(says("press L"));
    }

    void keysShiftTheAlignmentOfASide()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        auto* const gutter = it.window.findChild<AlignmentGutter*>();
        QVERIFY(gutter && gutter->isVisible());
        const Alignment before = it.window.context().link().alignment();
        QTest::keyClick(gutter, Qt::Key_Right);
        const Alignment ofB = it.window.context().link().alignment();
        QVERIFY(ofB.a == before.a && ofB.b < before.b);
        QTest::keyClick(gutter, Qt::Key_Left);
        QCOMPARE(it.window.context().link().alignment(), before);
        QTest::keyClick(gutter, Qt::Key_Right, Qt::ShiftModifier);
        const Alignment ofA = it.window.context().link().alignment();
        QVERIFY(ofA.a < before.a && ofA.b == before.b);
    }

    void spaceChoosesTheWorkOfTheDifferenceLane()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        auto* const lane = it.window.findChild<DifferenceLane*>();
        QTest::keyClick(lane, Qt::Key_Space);
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        menu->actions()[1]->trigger();
        menu->close();
        QVERIFY(lane->work() == CpuWork::User);
    }

    void aChosenRowIsChosenOnTheOtherSide()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        CompareContext& context = it.window.context();
        const auto threads = rows(*context.b().timeline(), "control-flow");
        QVERIFY(threads.size() > 3);
        context.b().time().setRow(threads[2].ref);
        QTRY_COMPARE(context.a().time().row(), threads[2].ref); // Side A selects the same track, because both sides show the same trace.
    }

    void theSelectedThreadsAreComparedWhereAxesAreApart()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        CompareContext& context = it.window.context();
        std::vector<TrackRef> threads;
        for (const Row& row : rows(*context.a().timeline(), "control-flow"))
            if (row.kind == "thread" && !row.isKernelThread && row.tid > 0)
                threads.push_back(row.ref);
        QVERIFY(threads.size() >= 2);
        context.link().setLinked(false);
        context.a().time().setRow(threads[0]);
        context.b().time().setRow(threads[1]);
        // Side A keeps its row: without linked axes, selecting a row on one side selects none on the other side.
        QCOMPARE(context.a().time().row(), threads[0]);

        action(it.window, "Compare selected threads")->trigger();

        QVERIFY(context.comparesThreads());
        QTRY_COMPARE(it.breakdown().a, rowOf(*context.a().timeline(), threads[0])->life.duration());
        QTRY_COMPARE(it.breakdown().b, rowOf(*context.b().timeline(), threads[1])->life.duration());
        const Comparison kept = it.window.comparison();
        QVERIFY(kept.comparesThreads);

        Opened again(kept);
        QTRY_VERIFY_WITH_TIMEOUT(again.window.context().comparesThreads(), 60'000);
        QTRY_COMPARE(again.breakdown().b, it.breakdown().b);
        QVERIFY(!again.window.context().link().isLinked());
        QCOMPARE(again.window.context().subject(Side::B).thread, threads[1]);
    }

    void twoRangesOfOneTraceAreOnAxesOfTheirOwn()
    {
        QTemporaryDir cache;
        Opened first;
        QTRY_VERIFY_WITH_TIMEOUT(first.isReady(), 60'000);
        const Timestamp begin = first.window.context().a().time().own().begin;
        SessionState a;
        a.traces = {sample};
        a.selection = {begin + Duration(600'000'000), begin + Duration(700'000'000)};
        SessionState b = a;
        b.selection = {begin + Duration(900'000'000), begin + Duration(950'000'000)};
        Comparison ranges = *comparePositions(a, b);
        ranges.program = "mixwork";

        Opened it(ranges);

        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QTRY_COMPARE(it.breakdown().a, Duration(100'000'000));
        QCOMPARE(it.breakdown().b, Duration(50'000'000));
        QCOMPARE(it.window.context().link().alignment().b, b.selection.begin);
        QCOMPARE(it.window.context().b().time().visible(), ranges.b.visible);
    }

    /// Input: two threads, of which one ends before the other begins, in a recording without samples. Property: they are aligned by their
    /// beginnings.
    void twoThreadsOfOneTraceAreAlignedByTheirBegins()
    {
        Opened first;
        QTRY_VERIFY_WITH_TIMEOUT(first.isReady(), 60'000);
        const auto rowOfThread = [&](int tid) {
            for (const Row& row : rows(*first.window.context().a().timeline(), "control-flow"))
                if (row.tid == tid)
                    return row;
            return Row();
        };
        const Row ofA = rowOfThread(250), ofB = rowOfThread(256);
        QVERIFY(ofA.life.end < ofB.life.begin);
        SessionState a;
        a.traces = {sample};
        a.rowTrace = 0;
        a.rowView = "control-flow";
        a.rowId = "tid:250";
        a.rowRole = TrackRole::Thread;
        a.visible = first.window.context().a().time().own();
        SessionState b = a;
        b.rowId = "tid:256";

        Opened it(*comparePositions(a, b));

        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        CompareContext& context = it.window.context();
        QTRY_COMPARE(context.link().alignment(), (Alignment{ofA.life.begin, ofB.life.begin}));
        QCOMPARE(context.a().timeFormat().originText, "the start of the threads");
        const auto docks = it.window.findChildren<DockArea*>();
        QTRY_VERIFY(std::ranges::any_of(docks, [](const DockArea* dock) { return dock->current() == "durations"; }));
        QVERIFY(std::ranges::none_of(docks, [](const DockArea* dock) { return dock->current() == "difference"; }));

        // Aligned by the first event, the threads of A and B are at different times on the common axis.
        action(it.window, "First event")->trigger();
        const auto buttons = it.window.findChildren<QPushButton*>();
        const auto show = std::ranges::find(buttons, "Show in timelines", &QPushButton::text);
        QVERIFY(show != buttons.end());
        // Show a range after the end of A's thread and before the begin of B's thread.
        context.a().time().setVisible({ofA.life.end, ofA.life.end + Duration(1'000'000)});
        QVERIFY(!context.a().time().visible().overlaps(ofA.life) && !context.b().time().visible().overlaps(ofB.life));
        (*show)->click();
        QVERIFY(context.a().time().visible().overlaps(ofA.life));
        QVERIFY(context.b().time().visible().overlaps(ofB.life));
    }

    /// Input: samples of the processes "solver" and "daemon"; "only-a" ran only in A and "only-b" only in B. Property: B lists its rows in
    /// the order of A, whatever is busy in B; a sort order that the user chooses on one side applies to both.
    void rowsOfBAreInTheOrderOfA()
    {
        QTemporaryDir folder;
        Opened it(comparisonOf({written(folder, "a.txt", {{"daemon", 5}, {"only-a", 9}, {"solver", 20}})},
                               {written(folder, "b.txt", {{"solver", 5}, {"only-b", 30}, {"daemon", 40}})}));
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        action(it.window, "Show compared threads only")->setChecked(false);
        for (TimeArea* area : it.window.findChildren<TimeArea*>()) {
            area->rowsPanel(TrackRole::Thread)->header()->setFilter({});
            area->axis().setHidesResting(false);
        }
        const auto names = [&](Side side) {
            QStringList names;
            const GraphRows& rows = panelOf(it.window, side)->graph()->rows();
            for (int i = 0; i < rows.count(); ++i)
                names << rows[i].name;
            return names;
        };
        QTRY_COMPARE(names(Side::A), (QStringList{"solver", "only-a", "daemon"}));
        QTRY_COMPARE(names(Side::B), (QStringList{"solver", "daemon", "only-b"}));

        panelOf(it.window, Side::B)->setRowOrder({RowTree::Column::Name, false, false});

        QTRY_COMPARE(names(Side::A), (QStringList{"daemon", "only-a", "solver"}));
        QTRY_COMPARE(names(Side::B), (QStringList{"daemon", "solver", "only-b"}));
    }

    /// Property: at any height of the window, a panel below the threads is shown on both sides or on none.
    void bothSidesShowTheSamePanels()
    {
        const QString recording = QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data");
        Opened it(comparisonOf({recording}, {recording}));
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        for (const Side side : Sides)
            QTRY_VERIFY(!it.window.session(side).isMakingRows() && panelOf(it.window, side)->graph()->rows().count() > 0);
        const auto shown = [&](Side side) {
            QStringList ids;
            for (const TimePanel* panel : areaOf(it.window, side)->panels()->panels())
                if (!panel->isHidden() && panel->height() > 0)
                    ids << QString::fromStdString(panel->id());
            return ids;
        };
        it.window.resize(1440, 1400);
        QTRY_VERIFY(shown(Side::A).contains("sampled-stacks"));
        for (int height = 1400; height >= 600; height -= 20) {
            it.window.resize(1440, height);
            QTRY_COMPARE(shown(Side::A), shown(Side::B));
        }
    }

    /// Input: a recording whose program is not found. Property: a text below the conclusion names the functions' module, on each side,
    /// and what helps.
    void missingSymbolsAreSaidWithARemedy()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        Opened it(comparisonOf({recordings + "/data/solo.data"}, {recordings + "/data/parallel4.data"}));
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        const auto* why = it.window.findChild<WhySlowerView*>();
        QTRY_VERIFY_WITH_TIMEOUT(why->symbolsText().contains("functions without symbols"), 60'000);
        for (const char* part : {"A: ", "B: ", "matinit", "debug packages", "--symbols DIR"})
            QVERIFY2(why->symbolsText().contains(part), qPrintable(why->symbolsText()));
    }

    void cpusStandAboveTheThreadsWhenAskedFor()
    {
        Opened it;
        it.window.resize(1440, 900);
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QAction* const cpus = action(it.window, "CPUs above threads");
        const auto areShown = [&] {
            return std::ranges::all_of(it.window.findChildren<TimeArea*>(), [](const TimeArea* area) {
                const TrackPanel* panel = area->rowsPanel(TrackRole::Cpu);
                return panel->isVisible() && panel->height() > 0 && panel->y() < area->rowsPanel(TrackRole::Thread)->y();
            });
        };
        QTRY_VERIFY(cpus->isEnabled());
        QTRY_COMPARE(it.window.height(), 900); // The CPUs' panel is hidden in a low window.
        if (cpus->isChecked())
            cpus->trigger();
        QTRY_VERIFY(!areShown());
        QVERIFY(!cpus->isChecked());
        cpus->trigger();
        QTRY_VERIFY(areShown());
        QVERIFY(cpus->isChecked());
    }

    void withoutCpusTheirRowsCannotBeAskedFor()
    {
        const QString recording = QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data");
        Opened it(comparisonOf({recording}, {recording}));
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QTRY_VERIFY(!action(it.window, "CPUs above threads")->isEnabled());
    }

    void escapeLeavesTheSearchField()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        it.window.activateWindow();
        action(it.window, "Command palette…")->trigger();
        auto* const field = it.window.findChild<Omnibox*>();
        QVERIFY(field && field->hasFocus());
        QTest::keyClicks(field, "fit");
        QTest::keyClick(field, Qt::Key_Escape);
        QTRY_VERIFY(!field->hasFocus());
    }

    void aTimeChosenInThePaletteGivesTheTimelinesTheKeys()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        auto* omnibox = it.window.findChild<Omnibox*>();
        omnibox->setFocus();
        omnibox->open(":+0.1s");
        QTest::keyClick(omnibox, Qt::Key_Return);
        const auto areas = it.window.findChildren<TimeArea*>();
        QVERIFY(std::ranges::any_of(areas, [&](TimeArea* area) { return area->isAncestorOf(it.window.focusWidget()); }));
    }

    void theThemeIsChosenInTheMenu()
    {
        CompareWindow window;
        const Theme::Kind before = theme().kind();
        action(window, before == Theme::Kind::Dark ? "Light" : "Dark")->trigger();
        QVERIFY(theme().kind() != before);
        action(window, before == Theme::Kind::Dark ? "Dark" : "Light")->trigger();
        QCOMPARE(theme().kind(), before);
    }

    void exchangedSidesTakeTheirPlacesAlong()
    {
        Opened first;
        QTRY_VERIFY_WITH_TIMEOUT(first.isReady(), 60'000);
        const Timestamp begin = first.window.context().a().time().own().begin;
        std::vector<TrackRef> threads;
        for (const Row& row : rows(*first.window.context().a().timeline(), "control-flow"))
            if (row.kind == "thread" && !row.isKernelThread && row.tid > 0)
                threads.push_back(row.ref);
        SessionState a;
        a.traces = {sample};
        a.selection = {begin + Duration(600'000'000), begin + Duration(700'000'000)};
        SessionState b = a;
        b.selection = {begin + Duration(900'000'000), begin + Duration(950'000'000)};
        Opened it(*comparePositions(a, b));
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        CompareContext& context = it.window.context();
        context.a().time().setRow(threads[0]);
        context.b().time().setRow(threads[1]);
        action(it.window, "Compare selected threads")->trigger();
        QCOMPARE(context.subject(Side::B).thread, threads[1]);

        action(it.window, "Swap A and B")->trigger();

        QTRY_COMPARE_WITH_TIMEOUT(context.a().time().selection(), b.selection, 60'000);
        QTRY_COMPARE(context.b().time().selection(), a.selection);
        QTRY_COMPARE(context.subject(Side::A).thread, threads[1]);
        QCOMPARE(context.subject(Side::B).thread, threads[0]);
        QCOMPARE(context.link().alignment(), (Alignment{b.selection.begin, a.selection.begin}));
        QTRY_COMPARE(it.window.session(Side::A).state(), Session::State::Ready);
    }

    void bookmarksOfOneNameAlign()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        CompareContext& context = it.window.context();
        const Timestamp begin = context.a().time().own().begin;
        context.a().bookmarks().add({begin + Duration(5), begin + Duration(5)}, "early");
        context.a().bookmarks().add({begin + Duration(70), begin + Duration(70)}, "slow");
        context.b().bookmarks().add({begin + Duration(900), begin + Duration(950)}, "slow");

        action(it.window, "Bookmarks")->trigger();

        QCOMPARE(context.link().alignment(), (Alignment{begin + Duration(70), begin + Duration(900)}));
        QCOMPARE(context.a().timeFormat().originText, "the bookmark slow");
    }

    void sideBySideBothHaveARuler()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        const auto areas = it.window.findChildren<TimeArea*>();
        QVERIFY(areas[0]->ruler()->isVisible() != areas[1]->ruler()->isVisible());
        action(it.window, "Side by side")->trigger();
        QVERIFY(areas[0]->ruler()->isVisible() && areas[1]->ruler()->isVisible());
        QTRY_COMPARE(areas[0]->mapTo(&it.window, QPoint()).y(), areas[1]->mapTo(&it.window, QPoint()).y());
    }

    void sidesOfDifferentLengthAreClosedWhileAllIsShown()
    {
        QTemporaryDir cache;
        ExperimentOptions options;
        options.storeDirectory = cache.path().toStdString();
        auto window = std::make_unique<CompareWindow>();
        window->show();
        window->open(comparisonOf({sample}, {fixture}), options);
        QTRY_COMPARE_WITH_TIMEOUT(window->session(Side::A).state(), Session::State::Ready, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(window->session(Side::B).state(), Session::State::Ready, 60'000);
        CompareContext& context = window->context();
        QTRY_COMPARE(context.a().time().cursor() - context.link().alignment().a,
                     context.b().time().cursor() - context.link().alignment().b);
        QVERIFY(context.a().time().own().contains(context.a().time().cursor()));
        QVERIFY(context.a().time().own().duration() != context.b().time().own().duration());
        QCOMPARE(context.a().time().full().duration(), context.b().time().full().duration());
        window.reset(); // Closing the window changes the times of both sides once more. Views must not be notified of these changes.
    }

    void aSideThatCannotBeOpenedSaysSo()
    {
        CompareWindow window;
        window.show();
        window.open(comparisonOf({sample}, {"/no/such/trace"}), {});
        QTRY_COMPARE(window.session(Side::B).state(), Session::State::Failed);
        QVERIFY(!window.session(Side::B).problem().isEmpty());
        QCOMPARE(window.findChild<WhySlowerView*>()->headline(), "Cannot open B.");
    }
};

HELIO_TEST(CompareWindowTest)
#include "tst_compare_window.moc"
