#include "app/gui/common/action_table.h"
#include "app/gui/compare_window/comparison_actions.h"
#include "app/gui/fleet/fleet_actions.h"
#include "tests/support/test_program.h"

#include <QHash>
#include <QSet>
#include <QTest>

using namespace helio;

class ActionTableTest : public QObject {
    Q_OBJECT

private slots:
    void everyIdAndShortcutIsUnique_data() { eachTable(); }
    void everyIdAndShortcutIsUnique()
    {
        QSet<QString> ids;
        QHash<QString, QString> owners;
        for (const ActionSpec& action : table()) {
            QVERIFY2(!ids.contains(action.id), action.id);
            ids << action.id;
            for (const QKeySequence& keys : shortcutsOf(action)) {
                const QString name = keys.toString(QKeySequence::PortableText);
                QVERIFY2(!name.isEmpty(), action.id);
                QVERIFY2(!owners.contains(name), qPrintable(name + " belongs to " + owners.value(name) + " and " + action.id));
                owners[name] = action.id;
            }
        }
        QVERIFY(!ids.isEmpty());
    }

    void everyHabitHasItsKey_data()
    {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QString>("id");
        const QList<std::pair<const char*, const char*>> habits{{"W", "view.zoom-in"},
                                                                {"S", "view.zoom-out"},
                                                                {"A", "view.pan-left"},
                                                                {"D", "view.pan-right"},
                                                                {"+", "view.zoom-in"},
                                                                {"-", "view.zoom-out"},
                                                                {"F", "view.fit"},
                                                                {"Ctrl+0", "view.fit"},
                                                                {"Z", "view.zoom-selection"},
                                                                {"Left", "go.previous-state"},
                                                                {"Right", "go.next-state"},
                                                                {"Ctrl+Left", "go.previous-event"},
                                                                {"Ctrl+Right", "go.next-event"},
                                                                {".", "go.next-arrow"},
                                                                {",", "go.previous-arrow"},
                                                                {"M", "go.bookmark"},
                                                                {"Shift+M", "go.bookmark-name"},
                                                                {"Ctrl+F", "analyse.search"},
                                                                {"/", "analyse.search"},
                                                                {"F3", "analyse.next-hit"},
                                                                {"Shift+F3", "analyse.previous-hit"},
                                                                {"Ctrl+G", "go.time"},
                                                                {"Ctrl+Shift+P", "help.palette"},
                                                                {"Ctrl+K", "help.palette"},
                                                                {"Alt+Left", "go.back"},
                                                                {"Alt+Right", "go.forward"},
                                                                {"?", "help.habits"},
                                                                {"F1", "help.habits"},
                                                                {"Ctrl+O", "file.open"}};
        for (const auto& [keys, id] : habits)
            QTest::newRow(keys) << keys << id;
    }
    void everyHabitHasItsKey()
    {
        QFETCH(QString, keys);
        QFETCH(QString, id);
        for (const ActionSpec& action : actionTable())
            for (const QKeySequence& sequence : shortcutsOf(action))
                if (sequence.toString(QKeySequence::PortableText) == keys) {
                    QCOMPARE(QString(action.id), id);
                    return;
                }
        QFAIL("no action has this key");
    }

    void everyMouseHabitIsListed()
    {
        QStringList inputs;
        for (const GestureSpec& gesture : gestureTable())
            inputs << gesture.input;
        for (const char* input : {"Wheel", "Ctrl+wheel", "Shift+wheel", "Left drag", "Middle drag, Space + left drag", "Right drag",
                                  "Click", "Double-click a state"})
            QVERIFY2(inputs.contains(input), input);
    }

    void everyActionSaysWhatItDoes_data() { eachTable(); }
    void everyActionSaysWhatItDoes()
    {
        for (const ActionSpec& action : table()) {
            QVERIFY2(*action.text && *action.menu && *action.tip, action.id);
            QVERIFY2(!action.tool || *action.icon, action.id);
        }
    }

private:
    static void eachTable()
    {
        QTest::addColumn<int>("window");
        QTest::newRow("experiment") << 0;
        QTest::newRow("comparison") << 1;
        QTest::newRow("fleet") << 2;
    }
    static std::span<const ActionSpec> table()
    {
        const int window = *static_cast<int*>(QTest::qData("window", qMetaTypeId<int>()));
        return window == 0 ? actionTable() : window == 1 ? comparisonActions() : fleetActions();
    }
};

HELIO_TEST(ActionTableTest)
#include "tst_action_table.moc"
