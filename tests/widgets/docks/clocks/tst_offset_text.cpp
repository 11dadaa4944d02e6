#include "tests/support/test_program.h"
#include "widgets/docks/clocks/offset_text.h"

#include <QTest>

using namespace helio;
using namespace std::chrono_literals;

class OffsetTextTest : public QObject {
    Q_OBJECT

private slots:
    void whatAPersonWritesIsUnderstood_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ns");
        const auto row = [](const char* text, Duration is) { QTest::newRow(text) << QString::fromUtf8(text) << qint64(is.count()); };
        row("-0.387 s", -387ms);
        row("12 ms", 12ms);
        row("500ns", 500ns);
        row("+4.412 118 3", 4'412'118'300ns);
        row("\u22124.412\u2009118\u2009300", -4'412'118'300ns);
        row("0", 0ns);
        row("-0", 0ns);
        row(".5", 500ms);
        row("3.", 3s);
        row("1.5 \u00b5s", 1500ns);
        row("1.5 \u03bcs", 1500ns);
        row("2us", 2us);
        row("1 h", 1h);
        row("-3 min", -3min);
        row("0.0000000006", 1ns); // Rounded to the nearest ns.
        row("1 d", 24h);
        row("2305843009 s", 2'305'843'009s);
    }
    void whatAPersonWritesIsUnderstood()
    {
        QFETCH(QString, text);
        QFETCH(qint64, ns);
        const auto offset = parseOffset(text);
        QVERIFY(offset);
        QCOMPARE(qint64(offset->count()), ns);
    }

    void whatIsNoTimeIsNone_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "-", ".", "s", "ms", "12 parsecs", "1e3", "1,5 s", "--3", "1.2.3", "0x10",
                                 "99999999999999999999999999 s", "1000000 d", "nan"})
            QTest::newRow(text) << QString::fromUtf8(text);
    }
    void whatIsNoTimeIsNone()
    {
        QFETCH(QString, text);
        QVERIFY(!parseOffset(text));
    }

    void secondsHaveAsManyDigitsAsTheErrorAllows()
    {
        const auto plain = [](QString text) { return text.replace(QChar(0x2009), '_').replace(QChar(0x2212), '-'); };
        QCOMPARE(plain(secondsText(4'412'118'312ns, 18us)), QString("+4.412_118_3"));
        QCOMPARE(plain(secondsText(-387'041'249ns, 64us)), QString("-0.387_041_2"));
        QCOMPARE(plain(secondsText(12ms)), QString("+0.012"));
        QCOMPARE(plain(secondsText(-1ns)), QString("-0.000_000_001"));
        QCOMPARE(plain(secondsText(0ns)), QString("0"));
        QCOMPARE(plain(secondsText(1ns, 1ms)), QString("0")); // Shown as 0, because the offset is smaller than the error.
        QCOMPARE(plain(secondsText(86'400s)), QString("+86_400"));
        QCOMPARE(plain(secondsText(999'999'999ns, 18us)), QString("+1.000_000_0"));
        QCOMPARE(plain(secondsText(1'500ms, Duration::max())), QString("+1.500"));
        QCOMPARE(plain(secondsText(Duration::min())), QString("-9_223_372_036.854_775_808"));
    }

    void whatIsWrittenIsReadAgain()
    {
        for (const Duration offset :
             {Duration(1), Duration(-1), Duration(999'999'999), Duration(-4'412'118'312), Duration(1'234'567'890'123)}) {
            const auto again = parseOffset(secondsText(offset));
            QVERIFY(again);
            QCOMPARE(again->count(), offset.count());
        }
    }

    void driftsAreOfPartsInAMillion()
    {
        QCOMPARE(parseDrift("41.2 ppm").value_or(0), std::int64_t(41'200'000'000'000));
        QCOMPARE(parseDrift(QString(QChar(0x2212)) + "3").value_or(0), std::int64_t(-3'000'000'000'000));
        QVERIFY(!parseDrift(""));
        QVERIFY(!parseDrift("fast"));
        QVERIFY(!parseDrift("200000"));
        QVERIFY(!parseDrift("nan"));
        QVERIFY(!parseDrift("inf"));
        QCOMPARE(ppmText(3.1072), QString("+3.107"));
        QCOMPARE(ppmText(-11.8249), QString(QChar(0x2212)) + "11.82");
        QCOMPARE(ppmText(0), QString("0"));
    }
};

HELIO_TEST(OffsetTextTest)
#include "tst_offset_text.moc"
