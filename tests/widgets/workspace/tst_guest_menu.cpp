#include "tests/core/correlators/machines/made_machines.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/panels/guest_menu.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/timeline/panels/track_panel.h"
#include "widgets/workspace/view_context.h"

#include <QAction>
#include <QMenu>
#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Makes a host on which threads 20 and 21 of process 10 are vCPUs.
std::shared_ptr<KvmScript> hostOfOne()
{
    auto host = std::make_shared<KvmScript>();
    host->dump(0, 20, 10, 1, 0, 5).dump(0, 21, 10, 2, 0, 5);
    for (const int cpu : {1, 2}) {
        host->sw(5 + cpu, cpu, 0, 0, 19 + cpu);
        host->entry(10 + cpu, cpu).exit(20 + cpu, cpu, cpu - 1, Interrupt);
    }
    return host;
}

std::shared_ptr<KvmScript> guestOfOne()
{
    auto guest = std::make_shared<KvmScript>();
    guest->sw(12, 0, 0, 0, 7).sw(12, 1, 0, 0, 8);
    return guest;
}

/// Actions of the menu "Guest of" as text, one a line; checked ones are marked, submenus are listed with their actions.
QStringList linesOf(const QMenu& menu)
{
    QStringList lines;
    for (const QAction* action : menu.actions())
        if (action->menu())
            lines << action->text() + ": " + linesOf(*action->menu()).join(", ");
        else if (!action->isSeparator())
            lines << (action->isChecked() ? "*" : "") + action->text();
    return lines;
}

/// Fills the menu of a host and waits until the choices are computed.
void fill(QMenu& menu, ViewContext& context, std::uint32_t host)
{
    addGuestMenu(menu, context, host);
    QTRY_VERIFY(GuestChoices::of(context).ask());
    for (QAction* action : menu.actions()) // Removes invisible actions.
        if (!action->isVisible())
            menu.removeAction(action);
}

QAction* lineOf(const QMenu& menu, const QString& text)
{
    for (QAction* action : menu.actions()) {
        if (QAction* found = action->menu() ? lineOf(*action->menu(), text) : nullptr)
            return found;
        if (action->text() == text)
            return action;
    }
    return nullptr;
}

} // namespace

class GuestMenuTest : public QObject {
    Q_OBJECT

private slots:
    void aHostIsGivenToAMachineAndBack()
    {
        MadeMachines made;
        made.add(hostOfOne(), "nest", 100);
        const std::uint32_t guest = made.add(guestOfOne(), "web", 100);
        ViewContext context;
        // Stands in for Session: applies changed clock settings to the timeline.
        connect(&context.clocks(), &ClockHistory::choiceChanged, this, [&] {
            Timeline now = made.timeline();
            now.clockSettings = context.clocks().choice();
            context.setTimeline(std::make_shared<const Timeline>(std::move(now)));
        });
        context.setTimeline(std::make_shared<const Timeline>(made.timeline()));
        const auto lines = [&](std::uint32_t host) {
            QMenu menu;
            fill(menu, context, host);
            return linesOf(menu);
        };
        const auto choose = [&](const QString& text) {
            QMenu menu;
            fill(menu, context, guest);
            QVERIFY2(lineOf(menu, text), qPrintable(text));
            lineOf(menu, text)->trigger();
        };

        QMenu asking;
        addGuestMenu(asking, context, guest);
        // The menu is disabled while the search for virtual machines runs in another thread.
        QVERIFY(!asking.actions().first()->isEnabled());
        QCOMPARE(linesOf(asking), QStringList("Guest of: "));
        QTRY_VERIFY(asking.actions().first()->isEnabled());
        QCOMPARE(linesOf(asking), QStringList("Guest of: *As detected, process-10 on nest, No virtual machine here"));

        QCOMPARE(lines(0), QStringList()); // There is no menu, because a host cannot be a guest of the virtual machine that it runs.
        QCOMPARE(lines(guest), QStringList("Guest of: *As detected, process-10 on nest, No virtual machine here"));

        choose("process-10 on nest");
        QCOMPARE(context.changes().undoText(), QString("Guest assignment of web"));
        QCOMPARE(lines(guest),
                 QStringList("Guest of: As detected, *process-10 on nest (now), No virtual machine here, CPU 0 runs in thread: "
                             "*t20 (20), t21 (21), CPU 1 runs in thread: t20 (20), *t21 (21)"));
        QVERIFY(context.clocks().choice().guests.at("web") == (GuestOverride{"nest", 10}));

        QMenu menu;
        fill(menu, context, guest);
        lineOf(menu, "CPU 0 runs in thread")->menu()->actions().last()->trigger();
        QVERIFY(context.clocks().choice().guests.at("web") == (GuestOverride{"nest", 10, {{0, 21}}}));
        QVERIFY(lines(guest).first().contains("CPU 0 runs in thread: t20 (20), *t21 (21)"));

        choose("No virtual machine here");
        QCOMPARE(lines(guest), QStringList("Guest of: As detected, process-10 on nest, *No virtual machine here"));
        context.changes().undo();
        context.changes().undo();
        QVERIFY(context.clocks().choice().guests.at("web") == (GuestOverride{"nest", 10}));
        choose("As detected");
        QVERIFY(context.clocks().choice() == ClockSettings());
    }

    /// Property: the menu opens at the name and badge of a row in the panel of virtual machines.
    void theRowOfAMachineHasItsGuestsMenu()
    {
        MadeMachines made;
        const auto nest = made.add(hostOfOne(), "nest", 100);
        made.addHypercall(nest, 20, made.add(guestOfOne(), "web", 100));
        ViewContext context;
        TimeArea area(context);
        context.setTimeline(std::make_shared<const Timeline>(made.withRows()));
        const auto actionsAt = [&](const std::string& id) {
            QMenu menu;
            TrackRef at;
            for (const Row& row : rows(*context.timeline(), "vm"))
                if (row.id == id)
                    at = row.ref;
            area.addRowActions(menu, at);
            QStringList words;
            for (const QAction* it : menu.actions())
                words << it->text();
            return words;
        };
        QTRY_VERIFY(GuestChoices::of(context).ask());
        QTRY_VERIFY(area.rowsPanel("vm") && area.rowsPanel("vm")->graph()->rows().count() > 0);
        const QStringList ofMachine = actionsAt("vm:web");
        for (const char* word : {"Rename web…", "Colour of web", "Guest of", "Clock of web…", "Show only events of web", "Hide this row"})
            QVERIFY2(ofMachine.contains(QString::fromUtf8(word)), word);
        const QStringList ofVcpu = actionsAt("vm:web/vcpu:0");
        QVERIFY(ofVcpu.contains("Guest of") && !ofVcpu.contains("Colour of web"));
        QVERIFY(!actionsAt("vm:web/tid:7").contains("Guest of"));
    }
};

HELIO_TEST(GuestMenuTest)
#include "tst_guest_menu.moc"
