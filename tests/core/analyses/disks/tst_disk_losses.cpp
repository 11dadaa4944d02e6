// Input: requests that are in progress while events are lost. Property: the analysis does not guess when such requests began or ended.

#include "tests/core/analyses/disks/disk_script.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// A script with requests before, during and after a gap on CPU 3 from 20 to 40.
DiskScript withGap()
{
    DiskScript s;
    s.issue(5, Vdb, 8, 8, Read).complete(9, Vdb, 8, 8, Read);
    s.insert(10, Vdb, 300, 8, Write);
    s.issue(11, Vdb, 100, 8, Read);
    s.loss(3, 20, 40);
    s.issue(25, Vdb, 200, 8, Read);
    s.issue(26, Vdb, 208, 8, Read).complete(30, Vdb, 208, 8, Read);
    s.complete(50, Vdb, 100, 8, Read); // This completion is ambiguous: it may complete a request that was issued in the gap.
    s.issue(52, Vdb, 300, 8, Write);
    s.complete(60, Vdb, 300, 8, Write);
    return s;
}

} // namespace

class DiskLossesTest : public QObject {
    Q_OBJECT

private slots:
    void nothingIsKnownOfWhatWasUnderWay_data()
    {
        QTest::addColumn<bool>("isSeenAtBegin");
        QTest::addColumn<QString>("during");
        QTest::newRow("seen when it begins") << true << "read 26-30 on driver/slot:2 ";
        QTest::newRow("seen when it is over") << false << "read 26-30 on driver/slot:2 ";
    }
    void nothingIsKnownOfWhatWasUnderWay()
    {
        QFETCH(bool, isSeenAtBegin);
        QFETCH(QString, during);
        DiskScript s = withGap();
        s.runDisks(70, isSeenAtBegin ? KernelScript::Gaps::ReportedAtBegin : KernelScript::Gaps::ReportedAtEnd);
        COMPARE_LINES(s.requests().remove(QRegularExpression("disk=.*(?=\n)")),
                      "read 5-9 on driver/slot:0 \n" + during + "\nwrite 52-60 on driver/slot:0 \n");
        COMPARE_LINES(s.rows(),
                      "254,16/driver/slot:0: read(8+8) 5-9, read(100+8) 11-20, unknown 20-40, write(300+8) 52-60\n"
                      "254,16/driver/slot:1: unknown 25-40\n"
                      "254,16/driver/slot:2: read(208+8) 26-30\n"
                      "254,16/waiting/slot:0: write(300+8) 10-20, unknown 20-40\n");
        QVERIFY(!s.requests().contains("queued_ns"));
    }

    void gapsOverlap()
    {
        DiskScript s;
        s.issue(5, Vdb, 8, 8, Read);
        s.loss(1, 10, 30).loss(2, 20, 40);
        s.issue(35, Vdb, 8, 8, Read);
        s.complete(60, Vdb, 8, 8, Read);
        s.runDisks(70);
        COMPARE_LINES(s.requests(), "");
        COMPARE_LINES(s.rows(),
                      "254,16/driver/slot:0: read(8+8) 5-10, unknown 10-40\n"
                      "254,16/driver/slot:1: unknown 35-40\n");
    }
};

HELIO_TEST(DiskLossesTest)

#include "tst_disk_losses.moc"
