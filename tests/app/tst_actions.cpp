// Actions of a window, which are made from a table.

#include "app/gui/common/actions.h"
#include "tests/support/test_program.h"
#include "widgets/controls/header_bar.h"

#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QToolButton>

using namespace helio;

namespace {

constexpr auto Window = ActionSpec::Scope::Window;
constexpr auto TimeArea = ActionSpec::Scope::TimeArea;

constexpr ActionSpec Table[] = {
    {"file.open", "Open…", "File", 0, "Ctrl+O F2", "Opens", "file", 2, false, Window},
    {"file.quit", "Quit", "File", 1, "", "Ends", "", 0, false, Window},
    {"view.dark", "Dark", "View/Theme", 0, "", "Light text on a dark background", "", 0, true, Window},
    {"view.light", "Light", "View/Theme", 0, "", "Dark text on a light background", "", 0, true, Window},
    {"view.panel-cpus", "CPUs", "View/Panels", 0, "", "Rows of CPUs", "", 0, true, Window},
    {"view.fit", "Fit", "View", 0, "F", "Shows all", "fit", 1, false, Window},
    {"go.next", "Next", "Go", 0, "Right", "To the next", "", 0, false, TimeArea},
};

QStringList textsOf(const QList<QAction*>& actions)
{
    QStringList texts;
    for (const QAction* action : actions)
        texts << (action->isSeparator() ? QStringLiteral("-") : action->text());
    return texts;
}

struct Made {
    QWidget window;
    QWidget timeArea{&window};
    Actions actions{Table, &window, &timeArea};
    HeaderBar header;
};

} // namespace

class ActionsTest : public QObject {
    Q_OBJECT

private slots:
    void menusStandInTheOrderOfTheTable()
    {
        Made it;
        QVERIFY(!it.actions.menu("File"));

        it.actions.fill(it.header);

        QCOMPARE(textsOf(it.header.menus().actions()), QStringList({"File", "View", "Go"}));
        QCOMPARE(textsOf(it.actions.menu("File")->actions()), QStringList({"Open…", "-", "Quit"}));
        QCOMPARE(textsOf(it.actions.menu("View")->actions()), QStringList({"Theme", "Panels", "Fit"}));
        QCOMPARE(textsOf(it.actions.menu("View/Theme")->actions()), QStringList({"Dark", "Light"}));
    }

    void toolsHaveAnOrderOfTheirOwn()
    {
        Made it;
        it.actions.fill(it.header);

        QStringList tips;
        for (const QToolButton* button : it.header.findChildren<QToolButton*>())
            if (button->defaultAction())
                tips << button->toolTip();
        QCOMPARE(tips, QStringList({"Fit (F)", "Open (Ctrl+O, F2)"}));
    }

    void keysOfTheTimeAreaAreHeardInItAlone()
    {
        Made it;
        QCOMPARE(it.timeArea.actions(), QList<QAction*>{&it.actions.at("go.next")});
        QCOMPARE(it.actions.at("go.next").shortcutContext(), Qt::WidgetWithChildrenShortcut);
        QCOMPARE(it.window.actions().size(), qsizetype(std::size(Table)) - 1);
        QCOMPARE(it.actions.at("view.fit").shortcutContext(), Qt::WindowShortcut);
    }

    void anActionDoesWhatItIsBoundTo()
    {
        Made it;
        int fits = 0;
        QList<bool> darks;
        it.actions.on("view.fit", [&] { ++fits; });
        it.actions.onToggled("view.dark", [&](bool isOn) { darks << isOn; });
        it.actions.at("view.fit").trigger();
        it.actions.at("view.dark").trigger();
        it.actions.at("view.dark").trigger();
        it.actions.at("view.dark").setChecked(true); // The program changes the action here, which does not count as the user's choice.
        QCOMPARE(fits, 1);
        QCOMPARE(darks, QList({true, false}));
    }

    void oneActionOfAGroupIsChecked()
    {
        Made it;
        it.actions.group({"view.dark", "view.light"});
        it.actions.at("view.dark").trigger();
        it.actions.at("view.light").trigger();
        QVERIFY(!it.actions.at("view.dark").isChecked() && it.actions.at("view.light").isChecked());
    }

    void panelsThatComeWithATimelineGoWithIt()
    {
        Made it;
        it.actions.fill(it.header);
        it.actions.addPanel("view.panel-load", "Load", "How busy");
        QCOMPARE(textsOf(it.actions.menu(PanelMenu)->actions()), QStringList({"CPUs", "Load"}));

        it.actions.removePanel("view.panel-load");
        it.actions.removePanel("view.panel-cpus"); // This call has no effect, because only actions added at run time can be removed.

        QCOMPARE(textsOf(it.actions.menu(PanelMenu)->actions()), QStringList({"CPUs"}));
        QVERIFY(it.actions.contains("view.panel-cpus") && !it.actions.contains("view.panel-load"));
    }
};

HELIO_TEST(ActionsTest)
#include "tst_actions.moc"
