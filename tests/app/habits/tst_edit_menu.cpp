// Properties of the Edit menu: one history of all changes of a window, with names; Copy reaches the focused view.

#include "tests/app/exports/open_window.h"
#include "tests/support/open_comparison.h"
#include "tests/support/test_program.h"
#include "widgets/controls/copy_text.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/panels/track_panel.h"
#include "widgets/workspace/context_settings.h"

#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

using namespace helio;

namespace {

QStringList namesOf(const TrackPanel& panel)
{
    QStringList names;
    for (int i = 0; i < panel.graph()->rows().count(); ++i)
        names << panel.graph()->rows()[i].name;
    return names;
}

/// Returns the index of the first row of a panel that has bars.
int firstRow(const TrackPanel& panel)
{
    for (int i = 0; i < panel.graph()->rows().count(); ++i)
        if (panel.graph()->rows()[i].ref.isValid() && !panel.graph()->rows()[i].hasChildren)
            return i;
    return -1;
}

/// Triggers an action of the panel's context menu for a row.
bool choose(TrackPanel& panel, TrackRef row, const QString& text)
{
    QMenu menu;
    panel.addRowActions(menu, row);
    for (QAction* action : menu.actions())
        if (action->text() == text) {
            action->trigger();
            return true;
        }
    return false;
}

QString textOf(OpenWindow& it, const char* id) { return it.window.actions().at(id).text(); }

} // namespace

class EditMenuTest : public QObject {
    Q_OBJECT

private slots:
    void theMenuHasUndoRedoCopyAndFind()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        QStringList entries;
        for (const QAction* action : it.window.actions().menu("Edit")->actions())
            if (!action->isSeparator())
                entries << action->text();
        QCOMPARE(entries, QStringList({"Undo", "Redo", "Copy", "Find…", "Next hit", "Previous hit", "Clear search"}));
        QVERIFY(!it.window.actions().at("edit.undo").isEnabled()); // Opening a trace is not in the history, so the user cannot undo it.
        QVERIFY(!it.window.actions().at("edit.redo").isEnabled());
    }

    void hiddenAndPinnedRowsComeBack()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TrackPanel* panel = it.area().rowsPanel("control-flow");
        QTRY_VERIFY(firstRow(*panel) >= 0);
        it.window.actions().at("view.resting").trigger(); // Show all rows, also idle rows, so that no row appears or disappears by itself.
        QTRY_VERIFY(namesOf(*panel).size() > 5);
        const QStringList all = namesOf(*panel);
        const GraphRow row = panel->graph()->rows()[firstRow(*panel)];

        QVERIFY(choose(*panel, row.ref, "Hide this row"));
        QTRY_COMPARE(namesOf(*panel).size(), all.size() - 1);
        QCOMPARE(textOf(it, "edit.undo"), "Undo Hide " + row.name);
        it.trigger("edit.undo");
        QTRY_COMPARE(namesOf(*panel), all);
        QVERIFY(it.isSaid("Undone: Hide " + row.name));
        QCOMPARE(textOf(it, "edit.redo"), "Redo Hide " + row.name);
        it.trigger("edit.redo");
        QTRY_COMPARE(namesOf(*panel).size(), all.size() - 1);

        const GraphRow next = panel->graph()->rows()[firstRow(*panel)];
        QVERIFY(choose(*panel, next.ref, "Pin to top"));
        QTRY_COMPARE(panel->pinnedGraph()->rows().count(), 1);
        QVERIFY(choose(*panel, next.ref, "Unhide rows"));
        QTRY_COMPARE(namesOf(*panel), all);
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo Unhide rows"));
        it.trigger("edit.undo");
        QTRY_COMPARE(namesOf(*panel).size(), all.size() - 1);
        QCOMPARE(panel->pinnedGraph()->rows().count(), 1);
        QCOMPARE(textOf(it, "edit.undo"), "Undo Pin " + next.name);
        it.trigger("edit.undo");
        QTRY_COMPARE(panel->pinnedGraph()->rows().count(), 0);
    }

    /// Property: during a preview, Undo drops the preview, says so, and undoes no change.
    void undoDuringAPreviewSaysThatItDropsIt()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        ChangeHistory& changes = it.window.context().changes();
        int undone = 0, dropped = 0;
        changes.add(&it.window, {.text = "hide all", .undo = [&] { ++undone; }, .redo = [] {}});
        changes.setPreview([&] { ++dropped; });
        QCOMPARE(textOf(it, "edit.undo"), QString("Drop preview"));
        it.trigger("edit.undo");
        QCOMPARE(dropped, 1);
        QCOMPARE(undone, 0);
        QVERIFY(it.isSaid("Preview dropped; no change was undone"));
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo Hide all"));
        it.trigger("edit.undo");
        QCOMPARE(undone, 1);
        QVERIFY(it.isSaid("Undone: Hide all"));
        changes.setPreview([&] { ++dropped; });
        QVERIFY(it.window.actions().at("edit.undo").isEnabled()); // No change, but a preview.
        changes.setPreview({});
        QVERIFY(!it.window.actions().at("edit.undo").isEnabled());
        changes.forget(&it.window);
    }

    void aTypedFilterIsOneChange()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TrackPanel* panel = it.area().rowsPanel("control-flow");
        panel->header()->openFilter();
        QTest::keyClicks(panel->header()->filter(), "worker");
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo Filter rows by “worker”"));
        QTest::keyClick(panel->header()->filter(), Qt::Key_Escape);
        QVERIFY(!it.window.actions().at("edit.undo").isEnabled()); // The filter was typed and cleared again, so there is no change to undo.
        panel->header()->openFilter();
        QTest::keyClicks(panel->header()->filter(), "work");
        QTest::keyClick(panel->header()->filter(), Qt::Key_Return);
        // Simulates that the field loses the focus, which does not happen on the offscreen platform.
        it.window.context().changes().endMerging();
        QTest::keyClicks(panel->header()->filter(), "er-1");
        it.trigger("edit.undo");
        QCOMPARE(panel->header()->filter()->text(), QString("work"));
        it.trigger("edit.undo");
        QCOMPARE(panel->header()->filter()->text(), QString());
        QVERIFY(!it.window.actions().at("edit.undo").isEnabled());
        it.trigger("edit.redo");
        QCOMPARE(panel->header()->filter()->text(), QString("work"));
    }

    void filtersOfDocksAreUndone_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("name");
        QTest::newRow("requests") << "Filter requests"
                                  << "requests";
        QTest::newRow("functions") << "Filter functions"
                                   << "functions";
        QTest::newRow("packets") << "Filter connections"
                                 << "connections";
    }
    void filtersOfDocksAreUndone()
    {
        QFETCH(QString, field);
        QFETCH(QString, name);
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus(QTest::currentDataTag());
        const auto fields = it.window.docks().view(QTest::currentDataTag())->findChildren<QLineEdit*>();
        const auto found = std::ranges::find(fields, field, &QLineEdit::accessibleName);
        QVERIFY(found != fields.end());
        QLineEdit& filter = **found;
        QVERIFY(!it.window.actions().at("edit.undo").isEnabled());

        QTest::keyClicks(&filter, "read");
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo Filter %1 by “read”").arg(name));
        emit filter.editingFinished(); // Offscreen, the field does not lose the focus by itself.
        filter.clear();
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo Clear filter of %1").arg(name));
        it.trigger("edit.undo");
        QCOMPARE(filter.text(), QString("read"));
        it.trigger("edit.undo");
        QCOMPARE(filter.text(), QString());
        QVERIFY(!it.window.actions().at("edit.undo").isEnabled());
        it.trigger("edit.redo");
        QCOMPARE(filter.text(), QString("read"));
    }

    void shownIdleRowsAreHiddenAgain()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TimeAxis& axis = it.area().axis();
        QVERIFY(axis.hidesResting());
        it.trigger("view.resting");
        QVERIFY(!axis.hidesResting());
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo Show idle rows"));
        it.trigger("edit.undo");
        QVERIFY(axis.hidesResting() && it.window.actions().at("view.resting").isChecked());
        QCOMPARE(textOf(it, "edit.redo"), QString("Redo Show idle rows"));
    }

    void highlightedStatesAreUndone()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TrackPanel* panel = it.area().rowsPanel("control-flow");
        QTRY_VERIFY(!panel->header()->legend().empty());
        const QString first = panel->header()->legend().front().text;
        const QString last = panel->header()->legend().back().text;
        emit panel->header()->chipClicked(first);
        emit panel->header()->chipClicked(last);
        QCOMPARE(panel->focusState(), last);
        QCOMPARE(textOf(it, "edit.undo"), "Undo Highlight " + last);
        it.trigger("edit.undo");
        QCOMPARE(panel->focusState(), first);
        it.trigger("edit.undo");
        QCOMPARE(panel->focusState(), QString());

        it.focus("legend");
        QToolButton* state = nullptr;
        QTRY_VERIFY([&] {
            for (auto* button : it.window.docks().view("legend")->findChildren<QToolButton*>())
                state = button->property("legend").toString() == first ? button : state;
            return state != nullptr;
        }());
        state->click();
        QCOMPARE(StateFocus::of(it.window.context()).legend(), first);
        QCOMPARE(textOf(it, "edit.undo"), "Undo Highlight " + first);
        it.trigger("edit.undo");
        QCOMPARE(StateFocus::of(it.window.context()).legend(), QString());
        QVERIFY(!it.window.actions().at("edit.undo").isEnabled());
    }

    void theFilterOfEventsIsUndone()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("events");
        const EventPages& pages = it.window.docks().view("events")->findChild<EventList*>()->pages();
        QTRY_VERIFY(pages.size() > 0);
        const auto all = pages.size();
        const auto filter = [&] { return it.window.sessionState().filter; };
        it.window.context().filter("name == \"sched_switch\"");
        QTRY_COMPARE(filter(), QString("name == \"sched_switch\""));
        QTRY_VERIFY(pages.size() < all); // Wait until the event table is shorter: the events that match the filter are listed.
        it.window.context().filter("name == "); // An invalid filter has no effect and is not added to the history.
        it.window.context().filter("cpu == 0");
        QTRY_COMPARE(filter(), QString("cpu == 0"));
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo Filter events by “cpu == 0”"));
        it.trigger("edit.undo");
        QTRY_COMPARE(filter(), QString("name == \"sched_switch\""));
        it.trigger("edit.undo");
        QTRY_COMPARE(filter(), QString());
        QVERIFY(!it.window.actions().at("edit.undo").isEnabled());
    }

    void panelsReturnToTheirPlaces()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TimePanels& panels = *it.area().panels();
        const QStringList before = panels.panelIds();
        TimePanel* threads = it.area().panel("control-flow");
        panels.move(threads, -1);
        panels.move(threads, -1);
        const QStringList after = panels.panelIds();
        QVERIFY(after != before);
        QCOMPARE(textOf(it, "edit.undo"), "Undo Move panel " + threads->name());
        it.trigger("edit.undo");
        QCOMPARE(panels.panelIds(), before);
        // The two moves of the panel above were one step of the history, so there is nothing left to undo.
        QVERIFY(!it.window.actions().at("edit.undo").isEnabled());
        it.trigger("edit.redo");
        QCOMPARE(panels.panelIds(), after);
        it.window.actions().at("view.panel-control-flow").trigger();
        QVERIFY(!panels.isPanelWanted(threads));
        QCOMPARE(textOf(it, "edit.undo"), "Undo Hide panel " + threads->name());
        it.trigger("edit.undo");
        QVERIFY(panels.isPanelWanted(threads));
        QVERIFY(it.window.actions().at("view.panel-control-flow").isChecked());
    }

    void changesOfAllKindsAreUndoneInOrderAndMovesAreNone()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TimeWindow& time = it.window.context().time();
        it.trigger("go.bookmark");
        it.area().panels()->move(it.area().panel("control-flow"), -1);
        it.trigger("go.marker-a");
        const TimeRange half{time.full().begin, time.full().begin + time.full().duration() / 2};
        time.jump({.visible = half});
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo Set marker A"));
        it.trigger("edit.undo");
        QCOMPARE(time.visible(), half); // Changes of the visible range are undone by Back, not by Undo.
        it.trigger("edit.undo");
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo Add bookmark 1"));
        it.trigger("edit.undo");
        QVERIFY(it.window.context().bookmarks().all().empty());
        it.trigger("go.back");
        QVERIFY(time.visible() != half);
    }

    void reloadingKeepsTheHistoryAndOtherTracesEndIt()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.trigger("go.bookmark");
        it.trigger("file.reload");
        QTRY_COMPARE_WITH_TIMEOUT(it.window.session().state(), Session::State::Ready, 20'000);
        QCOMPARE(it.window.context().bookmarks().all().size(), std::size_t(1));
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo Add bookmark 1"));
        QVERIFY(test::openIn(it.window, {QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small")}));
        QVERIFY(!it.window.actions().at("edit.undo").isEnabled());
        QCOMPARE(textOf(it, "edit.undo"), QString("Undo"));
    }

    void openingASideKeepsTheChangesOfTheOther()
    {
        test::OpenComparison it({Sample}, {Sample});
        QVERIFY(it.isReady());
        CompareWindow& window = it.window;
        ViewContext& a = window.context().a();
        ViewContext& b = window.context().b();
        const auto bookmark = [](ViewContext& side) { side.bookmarks().add({side.time().full().begin, side.time().full().begin}); };
        QVERIFY(!a.changes().canUndo());
        bookmark(a);
        bookmark(b);
        bookmark(a); // The call changes nothing, because the bookmark exists already.
        QCOMPARE(a.changes().undoText(), QString("Add bookmark 1 (B)"));
        QAction* const undo = it.action("edit.undo");
        QVERIFY(undo);
        QCOMPARE(undo->text(), QString("Undo Add bookmark 1 (B)"));

        window.session(Side::B).open({QStringLiteral(SOURCE_DIR "/tests/fixtures/kernel-small")}, it.options);

        QVERIFY(it.isReady());
        QCOMPARE(undo->text(), QString("Undo Add bookmark 1 (A)"));
        undo->trigger();
        QVERIFY(a.bookmarks().all().empty());
        QVERIFY(!undo->isEnabled());
    }

    void aSharedFilterOfBothSidesIsOneChange()
    {
        test::OpenComparison it({Sample}, {Sample});
        QVERIFY(it.isReady());
        CompareWindow& window = it.window;
        ChangeHistory& changes = window.context().a().changes();
        QList<TrackPanel*> panels;
        for (TimeArea* area : window.findChildren<TimeArea*>())
            panels << area->rowsPanel(TrackRole::Thread);
        QCOMPARE(panels.size(), 2);
        QVERIFY(!changes.canUndo());
        const QString before = panels[0]->header()->filter()->text();
        panels[0]->header()->filter()->setText("idle");
        QCOMPARE(panels[1]->header()->filter()->text(), QString("idle"));
        changes.undo();
        QCOMPARE(panels[0]->header()->filter()->text(), before);
        QCOMPARE(panels[1]->header()->filter()->text(), before);
        QVERIFY(!changes.canUndo());
    }

    void copyTakesTheSelectedStateOrTheFocusedTable()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TrackPanel* panel = it.area().rowsPanel("control-flow");
        QTRY_VERIFY(firstRow(*panel) >= 0);
        panel->body()->setFocus();
        QGuiApplication::clipboard()->clear();
        it.trigger("edit.copy");
        QCOMPARE(clipboard(), QString());
        QVERIFY(it.isSaid("No row is selected"));
        const GraphRow row = panel->graph()->rows()[firstRow(*panel)];
        it.window.context().time().setRow(row.ref);
        const TimeRange full = it.window.context().time().full();
        it.window.context().time().setCursor(full.begin + full.duration() / 2);
        it.trigger("edit.copy");
        const QStringList parts = clipboard().split('\t');
        QCOMPARE(parts.size(), 4);
        QCOMPARE(parts[0], row.place.isEmpty() ? row.name + ' ' + row.id : row.place);
        const auto state = intervalAt(*it.window.context().timeline(), row.ref, it.window.context().time().cursor());
        QVERIFY(!state.empty());
        QVERIFY(!parts[1].isEmpty());
        QCOMPARE(parts[2], plainText(timeText(state[0].range.begin, it.window.context().timeFormat())));
        QCOMPARE(parts[3], plainText(durationText(state[0].range.duration())));

        panel->header()->openFilter();
        panel->header()->filter()->setText("typed");
        panel->header()->filter()->selectAll();
        it.trigger("edit.copy");
        QCOMPARE(clipboard(), QString("typed"));
    }
};

HELIO_TEST(EditMenuTest)
#include "tst_edit_menu.moc"
