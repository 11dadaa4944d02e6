// A critical path in the window: fading of other rows, navigation along the path, and how long the path stays visible.

#include "app/gui/main_window/main_window.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/rows.h"
#include "core/waits/path/path.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/compare/paths/path_comparison.h"
#include "widgets/docks/waited_for/critical_path_view.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/timeline/panels/track_panel.h"
#include "widgets/workspace/path_choice.h"

#include <QAbstractButton>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>

using namespace helio;

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");
constexpr int Patience = 20000;

/// A main window with the sample trace. chooseThread() computes the paths of all threads and shows the path with the most segments of other
/// threads.
struct Opened {
    MainWindow window;
    TrackRef thread;
    TimeRange range;

    explicit Opened(const QString& path = Sample)
    {
        window.resize(1440, 900);
        window.show();
        window.open({path});
    }
    bool isReady() { return window.session().state() == Session::State::Ready; }
    TimeAxis& axis() { return window.findChild<TimeArea*>()->axis(); }
    ViewContext& context() { return window.context(); }
    PathChoice& choice() { return PathChoice::of(context()); }
    bool hasPath() { return context().timeline() && !rows(*context().timeline(), PathRelation).empty() && context().light(); }

    void chooseThread()
    {
        const Timeline& timeline = *context().timeline();
        std::size_t most = 0;
        for (const Row& row : threads(timeline)) {
            const CriticalPath path = criticalPath(timeline, row.ref, row.life);
            const auto others = std::size_t(std::ranges::count_if(path.segments, [](const PathSegment& it) { return it.depth > 0; }));
            if (others <= most)
                continue;
            most = others;
            thread = row.ref;
            range = {row.life.begin, row.life.begin + row.life.duration() / 2};
        }
        choice().setQuestion(PathRequest{thread, range});
    }
};

} // namespace

class PathWindowTest : public QObject {
    Q_OBJECT

private slots:
    void pathIsHighlightedUntilHidden()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), Patience);
        it.chooseThread();
        QVERIFY(it.thread.isValid());
        QTRY_VERIFY_WITH_TIMEOUT(it.hasPath(), Patience);
        QVERIFY(it.context().light()->rows.contains(it.thread));
        QVERIFY(!it.context().light()->arrows.empty());
        QVERIFY(it.axis().light());
        it.window.actions().at("view.light").trigger();
        QVERIFY(!it.axis().light());
        it.window.actions().at("view.light").trigger();
        it.window.actions().at("go.no-critical-path").trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!it.context().light(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(rows(*it.context().timeline(), PathRelation).empty(), Patience);
    }

    /// Property: while a path is shown, panels list only the rows that it crosses and their parents; the switch in the header tells how
    /// many rows are hidden, and shows them.
    void rowsOffThePathAreHidden()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), Patience);
        TrackPanel* threads = it.window.findChild<TimeArea*>()->rowsPanel(TrackRole::Thread);
        QVERIFY(threads);
        it.axis().setHidesResting(false);
        const auto shown = [&] {
            std::vector<TrackRef> rows;
            for (int i = 0; i < threads->graph()->rows().count(); ++i)
                if (const GraphRow& row = threads->graph()->rows()[i]; row.ref.isValid())
                    rows.push_back(row.ref);
            return rows;
        };
        QTRY_VERIFY_WITH_TIMEOUT(shown().size() > 10, Patience);
        QVERIFY(threads->header()->pathSwitch()->isHidden());
        const std::size_t all = shown().size();
        it.chooseThread();
        QTRY_VERIFY_WITH_TIMEOUT(it.hasPath(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(shown().size() < all, Patience);
        const auto isOnPath = [&](TrackRef row) { return it.context().light()->rows.contains(row); };
        const std::vector<TrackRef> onPath = shown();
        QVERIFY(std::ranges::count_if(onPath, isOnPath) > 1);
        for (const Row& row : rows(*it.context().timeline(), threads->id())) {
            const bool isShown = std::ranges::find(onPath, row.ref) != onPath.end();
            if (row.ref.isValid() && isOnPath(row.ref))
                QVERIFY2(isShown, row.label.c_str());
        }
        QAbstractButton* button = threads->header()->pathSwitch();
        QVERIFY(!button->isHidden() && button->isChecked());
        QCOMPARE(button->accessibleName(), QStringLiteral("Only rows on the path, %1 hidden").arg(all - onPath.size()));
        button->click();
        QTRY_COMPARE_WITH_TIMEOUT(shown().size(), all, Patience);
        QVERIFY(!button->isHidden() && !button->isChecked());
        QVERIFY(!it.window.actions().at("view.only-path").isChecked());
        it.window.actions().at("view.only-path").trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown().size(), onPath.size(), Patience);

        // Undo reverts the switch "Only rows on the path".
        QCOMPARE(it.window.context().changes().undoText(), QStringLiteral("Hide rows off the path"));
        it.window.context().changes().undo();
        QTRY_COMPARE_WITH_TIMEOUT(shown().size(), all, Patience);
        it.window.context().changes().redo();
        QTRY_COMPARE_WITH_TIMEOUT(shown().size(), onPath.size(), Patience);

        // In a narrow window, the switch's text omits the number of hidden rows, or the switch is hidden and only the panel's menu has it.
        it.window.resize(1024, 700);
        QTRY_VERIFY(threads->header()->width() < 1024);
        const auto isInRoom = [&] {
            const QRect chip = button->geometry();
            for (const QWidget* other : threads->header()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                if (other != button && !other->isHidden() && other->geometry().intersects(chip))
                    return false;
            return threads->header()->rect().contains(chip) && chip.width() >= button->sizeHint().width();
        };
        QVERIFY(!button->isHidden() && isInRoom());
        threads->header()->openFilter();
        QVERIFY(button->isHidden() || isInRoom());
        threads->header()->setFixedWidth(420);
        QTRY_VERIFY(button->isHidden());
        QMenu menu;
        threads->fillMenu(menu);
        QVERIFY(std::ranges::any_of(menu.actions(), [](const QAction* action) {
            return action->text() == QStringLiteral("Only rows on the path") && action->isChecked();
        }));
        threads->header()->setMaximumWidth(QWIDGETSIZE_MAX);
        threads->header()->setMinimumWidth(0);
        it.window.actions().at("go.no-critical-path").trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown().size(), all, Patience);
        QVERIFY(button->isHidden());
    }

    void keysStepAlongThePath()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), Patience);
        it.chooseThread();
        QTRY_VERIFY_WITH_TIMEOUT(it.hasPath(), Patience);
        const auto light = it.context().light();
        QVERIFY(light->steps.size() > 3);
        it.context().time().setCursor(light->steps[0].range.begin);
        for (const std::size_t step : {std::size_t(1), std::size_t(2)}) {
            it.window.actions().at("go.next-stretch").trigger();
            QCOMPARE(it.context().time().cursor(), light->steps[step].range.begin);
            QCOMPARE(it.context().time().row(), light->steps[step].row);
        }
        it.window.actions().at("go.previous-stretch").trigger();
        QCOMPARE(it.context().time().row(), light->steps[1].row);
        it.context().time().setCursor(light->steps[0].range.begin);
        it.window.actions().at("go.previous-stretch").trigger(); // The action has no effect, because this is the first segment.
        QCOMPARE(it.context().time().cursor(), light->steps[0].range.begin);
    }

    /// Input: an analysis that the user enables, which reopens the traces. Property: the path stays visible.
    void itStaysWhereTheTracesAreOpenedOnceMore()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), Patience);
        it.chooseThread();
        QTRY_VERIFY_WITH_TIMEOUT(it.hasPath(), Patience);
        it.window.session().reopen({});
        QTRY_VERIFY_WITH_TIMEOUT(!it.window.session().isReopening() && it.isReady(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(it.hasPath(), Patience);
        QCOMPARE(it.choice().question()->range, it.range);
        QCOMPARE(rowOf(*it.context().timeline(), it.choice().question()->thread)->tid, rowOf(*it.context().timeline(), it.thread)->tid);
    }

    void sessionKeepsThePath()
    {
        const QString path = m_cache.filePath("path.heliograph");
        std::optional<NamedPathRequest> named;
        {
            Opened it;
            QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), Patience);
            it.chooseThread();
            QTRY_VERIFY_WITH_TIMEOUT(it.hasPath(), Patience);
            it.window.actions().at("view.light").trigger();
            named = it.choice().named();
            QVERIFY(saveSession(it.window.sessionState(), path));
        }
        Opened it(path);
        QTRY_VERIFY_WITH_TIMEOUT(it.hasPath(), Patience);
        QVERIFY(it.choice().named() == named);
        QVERIFY(!it.axis().showsLight());
        QVERIFY(!it.window.actions().at("view.light").isChecked());
    }

    void itsFlameGraphAddsUpToIt()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), Patience);
        it.chooseThread();
        it.window.docks().show("waited_for");
        auto* view = it.window.findChild<CriticalPathView*>();
        QVERIFY(view);
        QTRY_VERIFY_WITH_TIMEOUT(view->graph().content().tree && !view->isBusy(), Patience);
        QCOMPARE(view->graph().content().tree->whole.weight, std::uint64_t(it.range.duration().count()));
        QVERIFY(view->causes().topLevelItemCount() > 1);
        it.choice().setQuestion({});
        QTRY_VERIFY_WITH_TIMEOUT(!view->graph().content().tree, Patience);
    }

    /// Property: if a thread is selected, the empty dock has a button that shows its critical path.
    void theEmptyDockShowsThePathOfTheSelectedThread()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), Patience);
        it.chooseThread();
        it.window.docks().show("waited_for");
        auto* view = it.window.findChild<CriticalPathView*>();
        QVERIFY(view);
        it.choice().setQuestion({});
        it.context().time().setRow(it.thread);
        const auto button = [&]() -> QPushButton* {
            for (auto* found : view->findChildren<QPushButton*>())
                if (found->text() == QLatin1String("Show critical path") && !found->isHidden())
                    return found;
            return nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(button(), Patience);
        button()->click();
        QVERIFY(it.choice().question() && it.choice().question()->thread == it.thread);
    }

    /// Input: group A with a path over half of a time range, and group B with two paths over the whole range. Property: the total of each
    /// side is the mean length of its paths.
    void twoPathsAreComparedByTheirMeans()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), Patience);
        it.chooseThread();
        const Duration half = it.range.duration() / 2;
        const PathGroup a{"short", {{it.thread, {it.range.begin, it.range.begin + half}}}};
        const PathGroup b{"long", {{it.thread, it.range}, {it.thread, it.range}}};
        PathComparison comparison(it.context().timeline(), a, b);
        comparison.setAttribute(Qt::WA_DeleteOnClose, false);
        QSignalSpy answered(&comparison, &PathComparison::answered);
        QTRY_COMPARE_WITH_TIMEOUT(answered.count(), 1, Patience);
        QVERIFY(comparison.difference());
        const DifferenceTree& tree = *comparison.difference();
        QCOMPARE(qRound64(tree.whole.scaledA(tree.scale)), qint64(half.count()));
        QCOMPARE(qRound64(tree.whole.scaledB(tree.scale)), qint64(it.range.duration().count()));
        // The headline names a mean for side B only, because side B has several requests.
        QVERIFY2(comparison.headline().startsWith("A: short. B: long (mean "), qPrintable(comparison.headline()));
    }

    void ofNothingThereIsNoComparison()
    {
        Opened it;
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), Patience);
        PathComparison comparison(it.context().timeline(), {"none", {}}, {"neither", {}});
        comparison.setAttribute(Qt::WA_DeleteOnClose, false);
        QSignalSpy answered(&comparison, &PathComparison::answered);
        QTRY_COMPARE_WITH_TIMEOUT(answered.count(), 1, Patience);
        QVERIFY(!comparison.difference());
    }

private:
    test::OwnHome m_cache;
};

HELIO_TEST(PathWindowTest)
#include "tst_path_window.moc"
