// Calls of functions in the window: searching, going to a call, its menu, comparing two calls.

#include "app/gui/compare_window/compare_window.h"
#include "app/gui/main_window/main_window.h"
#include "core/profiling/calls/call_facts.h"
#include "core/profiling/calls/function_calls.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/segments/segments.h"
#include "tests/support/own_home.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"
#include "widgets/compare/calls/call_comparison.h"
#include "widgets/compare/why/why_slower_view.h"
#include "widgets/controls/omnibox.h"
#include "widgets/docks/events/search_view.h"
#include "widgets/docks/functions/function_model.h"
#include "widgets/profiling/code_view.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/workspace/go_to.h"

#include <QHeaderView>
#include <QMenu>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace helio;

namespace {

struct Opened {
    MainWindow window;

    explicit Opened(const QString& trace, const QTemporaryDir& stores)
    {
        ExperimentOptions options;
        options.storeDirectory = stores.path().toStdString();
        options.symbols.directories = {realTrace("ust-callstack", "bin").toStdString()};
        window.setExperimentOptions(options);
        window.resize(1600, 1000);
        window.show();
        window.open({trace});
        if (!QTest::qWaitFor([&] { return window.session().state() == Session::State::Ready; }, 60'000))
            qFatal("not read");
    }
    ViewContext& context() { return window.context(); }
    TimeWindow& time() { return window.context().time(); }
    const SearchHits& hits() { return window.context().hits(); }
    const StateResults& results() { return *window.docks().view("events")->findChild<StateResults*>(); }

    /// Calls of a function, sorted by beginning.
    std::vector<Segment> callsOf(const std::string& function)
    {
        const Timeline& timeline = *context().timeline();
        const CallNames names(timeline);
        std::vector<Segment> calls;
        forEachSegment(timeline, "call", {Timestamp::min(), Timestamp::max()}, [&](const Segment& call) {
            if (names.functionOf(call.store, call.recorded.stack()).name == function)
                calls.push_back(call);
        });
        return calls;
    }
    void search(const QString& text)
    {
        context().search(text);
        if (!QTest::qWaitFor([&] { return hits().isComplete() && hits().text() == text; }, 20'000))
            qFatal("not searched");
    }
    void trigger(const char* action) { window.actions().at(action).trigger(); }
};

QStringList linesOf(const QMenu& menu)
{
    QStringList lines;
    for (const QAction* action : menu.actions())
        if (!action->isSeparator())
            lines << action->text();
    return lines;
}

QMenu* menuBelow(const QMenu& menu, const QString& text)
{
    for (QAction* action : menu.actions())
        if (action->text() == text && action->menu())
            return action->menu();
    return nullptr;
}

} // namespace

class CallsWindowTest : public QObject {
    Q_OBJECT

private slots:
    void aWordOfAFunctionsNameFindsItsCalls()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        Opened it(trace, m_folder);
        it.search("parse_head");
        // Expected number of calls of parse_header(), counted in addr2line's output (callstack-fast.functions.txt).
        QCOMPARE(it.hits().hits().size(), std::size_t(30));
        QTRY_COMPARE(it.results().lines().rowCount(), 30);
        const auto calls = it.callsOf("app::parse_header");
        const StateListModel& lines = it.results().lines();
        for (int line = 0; line < lines.rowCount(); ++line) {
            const auto cell = [&](int column) { return lines.index(line, column).data().toString(); };
            QVERIFY(cell(StateOrder::Detail).contains("parse_header"));
            const Row thread = threadOf(*it.context().timeline(), calls[std::size_t(line)]);
            QVERIFY(thread.tid > 0);
            QVERIFY2(cell(StateOrder::Thread).startsWith("req-worker-"), qPrintable(cell(StateOrder::Thread)));
            QVERIFY2(cell(StateOrder::Thread).endsWith(QString(" %1").arg(thread.tid)), qPrintable(cell(StateOrder::Thread)));
        }
        it.search("sched_switch"); // No function is called "sched_switch", so the search finds events with this name.
        QVERIFY(it.hits().hits().size() > 1000);
        QVERIFY(it.hits().hits().front().index != ~0ull);
    }

    void nextHitsKeepToTheSelectedRange()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        Opened it(trace, m_folder);
        const auto calls = it.callsOf("app::parse_header");
        it.search("parse_header");
        TimeWindow& time = it.time();
        const TimeRange some{calls[4].range.begin - Duration(1), calls[6].range.begin + Duration(1)};
        time.setRow({});
        time.setSelection(some);
        time.setCursor(time.full().begin);
        // The last of the four "Next hit" has no effect, because call 6 is the last call in the selected range.
        for (const std::size_t expected : {4, 5, 6, 6}) {
            it.trigger("analyse.next-hit");
            QCOMPARE(time.cursor(), calls[expected].range.begin);
            QVERIFY(time.row() == calls[expected].row());
            QCOMPARE(time.selection(), some);
        }
        time.setCursor(time.full().end);
        it.trigger("analyse.previous-hit");
        QCOMPARE(time.cursor(), calls[6].range.begin);

        time.setSelection({});
        it.trigger("analyse.next-hit");
        QCOMPARE(time.selection(), calls[7].range); // The step to the next call also selects the range of this call.
        it.trigger("analyse.next-hit");
        // The previous step, not the user, selected call 7. The search ignores this selection, so this step leads to call 8.
        QCOMPARE(time.selection(), calls[8].range);
        it.trigger("go.back"); // One step back undoes both steps to the next call at once.
        QCOMPARE(time.cursor(), calls[6].range.begin);
        QVERIFY(time.row() == calls[6].row());
        QVERIFY(time.selection().isEmpty());
    }

    void stepsFromCallToCallAreOneRun()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        Opened it(trace, m_folder);
        const auto calls = it.callsOf("app::parse_header");
        auto& time = it.window.context().time();
        time.setRow(calls[4].row());
        time.setSelection({});
        time.setCursor(calls[4].range.begin);
        it.window.context().focusRows();
        QWidget* rows = QApplication::focusWidget();
        QVERIFY(rows);
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(rows, Qt::Key_Right);
        QVERIFY(time.cursor() > calls[4].range.begin);
        QVERIFY(!time.selection().isEmpty());
        it.trigger("go.back");
        QCOMPARE(time.cursor(), calls[4].range.begin);
        QVERIFY(time.selection().isEmpty());
    }

    void thePaletteLeadsToTheLongestCall()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        Opened it(trace, m_folder);
        const auto calls = it.callsOf("app::parse_header");
        const auto longest = std::ranges::max_element(calls, {}, [](const Segment& call) { return call.range.duration(); });
        auto* omnibox = it.window.findChild<Omnibox*>();
        omnibox->open("parse_head");
        const PaletteItem* found = nullptr;
        QTRY_VERIFY([&] {
            found = nullptr;
            for (int line = 0; line < omnibox->model().rowCount() && !found; ++line)
                if (omnibox->model().item(line)->kind == PaletteItem::Kind::Function)
                    found = omnibox->model().item(line);
            return found != nullptr;
        }());
        QCOMPARE(found->text, "app::parse_header");
        QVERIFY2(found->group.contains("30 calls, longest "), qPrintable(found->group));
        QVERIFY2(found->group.endsWith(durationText(longest->range.duration())), qPrintable(found->group));
        found->run();
        QVERIFY(it.time().row() == longest->row());
        QCOMPARE(it.time().selection(), longest->range);
    }

    void theMenuOfACallIsShort()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        Opened it(trace, m_folder);
        const Segment call = it.callsOf("app::request").front();
        goToCall(it.context(), call);
        auto* area = it.window.findChild<TimeArea*>();
        QTRY_VERIFY(area->panelOf(call.row()));
        emit area->contextMenuRequested({10, 10}, call.row(), call.range.begin);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        const QStringList lines = linesOf(*menu);
        QVERIFY2(lines.size() <= 20, qPrintable(lines.join('|')));
        const QMenu* go = menuBelow(*menu, "Go to");
        const QMenu* compare = menuBelow(*menu, "Compare");
        QVERIFY(go && compare && menuBelow(*menu, "Show and hide calls"));
        QVERIFY(linesOf(*go).contains("Longest call of function") && linesOf(*go).contains("Median call of function"));
        QVERIFY(lines.contains("Show source") && lines.contains("Show durations of app::request"));
        QCOMPARE(it.window.actions().at("go.source").shortcut(), QKeySequence(Qt::Key_F4));
        QAction* slow = compare->actions().front();
        menu->close();

        slow->trigger();
        QTRY_VERIFY(it.window.findChild<CallComparison*>());
        auto* dialog = it.window.findChild<CallComparison*>();
        QTRY_COMPARE(dialog->breakdown().runsA + dialog->breakdown().runsB,
                     30u); // 30 is the number of all calls of the function: the dialog compares all of them, not only the selected call.
        delete dialog;
    }

    void theSourceOfACallClaimsNothingOfItsLines()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        Opened it(trace, m_folder);
        goToCall(it.context(), it.callsOf("app::parse_body").front());
        it.trigger("go.source");
        const auto* source = static_cast<CodeView*>(it.window.docks().view("source"));
        QTRY_VERIFY(source->isVisible());
        const auto says = [&](const QString& text) {
            const auto labels = source->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(text); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(says("the time by line is unknown"), 20'000);
        QVERIFY(says("app::parse_body") && !says(" %"));
        QVERIFY(!source->source().rows().empty() && !source->instructions().rows().empty());
        for (const CodePane* pane : {&source->source(), &source->instructions()})
            for (const CodeRow& row : pane->rows())
                QVERIFY2(row.shareText.isEmpty(), qPrintable(row.shareText));
    }

    void theLengthsOfCallsStandInAUsualDock()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        Opened it(trace, m_folder);
        it.window.resize(1440, 900);
        it.window.docks().show("functions");
        const QWidget* view = it.window.docks().view("functions");
        const auto tables = view->findChildren<QTreeView*>();
        const QTreeView* table = *std::ranges::find(tables, "Functions", &QWidget::accessibleName);
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 10 && !table->isColumnHidden(FunctionModel::Most), 20'000);
        const QHeaderView& header = *table->header();
        for (const int column : {FunctionModel::Symbol, FunctionModel::P99, FunctionModel::Most}) {
            const int left = header.sectionViewportPosition(column);
            QVERIFY(left >= 0);
            QVERIFY2(left + header.sectionSize(column) <= table->viewport()->width(),
                     qPrintable(QString("%1 of %2").arg(left + header.sectionSize(column)).arg(table->viewport()->width())));
        }
        QVERIFY(header.sectionSize(FunctionModel::Symbol) >= 110);
    }

    void twoCallsAreComparedEachInItsThread()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        Opened it(trace, m_folder);
        const auto calls = it.callsOf("app::request");
        const auto [quick, slow] = std::ranges::minmax_element(calls, {}, [](const Segment& call) { return call.range.duration(); });
        goToCall(it.context(), *quick);
        it.trigger("compare.hold");
        goToCall(it.context(), *slow);
        it.trigger("compare.with-held");
        CompareWindow* opened = nullptr;
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* one = qobject_cast<CompareWindow*>(widget))
                opened = one;
        QVERIFY(opened);
        const std::unique_ptr<CompareWindow> owned(opened);
        const auto* why = opened->findChild<WhySlowerView*>();
        QTRY_COMPARE_WITH_TIMEOUT(why->breakdown().a, quick->range.duration(), 60'000);
        QTRY_COMPARE(why->breakdown().b, slow->range.duration());
        QVERIFY(opened->context().comparesThreads());
        QVERIFY2(why->headline().startsWith("app::request is "), qPrintable(why->headline()));
        for (const BreakdownLine& line : why->breakdown().lines)
            QVERIFY(line.state.meaning != StateCategory::Unknown || line.b == Duration(0));
    }

private:
    test::OwnHome m_folder;
};

HELIO_TEST(CallsWindowTest)
#include "tst_calls_window.moc"
