#include "tests/support/made_states.h"
#include "tests/support/test_program.h"
#include "widgets/compare/why/breakdown_table.h"
#include "widgets/theme/themes.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;
using namespace std::chrono_literals;

namespace {

QString spaced(const char* text) { return QString::fromUtf8(text).replace('_', QChar(0x2009)); }

Breakdown made()
{
    Breakdown breakdown;
    breakdown.lines = {{test::threadState("running-user"), "", 1s, 3s}, {test::threadState("preempted"), "", 0s, 1s}};
    breakdown.a = 1s;
    breakdown.b = 4s;
    return breakdown;
}

} // namespace

class LedgerTableTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Themes::instance().setTheme(Theme::Kind::Dark); }

    void aColumnHasOneUnit()
    {
        const ColumnUnit unit{Duration(17'860ms)};
        QCOMPARE(unit.text(858ms), spaced("858_ms"));
        QCOMPARE(unit.text(Duration(15'612ms)), spaced("15_612_ms"));
        QCOMPARE(unit.number(-130ms), QStringLiteral("130"));
        QCOMPARE(unit.number(1'500us), QStringLiteral("2"));
        QCOMPARE(unit.number(400us), QStringLiteral("<1")); // A small value is not shown as 0.
        QCOMPARE(unit.number(0s), QStringLiteral("0"));
        QCOMPARE(unit.difference(15'612ms), "+" + spaced("15_612"));
        QCOMPARE(unit.difference(-130ms), QStringLiteral("\u2212130"));
        QCOMPARE(unit.difference(400us), spaced("\u2248_0"));
        QCOMPARE(unit.difference(-400us), spaced("\u2248_0"));
        QCOMPARE(unit.difference(0s), QStringLiteral("0"));
    }

    void theUnitIsTheFinestThatIsReadable_data()
    {
        QTest::addColumn<qint64>("largest");
        QTest::addColumn<QString>("text");
        QTest::newRow("ns") << qint64(99'999) << spaced("99_999_ns");
        QTest::newRow("us, tenths") << qint64(100'000) << spaced("100.0_\u00b5s");
        QTest::newRow("us") << qint64(5'000'000) << spaced("5_000_\u00b5s");
        QTest::newRow("ms, tenths") << qint64(950'000'000) << spaced("950.0_ms");
        QTest::newRow("ms") << qint64(99'000'000'000) << spaced("99_000_ms");
        QTest::newRow("s") << qint64(1'600'000'000'000) << spaced("1_600_s");
        QTest::newRow("s, for ever") << qint64(400'000'000'000'000) << spaced("400_000_s");
    }
    void theUnitIsTheFinestThatIsReadable()
    {
        QFETCH(qint64, largest);
        QTEST(ColumnUnit(Duration(largest)).text(Duration(largest)), "text");
    }

    void causesHaveTheRoomThatNumbersLeave()
    {
        BreakdownTable table;
        table.resize(470, 200); // Size of the table beside the flame graph in a window that is 1280 px wide.
        table.setBreakdown(made());
        // The column of causes has enough width for the text "not sampled on a CPU".
        QVERIFY2(table.causeWidth() >= 130, qPrintable(QString::number(table.causeWidth())));
    }

    void itIsCopiedInTheWordsThatItShows()
    {
        BreakdownTable table;
        table.setBreakdown(made());
        QVERIFY2(table.text().contains("\nuser\t"), qPrintable(table.text()));
        QVERIFY(!table.text().contains("running-user"));
    }

    void theFirstLineIsMarkedButChosenByAPersonOnly()
    {
        BreakdownTable table;
        table.resize(500, 200);
        QSignalSpy chosen(&table, &BreakdownTable::stateChosen);
        table.setBreakdown(made());
        QCOMPARE(chosen.count(), 0);

        QTest::mouseClick(&table, Qt::LeftButton, {}, {40, 30});
        QCOMPARE(chosen.takeLast().at(0).toString(), QStringLiteral("user"));
        QTest::mouseClick(&table, Qt::LeftButton, {}, {40, 30});
        QCOMPARE(chosen.takeLast().at(0).toString(), QString());
    }
};

HELIO_TEST(LedgerTableTest)
#include "tst_breakdown_table.moc"
