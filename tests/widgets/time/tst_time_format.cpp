#include "tests/support/test_program.h"
#include "widgets/time/time_format.h"

#include <QTest>

using namespace helio;
using namespace std::chrono_literals;

namespace {

const QChar Thin(0x2009);
QString thin(QString text) { return text.replace(QLatin1Char('_'), Thin); }
Timestamp at(Duration t) { return Timestamp(t); }
const TimeFormat Utc{TimeFormat::Mode::Utc, {}, true};

} // namespace

class TimeFormatTest : public QObject {
    Q_OBJECT

private slots:
    void aDurationTakesTheUnitThatFits_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64(0) << "0 s";
        QTest::newRow("ns") << qint64(999) << "999 ns";
        QTest::newRow("us") << qint64(3'400) << "3.400 µs";
        QTest::newRow("ms") << qint64(6'102'000) << "6.102 ms";
        QTest::newRow("s") << qint64(18'400'000'000) << "18.400 s";
        QTest::newRow("99 s") << qint64(99'000'000'000) << "99.000 s";
        QTest::newRow("min") << qint64(150'000'000'000) << "2 min 30.0 s";
        QTest::newRow("many min") << qint64(2'387'580'000'000) << "39 min 47.6 s";
        QTest::newRow("h") << qint64(8'000'400'000'000) << "2 h 13 min 20 s";
        QTest::newRow("negative") << qint64(-1'500) << QChar(0x2212) + QStringLiteral("1.500 µs");
    }
    void aDurationTakesTheUnitThatFits()
    {
        QFETCH(qint64, ns);
        QTEST(durationText(Duration(ns)), "text");
    }

    void whatIsAtLeastSoLongIsRoundedDown_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64(0) << "0 s";
        QTest::newRow("ns") << qint64(999) << "999 ns";
        QTest::newRow("us") << qint64(999'999) << "999.999 µs";
        QTest::newRow("ms") << qint64(137'992'747) << "137.992 ms";
        QTest::newRow("ms, whole") << qint64(137'992'000) << "137.992 ms";
        QTest::newRow("nearly a second") << qint64(999'999'999) << "999.999 ms";
        QTest::newRow("s") << qint64(119'999'999'999) << "119.999 s";
        QTest::newRow("min") << qint64(7'199'999'999'999) << "119 min 59.9 s";
        QTest::newRow("h") << qint64(7'200'000'000'000) << "2 h 0 min 0 s";
    }
    void whatIsAtLeastSoLongIsRoundedDown()
    {
        QFETCH(qint64, ns);
        QFETCH(QString, text);
        QCOMPARE(atLeastText(Duration(ns)), QChar(0x2265) + text);
    }

    void aTimeIsPrintedToTheDigitsAskedFor()
    {
        const Timestamp t = at(1'700'000'000s + 213'210'500ns); // 22:13:20 UTC
        QCOMPARE(timeText(t, Utc, 0), QStringLiteral("22:13:20"));
        QCOMPARE(timeText(t, Utc, 6), thin("22:13:20.213_210"));
        QCOMPARE(timeText(t, Utc, 9), thin("22:13:20.213_210_500"));
        QCOMPARE(shortTimeText(t, Utc, 6), thin(".213_210"));
    }

    void relativeTimesCountFromTheirOriginBothWays()
    {
        const TimeFormat format{TimeFormat::Mode::Relative, at(100s), true};
        QCOMPARE(timeText(at(101s + 500ms), format, 3), QStringLiteral("+1.500 s"));
        QCOMPARE(timeText(at(98s + 500ms), format, 3), QChar(0x2212) + QStringLiteral("1.500 s"));
        QCOMPARE(timeText(at(100s - 1ms), format, 3), QChar(0x2212) + QStringLiteral("0.001 s"));
        QCOMPARE(timeText(at(100s - 999us), format, 3), QStringLiteral("+0.000 s")); // Never a negative zero.
    }

    void whatBothEndsOfARangeShareIsSaidOnce()
    {
        const Timestamp t = at(1'700'000'000s + 204ms);
        QCOMPARE(rangeText({t, t + 24ms}, Utc, 6), thin("22:13:20.204_000 – .228_000"));
    }

    void ticksStandAtRoundTimesAndSayWhatThePrefixDoesNot()
    {
        const Timestamp t = at(1'700'000'000s + 204ms);
        const Ticks ticks = ticksFor(TimeScale({t, t + 24ms}, 1200), Utc);

        QCOMPARE(ticks.step, Duration(2ms));
        QCOMPARE(ticks.prefix, QStringLiteral("22:13:20"));
        QCOMPARE(ticks.ticks.front(), (Tick{t, true, ".204 s"}));
        QVERIFY(!ticks.ticks[1].isMajor);
        QCOMPARE(ticks.ticks[4].label, QStringLiteral(".206 s"));
    }

    void deepInsideASecondThePrefixTakesMoreDigits()
    {
        const Timestamp t = at(1'700'000'000s + 204'018'250ns);
        const Ticks ticks = ticksFor(TimeScale({t, t + 400ns}, 800), Utc);

        QCOMPARE(ticks.prefix, thin("22:13:20.204_018"));
        QVERIFY(ticks.ticks[0].label.endsWith(QStringLiteral(" ns")));
    }

    void ticksOfWholeSecondsInAMinuteShowOnlyTheSeconds()
    {
        const Timestamp t = at(1'700'000'000s); // 22:13:20 UTC
        const Ticks ticks = ticksFor(TimeScale({t, t + 20s}, 1000), Utc);

        QCOMPARE(ticks.step, Duration(2s));
        QCOMPARE(ticks.prefix, QStringLiteral("22:13"));
        QCOMPARE(ticks.ticks.front(), (Tick{t, true, ":20"}));
        QCOMPARE(ticks.ticks[4].label, QStringLiteral(":22"));
    }

    void ticksInSeveralMinutesShowTheWholeTime()
    {
        const Timestamp t = at(1'700'000'000s);
        const Ticks ticks = ticksFor(TimeScale({t, t + 60s}, 600), Utc);

        QCOMPARE(ticks.step, Duration(10s));
        QCOMPARE(ticks.prefix, QString());
        QCOMPARE(ticks.ticks.front(), (Tick{t, true, "22:13:20"}));
    }

    void theNumberOfTicksIsBoundedWhateverTheWindow_data()
    {
        QTest::addColumn<qint64>("length");
        for (qint64 ns = 1; ns < 4'000'000'000'000'000'000; ns *= 37)
            QTest::addRow("%lld", ns) << ns;
    }
    void theNumberOfTicksIsBoundedWhateverTheWindow()
    {
        QFETCH(qint64, length);
        const Ticks ticks = ticksFor(TimeScale({at(5s), at(5s + Duration(length))}, 1500), Utc);

        QVERIFY(ticks.ticks.size() < 300);
        for (const Tick& tick : ticks.ticks)
            QVERIFY(tick.isMajor == !tick.label.isEmpty());
    }
};

HELIO_TEST(TimeFormatTest)
#include "tst_time_format.moc"
