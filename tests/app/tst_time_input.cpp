#include "app/time_input.h"

#include <QTest>

using namespace helio;

namespace {

constexpr Timestamp Begin = timestamp(1'700'000'000'250'000'000); // 22:13:20.25 UTC

std::int64_t parsed(const char* text)
{
    const auto result = parseTime(text, Begin);
    return result ? nanoseconds(*result) : -1;
}

} // namespace

class TimeInputTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("TZ", "UTC");
        tzset();
    }

    void aTimeOfDayIsTheFirstAfterTheBegin()
    {
        QCOMPARE(parsed("22:13:21.123456789"), 1'700'000'001'123'456'789);
        QCOMPARE(parsed("22:13:20.2"), 1'700'000'000'200'000'000 + 86'400'000'000'000);
        QCOMPARE(parsed(" 22:14 "), 1'700'000'040'000'000'000);
    }

    void anOffsetCountsFromTheBegin()
    {
        QCOMPARE(parsed("+1.5s"), nanoseconds(Begin) + 1'500'000'000);
        QCOMPARE(parsed("+250us"), nanoseconds(Begin) + 250'000);
        QCOMPARE(parsed("+250\u00b5s"), nanoseconds(Begin) + 250'000);
        QCOMPARE(parsed("+2 ms"), nanoseconds(Begin) + 2'000'000);
        QCOMPARE(parsed("+3"), nanoseconds(Begin) + 3'000'000'000);
    }

    void aPlainNumberIsNanosecondsSinceTheEpoch() { QCOMPARE(parsed("1416241234567890123"), 1416241234567890123); }

    void whatIsNoTimeIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"", "now", "+", "+1.5x", "25:00:00", "12:60:00", "12:00:61", "-5", "99999999999999999999",
                                 "+9999999999999h", "1:2:3:4", "+.s", "12:34:56.7a"})
            QTest::newRow(text) << QByteArray(text);
    }
    void whatIsNoTimeIsRefused()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!parseTime(text.constData(), Begin));
    }
};

QTEST_GUILESS_MAIN(TimeInputTest)
#include "tst_time_input.moc"
