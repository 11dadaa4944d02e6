// Texts of shares beside the rows. Property: a text does not claim more than is known.

#include "tests/support/test_program.h"
#include "widgets/timeline/graph/graph_scene.h"

#include <QTest>

using namespace helio;

class ShareTextTest : public QObject {
    Q_OBJECT

private slots:
    void aShareIsRoundedToWhatIsNearest_data()
    {
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("text");
        QTest::newRow("never") << 0.0 << QString(QChar(0x2013));
        QTest::newRow("hardly") << 0.000'499 << "<0.1 %";
        QTest::newRow("a tenth") << 0.000'5 << "0.1 %";
        QTest::newRow("tenths") << 0.0456 << "4.6 %";
        QTest::newRow("ten") << 0.0995 << "10 %";
        QTest::newRow("whole") << 0.937 << "94 %";
        QTest::newRow("nearly all") << 0.9996 << "100 %";
        QTest::newRow("of three") << 2.5 << "250 %";
    }
    void aShareIsRoundedToWhatIsNearest()
    {
        QFETCH(double, share);
        QTEST(shareText(share, false, false), "text");
    }

    void whatMayBeMoreIsRoundedDown_data()
    {
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("text");
        QTest::newRow("hardly") << 0.000'999 << "0";
        QTest::newRow("a tenth") << 0.001 << "0.1";
        QTest::newRow("tenths") << 0.0459 << "4.5";
        QTest::newRow("not ten") << 0.0999 << "9.9";
        QTest::newRow("ten") << 0.1 << "10";
        QTest::newRow("not all") << 0.9996 << "99";
        QTest::newRow("all") << 1.0 << "100";
        QTest::newRow("not two") << 1.9999 << "199";
    }
    void whatMayBeMoreIsRoundedDown()
    {
        QFETCH(double, share);
        QFETCH(QString, text);
        QCOMPARE(shareText(share, true, true), QChar(0x2265) + text);
    }

    /// Property: a whole number of percent is shown as such, although the stored fraction is a little smaller or larger.
    void wholePercentsStayWhole()
    {
        for (int percent = 1; percent <= 1600; ++percent)
            QCOMPARE(shareText(percent / 100.0, true, true),
                     QChar(0x2265) + (percent < 10 ? QStringLiteral("%1.0") : QStringLiteral("%1")).arg(percent));
    }
};

HELIO_TEST(ShareTextTest)
#include "tst_share_text.moc"
