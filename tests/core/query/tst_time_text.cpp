#include "core/query/filters/time_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstdlib>
#include <ctime>

using namespace helio;

namespace {

constexpr qint64 Second = 1'000'000'000;

void setZone(const char* zone)
{
    qputenv("TZ", zone);
    tzset();
}

} // namespace

class TimeTextTest : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { setZone("UTC"); }

    void aDurationIsExact_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("ns");
        QTest::newRow("ns") << QByteArray("7ns") << qint64(7);
        QTest::newRow("us") << QByteArray("10us") << qint64(10'000);
        QTest::newRow("micro sign") << QByteArray("10\xc2\xb5s") << qint64(10'000);
        QTest::newRow("fraction") << QByteArray("0.123456789s") << qint64(123'456'789);
        QTest::newRow("point first") << QByteArray(".5ms") << qint64(500'000);
        QTest::newRow("no digits after") << QByteArray("5.ms") << qint64(5'000'000);
        QTest::newRow("beyond a nanosecond") << QByteArray("1.9ns") << qint64(1);
        QTest::newRow("minutes") << QByteArray("2min") << 120 * Second;
        QTest::newRow("hours") << QByteArray("0.1h") << 360 * Second;
        QTest::newRow("signed") << QByteArray("-3s") << -3 * Second;
        QTest::newRow("blank before the unit") << QByteArray("10 us") << qint64(10'000);
        QTest::newRow("as windows write it") << QByteArray("1\u2009204.000\u2009567 s") << qint64(1'204'000'567'000);
        QTest::newRow("minus sign") << QByteArray("\u22123.5 ms") << qint64(-3'500'000);
        QTest::newRow("large") << QByteArray("9223372036.854775807s") << qint64(INT64_MAX);
    }
    void aDurationIsExact()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, ns);

        QCOMPARE(parseDuration(text.toStdString()).value_or(-1), ns);
    }

    void whatIsNoDurationIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"", "s", "10", "10  us", "1 2us", "1.2.3s", "1e3s", "+", "--1s", "9223372036.854775808s", "99999999999999999999ns"})
            QTest::newRow(text) << QByteArray(text);
    }
    void whatIsNoDurationIsRefused()
    {
        QFETCH(QByteArray, text);

        QVERIFY(!parseDuration(text.toStdString()));
    }

    void aTimeIsWrittenInThreeWays()
    {
        QCOMPARE((*parseTime("1416241234567890123")).value, qint64(1416241234567890123));
        QVERIFY(*parseTime("+1.5s") == (TimeText{TimeText::Kind::FromStart, 1'500'000'000}));
        QVERIFY(*parseTime("00:00:01.000000002") == (TimeText{TimeText::Kind::OfDay, Second + 2}));
        for (const char* wrong : {"", "1.5s", "+5", "12:34", "24:00:00", "12:60:00", "1x", "99999999999999999999", "12:34:5"})
            QVERIFY2(!parseTime(wrong), wrong);
    }

    void aTimeIsReadAsWindowsWriteIt()
    {
        QCOMPARE((*parseTime("1\u2009416\u2009241\u2009234\u2009567\u2009890\u2009123")).value, qint64(1416241234567890123));
        QVERIFY(*parseTime("+1\u2009001.500\u2009000\u2009007 s") == (TimeText{TimeText::Kind::FromStart, 1001 * Second + 500'000'007}));
        QVERIFY(*parseTime("\u22120.000\u2009000\u2009007 s") == (TimeText{TimeText::Kind::FromStart, -7}));
        QVERIFY(*parseTime("00:00:01.000\u2009000\u2009002") == (TimeText{TimeText::Kind::OfDay, Second + 2}));
        QVERIFY(*parseTime(" 00:00:01.000\u202f000\u00a0002 ") == (TimeText{TimeText::Kind::OfDay, Second + 2}));
        QVERIFY(*parseTime("12\u2009345.678\u2009901\u2009234 s") == (TimeText{TimeText::Kind::Absolute, 12345678901234}));
        QVERIFY(*parseTime("11:06:36.544 409 959") == (TimeText{TimeText::Kind::OfDay, 39'996 * Second + 544'409'959}));
        QCOMPARE((*parseTime("1 795 259 196 556 232 438")).value, qint64(1'795'259'196'556'232'438));
        QVERIFY(*parseTime("+1 001.500 000 007 s") == (TimeText{TimeText::Kind::FromStart, 1001 * Second + 500'000'007}));
        QVERIFY(*parseTime("1\u00a0795\u00a0259 196") == (TimeText{TimeText::Kind::Absolute, 1'795'259'196}));
        for (const char* wrong : {"\u2009", "00:00:01 .5", "+1 5s", "12345.67 s", "1 795 25", "1 7950", "11 :06:36", "1  795"})
            QVERIFY2(!parseTime(wrong), wrong);
    }

    void aTimeOfDayIsTheFirstAtOrAfterTheBegin()
    {
        setZone("UTC");
        const Timestamp begin = timestamp(1'700'000'000 * Second + 5); // 2023-11-14 22:13:20.000000005

        QCOMPARE(nanoseconds(resolve(*parseTime("22:13:20.000000005"), begin)), 1'700'000'000 * Second + 5);
        QCOMPARE(nanoseconds(resolve(*parseTime("22:13:21"), begin)), 1'700'000'001 * Second);
        QCOMPARE(nanoseconds(resolve(*parseTime("22:13:20"), begin)), (1'700'000'000 + 86'400) * Second);
    }

    void aTimeOfDayIsLocal()
    {
        setZone("CET-1CEST,M3.5.0,M10.5.0/3");
        const Timestamp evening = timestamp(1'711'832'400 * Second); // 2024-03-30 22:00 CET; daylight saving time begins at 02:00

        QCOMPARE(nanoseconds(resolve(*parseTime("23:00:00"), evening)), 1'711'836'000 * Second);
        QCOMPARE(nanoseconds(resolve(*parseTime("04:00:00"), evening)), (1'711'832'400 + 5 * 3600) * Second);
    }

    void aTimeFromTheStartDoesNotOverflow()
    {
        QCOMPARE(nanoseconds(resolve({TimeText::Kind::FromStart, INT64_MAX}, timestamp(10))), qint64(INT64_MAX));
    }

    void rangesHaveTwoTimes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        const qint64 start = 1'000 * Second; // 00:16:40 UTC.
        QTest::newRow("from the start") << QByteArray("+2.0s .. +2.05s") << start + 2 * Second << start + 2'050'000'000;
        QTest::newRow("without spaces") << QByteArray("+2.0s..+2.05s") << start + 2 * Second << start + 2'050'000'000;
        QTest::newRow("one unit") << QByteArray("+2.0 .. +2.05 s") << start + 2 * Second << start + 2'050'000'000;
        QTest::newRow("two units") << QByteArray("+2ms .. +2.5 us") << start + 2'000'000 << start + 2'500;
        QTest::newRow("of the day") << QByteArray("00:17:00 .. 00:17:00.5") << start + 20 * Second << start + 20'500'000'000;
        QTest::newRow("epoch") << QByteArray("1000000000005 .. 1000000000007") << start + 5 << start + 7;
        QTest::newRow("mixed") << QByteArray("00:17:00 .. +30s") << start + 20 * Second << start + 30 * Second;
        QTest::newRow("groups of digits") << QByteArray("+1 500 us .. +2 500 us") << start + 1'500'000 << start + 2'500'000;
        QTest::newRow("dash of the window") << QByteArray("00:17:00.204\u2009000 \u2013 .228\u2009000") << start + 20'204'000'000
                                            << start + 20'228'000'000;
        QTest::newRow("ellipsis") << QByteArray("+1s \u2026 +2s") << start + Second << start + 2 * Second;
    }
    void rangesHaveTwoTimes()
    {
        QFETCH(QByteArray, text);
        const TimesText times = parseTimes(text.toStdString());
        QCOMPARE(times.problem, std::string());
        QVERIFY(times.begin && times.end);
        const Timestamp start = timestamp(1'000 * Second);
        QTEST(qint64(nanoseconds(resolve(*times.begin, start))), "begin");
        QTEST(qint64(nanoseconds(resolve(*times.end, start))), "end");
    }

    void aSingleTimeIsNoRange()
    {
        const TimesText times = parseTimes("+1.5s");
        QVERIFY(times.begin == (TimeText{TimeText::Kind::FromStart, 1'500'000'000}) && !times.end && times.problem.empty());
    }

    void errorsNameTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("at");
        QTest::addColumn<QByteArray>("problem");
        const QByteArray units = "ns, us, ms, s, min or h";
        const QByteArray notTime = "not a time: HH:MM:SS.nnnnnnnnn, +1.5s from the start, or ns since the epoch";
        QTest::newRow("unit") << QByteArray("+2.0x") << 4 << "\"x\" is not a unit: " + units;
        QTest::newRow("unit of the end") << QByteArray("+2.0s .. +2.5sec") << 13 << "\"sec\" is not a unit: " + units;
        QTest::newRow("no unit") << QByteArray("+2.0") << 4 << "a unit is missing: " + units;
        QTest::newRow("no unit at all") << QByteArray("+2.0 .. +2.5") << 5 << "a unit is missing: " + units;
        QTest::newRow("no number") << QByteArray("+s") << 1 << QByteArray("a number is missing");
        QTest::newRow("no end") << QByteArray("+2s .. ") << 7 << QByteArray("a time is missing");
        QTest::newRow("no begin") << QByteArray(".. +2s") << 0 << QByteArray("a time is missing");
        QTest::newRow("two points") << QByteArray("+1.2.3s") << 1 << QByteArray("not a number, or too large");
        QTest::newRow("minute") << QByteArray("12:61:00") << 3 << QByteArray("not a time of day: HH:MM:SS.nnnnnnnnn");
        QTest::newRow("hour") << QByteArray("24:00:00") << 0 << QByteArray("not a time of day: HH:MM:SS.nnnnnnnnn");
        QTest::newRow("short") << QByteArray("12:34") << 5 << QByteArray("not a time of day: HH:MM:SS.nnnnnnnnn");
        QTest::newRow("letter in a time") << QByteArray("+1s .. 12:34:5x") << 14 << QByteArray("not a time of day: HH:MM:SS.nnnnnnnnn");
        QTest::newRow("letter in a fraction") << QByteArray("12:34:56.7x") << 10 << QByteArray("not a time of day: HH:MM:SS.nnnnnnnnn");
        QTest::newRow("word") << QByteArray("noon") << 0 << notTime;
        QTest::newRow("letter in a number") << QByteArray("123x") << 3 << notTime;
        QTest::newRow("behind a thin space") << QByteArray("+1\u2009500 y") << 9 << "\"y\" is not a unit: " + units;
    }
    void errorsNameTheirPlace()
    {
        QFETCH(QByteArray, text);
        const TimesText times = parseTimes(text.toStdString());
        QVERIFY(!times.begin && !times.end);
        QTEST(QByteArray::fromStdString(times.problem), "problem");
        QTEST(int(times.problemAt), "at");
    }
};

HELIO_TEST(TimeTextTest)
#include "tst_time_text.moc"
