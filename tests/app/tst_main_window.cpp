#include "app/gui/compare_window/compare_window.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/rows.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/panels/time_area.h"

#include <QAccessible>
#include <QLabel>
#include <QMenuBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace helio;

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

private slots:
    void everyMenuAndToolComesFromTheTable()
    {
        MainWindow window;

        for (const ActionSpec& spec : actionTable()) {
            const QAction& action = window.actions().at(spec.id);
            QVERIFY2(!action.toolTip().isEmpty(), spec.id);
            QCOMPARE(action.shortcuts(), shortcutsOf(spec));
        }
        QVERIFY(window.findChild<QMenuBar*>()->actions().size() >= 5);
    }

    void theSampleOpensAndShowsRowsAndEvents()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));
        const auto timeline = window.context().timeline();
        QVERIFY(timeline && isComplete(*timeline));
        QVERIFY(rows(*timeline, "control-flow").size() > 3);
        auto* list = window.docks().view("events")->findChild<EventList*>();
        QTRY_VERIFY(list->pages().size() > 1000);
        QTRY_VERIFY(list->model().index(0, EventModel::Name).data().toString().size() > 3);
        QVERIFY(window.context().time().visible() == rangeOf(*timeline));
    }

    void choosingAnEventSetsTheCursorAndTheCursorChoosesTheEvent()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));
        auto* list = window.docks().view("events")->findChild<EventList*>();
        QTRY_VERIFY(list->pages().row(3) != nullptr);

        emit list->chosen(3);

        QVERIFY(window.context().time().cursor() == list->pages().row(3)->time);
        const TimeRange full = window.context().time().full();
        window.context().time().setCursor(full.begin + full.duration() / 2);
        QTRY_VERIFY(list->current() && *list->current() > 100);
        const std::uint64_t at = *list->current();
        QTRY_VERIFY(list->pages().row(at) && list->pages().row(at)->time >= full.begin + full.duration() / 2);
    }

    /// Property: after a session is opened, the time panels have the focus, whichever widget had it when the session was saved, even with
    /// a filter.
    void aSessionOpensWithTheFocusInTheTimePanels()
    {
        const QString path = m_cache.filePath("kept.heliograph");
        {
            MainWindow window;
            QVERIFY(test::openIn(window));
            window.context().filter("name == \"sched_switch\"");
            QVERIFY(saveSession(window.sessionState(), path));
        }
        MainWindow window;
        QVERIFY(test::openIn(window, {path}));
        QTRY_VERIFY(qobject_cast<TimeGraph*>(window.focusWidget()));
        // Input: a session file of an older version, which contains the filter only.
        SessionState former = window.sessionState();
        former.layout = {};
        former.filter = "name == \"sched_waking\"";
        QVERIFY(saveSession(former, path));
        window.open({path});
        QTRY_COMPARE(window.sessionState().filter, former.filter);
        QTRY_VERIFY(qobject_cast<TimeGraph*>(window.focusWidget()));
    }

    void aSearchMarksItsHitsAndStepsThroughThem()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));
        const SearchHits& hits = window.context().hits();

        window.context().search("name == \"sched_switch\"");

        QTRY_VERIFY_WITH_TIMEOUT(hits.isComplete() && !hits.hits().empty(), 20000);
        window.context().time().setCursor(window.context().time().full().begin);
        window.actions().at("analyse.next-hit").trigger();
        window.actions().at("analyse.next-hit").trigger();
        QVERIFY(hits.current().has_value());
        QVERIFY(window.context().time().cursor() == hits.hits()[*hits.current()].time);
        // Hits are marked on the rows of their threads. The row with the current hit is selected.
        const Timestamp at = window.context().time().cursor();
        window.context().time().setVisible({at - Duration(1'000'000), at + Duration(1'000'000)});
        const HitRows& rows = window.findChild<TimeArea*>()->axis().hitRows();
        const auto inView = [&] {
            return std::size_t(std::ranges::count_if(
                hits.hits(), [&](const EventHit& hit) { return window.context().time().visible().contains(hit.time); }));
        };
        // Returns the rows with the current event's mark, and the number of marks on all rows.
        const auto marked = [&](const char* panel) {
            std::pair<std::vector<TrackRef>, std::size_t> found;
            for (const Row& it : helio::rows(*window.context().timeline(), panel))
                if (const auto row = rows.times().find(it.ref); row != rows.times().end()) {
                    found.second += row->second.size();
                    if (std::ranges::binary_search(row->second, at))
                        found.first.push_back(it.ref);
                }
            return found;
        };
        QTRY_COMPARE(marked("resources").second, inView());
        // Among the rows of CPUs, only the row of the CPU with the current event has the mark of this event.
        QCOMPARE(marked("resources").first.size(), std::size_t(1));
        const auto [threads, count] = marked("control-flow");
        QVERIFY(count > 0 && threads.size() <= 1);
        QTRY_COMPARE(window.context().time().row(), threads.empty() ? marked("resources").first.front() : threads.front());

        window.context().search("name == ");
        QVERIFY(hits.problem().startsWith("column "));
    }

    void whatCannotBeOpenedIsSaidInPlace()
    {
        MainWindow window;
        window.show();

        window.open({"/nonexistent/trace"});

        QTRY_VERIFY(window.session().state() == Session::State::Failed);
        QVERIFY(!window.session().problem().isEmpty());
        bool isSaid = false;
        for (const QLabel* label : window.findChildren<QLabel*>())
            isSaid |= label->isVisible() && label->text().contains("Cannot open");
        QVERIFY(isSaid);
    }

    void aSessionComesBackAsItWas()
    {
        QTemporaryDir folder;
        SessionState state;
        {
            MainWindow window;
            QVERIFY(test::openIn(window));
            TimeWindow& time = window.context().time();
            const TimeRange full = time.full();
            time.setVisible({full.begin + full.duration() / 4, full.begin + full.duration() / 2});
            time.setSelection({full.begin + full.duration() / 3, full.begin + full.duration() / 2});
            time.setCursor(full.begin + full.duration() / 3);
            time.setRow(rows(*window.context().timeline(), "resources").front().ref);
            window.context().bookmarks().add({time.cursor(), time.cursor()}, "here");
            state = window.sessionState();
            state.symbols.directories = {folder.path().toStdString()};
            QVERIFY(saveSession(state, folder.filePath("a.heliograph")));
        }
        MainWindow window;
        QVERIFY(test::openIn(window, {folder.filePath("a.heliograph")}));
        QTRY_VERIFY(window.context().time().row().isValid());
        const SessionState again = window.sessionState();
        QVERIFY(again.visible == state.visible);
        QVERIFY(again.selection == state.selection);
        QVERIFY(again.cursor == state.cursor);
        QVERIFY(again.bookmarks == state.bookmarks);
        QCOMPARE(again.rowId, state.rowId);
        QCOMPARE(again.traces, state.traces);
        QVERIFY(again.symbols.directories == state.symbols.directories);

        window.actions().at("file.reload").trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window.session().state() == Session::State::Ready, 20000);
        QVERIFY(window.sessionState().symbols.directories == state.symbols.directories);
    }

    void aHeldRangeIsComparedWithTheNextOne()
    {
        MainWindow window;
        window.show();
        window.open({Sample});
        QTRY_VERIFY_WITH_TIMEOUT(window.session().state() == Session::State::Ready, 20000);
        TimeWindow& time = window.context().time();
        const Timestamp begin = time.full().begin;
        QVERIFY(!window.actions().at("compare.with-held").isEnabled());
        time.setSelection({begin, begin + Duration(1'000'000)});
        window.actions().at("compare.hold").trigger();
        const auto comparisons = [] {
            QList<CompareWindow*> all;
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (auto* one = qobject_cast<CompareWindow*>(widget))
                    all << one;
            return all;
        };
        window.actions().at("compare.with-held").trigger();
        QVERIFY(comparisons().isEmpty()); // No compare window opens, because the two selected ranges are equal.
        time.setSelection({begin + Duration(5'000'000), begin + Duration(7'000'000)});
        window.actions().at("compare.with-held").trigger();

        QCOMPARE(comparisons().size(), 1);
        const std::unique_ptr<CompareWindow> opened(comparisons().front());
        QTRY_VERIFY_WITH_TIMEOUT(opened->session(Side::B).state() == Session::State::Ready, 20000);
        QTRY_COMPARE(opened->context().a().time().selection(), (TimeRange{begin, begin + Duration(1'000'000)}));
        QTRY_COMPARE(opened->context().b().time().selection(), time.selection());
    }

    void belowItsWidthTheSideDocksAreTabsBelow()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));

        window.resize(1100, 700);
        QTRY_VERIFY(window.docks().isNarrow());
        QVERIFY(window.docks().show("details"));
        QVERIFY(window.docks().view("details")->isVisible());

        window.resize(1440, 900);
        QTRY_VERIFY(!window.docks().isNarrow());
        QVERIFY(window.docks().view("details")->isVisible());
        QVERIFY(window.docks().view("events")->isVisible());
    }

    void thePaletteRunsACommand()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));
        auto& box = *window.findChild<Omnibox*>();

        box.open(":+1s");
        QTest::keyClick(&box, Qt::Key_Return);

        QVERIFY(window.context().time().cursor() == window.context().time().full().begin + std::chrono::seconds(1));
        QVERIFY(!box.isOpen());
    }

    void readingThatEndsLeavesTheFocusWhereItIs()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));
        auto& box = *window.findChild<Omnibox*>();
        box.open(">read");

        // The session emits this signal at each change of its state, for example when its traces are read completely.
        emit window.session().stateChanged();

        QVERIFY(window.focusWidget() == &box);
        QVERIFY(box.isOpen());
    }

    void whatCannotBeOpenedIsNotOfferedAgain()
    {
        Settings().clearRecent();
        MainWindow window;

        window.open({Sample + "-that-is-not-there"});
        QTRY_VERIFY(window.session().state() == Session::State::Failed);

        QVERIFY(Settings().recentFiles().isEmpty());
        window.open({Sample});
        QTRY_VERIFY_WITH_TIMEOUT(window.session().state() == Session::State::Ready, 20000);
        QCOMPARE(Settings().recentFiles(), QStringList{Sample});
    }

    void aThemeChosenLiveReachesTheTables()
    {
        Themes::instance().setTheme(Theme::Kind::Dark);
        MainWindow window;
        QVERIFY(test::openIn(window));

        for (const Theme::Kind kind : {Theme::Kind::Dark, Theme::Kind::Light, Theme::Kind::Dark}) {
            Themes::instance().setTheme(kind);
            int seen = 0;
            for (QAbstractItemView* table : window.findChildren<QAbstractItemView*>()) {
                const bool isTable = qobject_cast<QTreeView*>(table) || qobject_cast<QTableView*>(table);
                if (!isTable || !table->isVisible())
                    continue;
                const QImage picture = table->viewport()->grab().toImage();
                const QColor ground = picture.pixelColor(picture.width() - 2, picture.height() - 2);
                QVERIFY2((ground.lightness() < 128) == (kind == Theme::Kind::Dark), qPrintable(table->accessibleName()));
                ++seen;
            }
            QVERIFY(seen >= 2);
        }
    }

    void everyControlThatTakesTheFocusHasAName()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));

        QStringList nameless;
        for (const QToolButton* button : window.findChildren<QToolButton*>())
            if (button->isVisible() && button->accessibleName().isEmpty() && button->text().isEmpty()
                && button->objectName() != "qt_menubar_ext_button"
                && !QString(button->parentWidget()->metaObject()->className()).contains("TabBar")
                && !QString(button->parentWidget()->metaObject()->className()).contains("LineEdit"))
                nameless << QString("%1 in %2").arg(button->objectName(), button->parentWidget()->metaObject()->className());
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
    }

private:
    test::OwnHome m_cache;
};

HELIO_TEST(MainWindowTest)
#include "tst_main_window.moc"
