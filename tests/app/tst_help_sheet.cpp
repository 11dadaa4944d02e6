#include "app/gui/common/action_table.h"
#include "app/gui/common/help_sheet.h"
#include "app/gui/compare_window/comparison_actions.h"
#include "app/gui/fleet/fleet_actions.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;

class HelpSheetTest : public QObject {
    Q_OBJECT

private slots:
    void everyActionAndGestureIsListed_data()
    {
        QTest::addColumn<int>("window");
        QTest::newRow("window") << 0;
        QTest::newRow("comparison") << 1;
        QTest::newRow("fleet") << 2;
    }
    void everyActionAndGestureIsListed()
    {
        QFETCH(int, window);
        const std::span<const ActionSpec> actions = window == 0 ? actionTable() : window == 1 ? comparisonActions() : fleetActions();
        const HelpSheet sheet(actions);

        QCOMPARE(sheet.lines().size(), qsizetype(actions.size() + gestureTable().size()));
        for (const ActionSpec& action : actions) {
            const QString line = QString::fromUtf8(action.text).remove(QStringLiteral("\u2026")) + ": " + shortcutText(action);
            const auto isIt = [&](const QString& shown) { return shown.endsWith(line); };
            QVERIFY2(std::ranges::any_of(sheet.lines(), isIt), qPrintable(line));
        }
        for (const GestureSpec& gesture : gestureTable())
            QVERIFY(sheet.lines().contains(QString("%1: %2").arg(gesture.does, gesture.input)));
    }

    void aWindowHasOneSheet()
    {
        QWidget window;

        HelpSheet::showOver(window, actionTable());
        auto* sheet = window.findChild<HelpSheet*>();
        QVERIFY(sheet && sheet->isVisible());
        sheet->close();
        HelpSheet::showOver(window, actionTable());

        QCOMPARE(window.findChildren<HelpSheet*>(), QList{sheet});
        QVERIFY(sheet->isVisible());
    }
};

HELIO_TEST(HelpSheetTest)
#include "tst_help_sheet.moc"
