#include "tests/core/xml_analysis/shipped/shipped_run.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::int64_t NoSector = -1;
enum Rwbs : int { Write = 1, Discard = 2, Read = 4, ReadAheadTrace = 8, Sync = 32, Meta = 64, Flush = 256, PreFlush = 1024 };

KernelScript& issue(KernelScript& script, std::int64_t time, int disk, std::int64_t sector, int sectors, int rwbs)
{
    return script.event(time, 0, "block_rq_issue",
                        {{"dev", disk}, {"sector", sector}, {"nr_sector", sectors}, {"bytes", sectors * 512}, {"tid", 9}, {"rwbs", rwbs}});
}
KernelScript& complete(KernelScript& script, std::int64_t time, int disk, std::int64_t sector, int sectors, int rwbs)
{
    return script.event(time, 1, "block_rq_complete",
                        {{"dev", disk}, {"sector", sector}, {"nr_sector", sectors}, {"error", 0}, {"rwbs", rwbs}});
}
KernelScript& name(KernelScript& script, std::int64_t time, int disk, const char* what)
{
    return script.event(time, 0, "lttng_statedump_block_device", {{"dev", disk}, {"diskname", what}});
}

} // namespace

class BlockRequestsTest : public QObject {
    Q_OBJECT

private slots:
    void aRequestIsFoundByItsDiskAndSector()
    {
        KernelScript s;
        name(s, 1, 1, "vda");
        name(s, 2, 2, "vdb");
        issue(s, 10, 1, 100, 8, Read);
        issue(s, 12, 2, 100, 8, Write | Sync);
        issue(s, 14, 1, 200, 8, Write | Sync | Meta);
        complete(s, 16, 1, 300, 8, Read); // This request was issued before the trace began.
        complete(s, 20, 1, 200, 8, Write | Sync | Meta);
        complete(s, 22, 2, 100, 8, Write | Sync);
        issue(s, 24, 1, 400, 8, Discard);
        complete(s, 30, 1, 100, 8, Read);
        complete(s, 34, 1, 400, 8, Discard);
        const DeclaredRun run(shippedText("block-requests"), s, {}, 40);
        QCOMPARE(run.complaints(), "");
        QCOMPARE(run.segments(),
                 "read 10-30 disk=vda;dev=1;bytes=4096;tid=9\n"
                 "write 12-22 disk=vdb;dev=2;bytes=4096;tid=9\n"
                 "write 14-20 disk=vda;dev=1;bytes=4096;tid=9\n"
                 "discard 24-34 disk=vda;dev=1;bytes=4096;tid=9\n");
        QCOMPARE(run.view("block-requests-rows"),
                 "Disks/1 \"vda\": busy 10-34\n"
                 "Disks/1/Requests/0 \"request 0\": read 10-30\n"
                 "Disks/1/Requests/1 \"request 1\": write 14-20, discard 24-34\n"
                 "Disks/2 \"vdb\": busy 12-22\n"
                 "Disks/2/Requests/0 \"request 0\": write 12-22\n");
        QCOMPARE(run.curves(),
                 "block-requests-in-flight/Disks/1 (vda): 10=1 14=2 20=1 24=2 30=1 34=0\n"
                 "block-requests-in-flight/Disks/2 (vdb): 12=1 22=0\n"
                 "block-requests-bytes/Disks/1 (vda): 20=4096 30=8192 34=12288\n"
                 "block-requests-bytes/Disks/2 (vdb): 22=4096\n");
    }

    void aRequestIsDoneWhenItsLastPartIs()
    {
        KernelScript s;
        issue(s, 10, 1, 100, 24, Read);
        complete(s, 20, 1, 100, 8, Read);
        complete(s, 30, 1, 108, 8, Read);
        complete(s, 40, 1, 116, 8, Read);
        const DeclaredRun run(shippedText("block-requests"), s);
        QCOMPARE(run.segments(), "read 10-40 dev=1;bytes=12288;tid=9\n");
    }

    void flushesHaveNoPlaceAndComeBackInOrder()
    {
        KernelScript s;
        issue(s, 10, 1, 0, 0, Flush | PreFlush);
        issue(s, 12, 2, 0, 0, Flush | PreFlush);
        issue(s, 14, 1, 0, 0, Flush | PreFlush);
        issue(s, 15, 1, 0, 8, Read); // An ordinary read of sector 0, which is no flush: flushes have no sector.
        complete(s, 20, 1, NoSector, 0, Flush | PreFlush);
        complete(s, 25, 1, 0, 8, Read);
        complete(s, 26, 1, 0, 0, Read); // Second completion of the same request, which included a flush.
        complete(s, 30, 1, NoSector, 0, Flush | PreFlush);
        complete(s, 40, 2, NoSector, 0, Flush | PreFlush);
        const DeclaredRun run(shippedText("block-requests"), s);
        QCOMPARE(run.segments(),
                 "flush 10-20 dev=1;bytes=0;tid=9\n"
                 "flush 12-40 dev=2;bytes=0;tid=9\n"
                 "flush 14-30 dev=1;bytes=0;tid=9\n"
                 "read 15-25 dev=1;bytes=4096;tid=9\n");
    }

    void whatIsIssuedAgainBeginsAgain()
    {
        KernelScript s;
        issue(s, 10, 1, 100, 8, Read);
        issue(s, 30, 1, 100, 8, Write);
        complete(s, 35, 1, 100, 8, Write);
        issue(s, 50, 1, 100, 8, 0);
        complete(s, 55, 1, 100, 8, 0);
        const DeclaredRun run(shippedText("block-requests"), s, {}, 60);
        QCOMPARE(run.segments(), "write 30-35 dev=1;bytes=4096;tid=9\nother 50-55 dev=1;bytes=4096;tid=9\n");
        QCOMPARE(run.view("block-requests-rows"),
                 "Disks/1 \"disk 1\": busy 10-35, busy 50-55\n"
                 "Disks/1/Requests/0 \"request 0\": read 10-30, write 30-35, other 50-55\n");
    }

    // Mean and longest times in ms from the truth file of the trace collection, which omits flushes.
    void recordedDisksTakeAsLongAsTheTruthSays_data()
    {
        QTest::addColumn<QString>("disk");
        QTest::addColumn<QString>("expected");
        QTest::addColumn<int>("flushes");
        test::addRow("vda", "vda", "41 262144 1.648 2.302", 2);
        test::addRow("vdb", "vdb", "3591 45963264 1.116 19.803", 1061);
        test::addRow("vdc", "vdc", "111 3829760 4.161 14.659", 0);
        test::addRow("vdd", "vdd", "126 4288512 2.894 14.442", 0);
        test::addRow("vde", "vde", "52 1687552 59.717 159.095", 0);
        test::addRow("vdf", "vdf", "444 15147008 3.595 11.132", 0);
        test::addRow("vdg", "vdg", "122 4567040 3.522 18.553", 0);
        test::addRow("vdh", "vdh", "52 1880064 94.394 318.199", 0);
        test::addRow("vdi", "vdi", "109 3579904 3.633 15.065", 0);
        test::addRow("vdj", "vdj", "140 4898816 17.019 58.401", 0);
        test::addRow("vdk", "vdk", "137 4743168 3.003 11.492", 0);
        test::addRow("vdl", "vdl", "109 3768320 3.364 14.305", 0);
    }
    void recordedDisksTakeAsLongAsTheTruthSays()
    {
        QFETCH(QString, disk);
        QFETCH(QString, expected);
        QFETCH(int, flushes);
        HELIO_REQUIRE_TRACE(path, "disks", "disks");
        static const auto store = shippedStore("block-requests", path);
        QVERIFY(store);
        Sum sum;
        std::int64_t bytes = 0;
        int flushed = 0;
        for (const PatternSegment& it : segmentsOf(*store)) {
            if (it.field("disk") != disk.toStdString())
                continue;
            if (it.name == "flush") {
                ++flushed;
                continue;
            }
            sum.add(it.length());
            bytes += std::stoll(it.field("bytes"));
        }
        const auto inMs = [](double ns) { return QString::number(ns / 1e6, 'f', 3); };
        QCOMPARE(QString("%1 %2 %3 %4").arg(sum.count).arg(bytes).arg(inMs(double(sum.total) / sum.count), inMs(double(sum.longest))),
                 expected);
        QCOMPARE(flushed, flushes);
    }
};

HELIO_TEST(BlockRequestsTest)

#include "tst_block_requests.moc"
