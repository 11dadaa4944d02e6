// The disk analysis: which events belong to one request, and when the request waited, was served and completed.

#include "core/analysis/track_view.h"
#include "tests/core/analyses/disks/disk_script.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <climits>

using namespace helio;
using namespace helio::test;

class DiskRequestsTest : public QObject {
    Q_OBJECT

private slots:
    void aRequestWaitsIsServedAndDone()
    {
        DiskScript s;
        s.named(1, Vdb, "vdb");
        s.insert(5, Vdb, 100, 8, Read | Sync, 7);
        s.issue(12, Vdb, 100, 8, Read | Sync, 9);
        s.complete(30, Vdb, 100, 8, Read | Sync);
        s.runDisks(40);
        COMPARE_LINES(s.requests(),
                      "read 12-30 on driver/slot:0 disk=vdb;sector=100;nr_sector=8;bytes=4096;queued_ns=7;tid=7;comm=t7;cpu=1\n");
        COMPARE_LINES(s.rows(), "254,16/driver/slot:0: read(100+8) 12-30\n254,16/waiting/slot:0: read(100+8) 5-12\n");
        QCOMPARE(s.row("disk:254,16")->label, "vdb");
        QCOMPARE(s.row("disk:254,16")->view, "disk");
        QCOMPARE(s.keyOf(s.row("disk:254,16/queue:driver")->parent), "disk:254,16");
        QCOMPARE(s.keyOf(s.row("disk:254,16/queue:driver/slot:0")->parent), "disk:254,16/queue:driver");
    }

    void oneThatWasNotInsertedIsItsIssuers()
    {
        DiskScript s;
        s.issue(12, Vdb, 100, 8, Write, 4);
        s.complete(30, Vdb, 100, 8, Write, -5, 3);
        s.runDisks();
        COMPARE_LINES(s.requests(),
                      "write 12-30 on driver/slot:0 disk=254,16;sector=100;nr_sector=8;bytes=4096;tid=4;comm=t4;cpu=3;error=-5\n");
        QCOMPARE(s.row("disk:254,16")->label, "254,16");
        QVERIFY(!s.row("disk:254,16/queue:waiting"));
    }

    /// Property: a completion belongs to the request with its disk, sector and operation. Input: two disks with equal sectors, and a read
    /// and a write at one sector at the same time.
    void completionBelongsToItsDiskAndOperation()
    {
        DiskScript s;
        s.issue(10, Vdb, 100, 8, Read);
        s.issue(12, Vdc, 100, 8, Read);
        s.issue(14, Vdb, 100, 8, Write);
        s.issue(16, Vdb, 200, 8, Discard);
        s.complete(20, Vdb, 100, 8, Write);
        s.complete(22, Vdc, 100, 8, Read);
        s.complete(24, Vdb, 100, 8, Read);
        s.complete(26, Vdb, 200, 8, Discard);
        s.runDisks();
        COMPARE_LINES(s.requests().remove(QRegularExpression(";nr_sector.*(?=\n)")),
                      "read 10-24 on driver/slot:0 disk=254,16;sector=100\n"
                      "read 12-22 on driver/slot:0 disk=254,32;sector=100\n"
                      "write 14-20 on driver/slot:1 disk=254,16;sector=100\n"
                      "other 16-26 on driver/slot:2 disk=254,16;sector=200\n");
    }

    void slotsAreTakenAgain()
    {
        DiskScript s;
        s.issue(10, Vdb, 100, 8, Read);
        s.issue(12, Vdb, 200, 16, Write);
        s.complete(20, Vdb, 100, 8, Read);
        s.issue(20, Vdb, 100, 8, Read);
        s.issue(24, Vdb, 300, 8, Write);
        s.runDisks(40);
        COMPARE_LINES(s.rows(),
                      "254,16/driver/slot:0: read(100+8) 10-20, read(100+8) 20-40\n"
                      "254,16/driver/slot:1: write(200+16) 12-40\n"
                      "254,16/driver/slot:2: write(300+8) 24-40\n");
    }

    /// Input: completions of requests that were issued before the trace began. Property: such a completion creates no request, and no
    /// request waits afterwards.
    void aCompletionAloneIsNothing()
    {
        DiskScript s;
        s.complete(5, Vdb, 100, 8, Read);
        s.complete(6, Vdb, NoPlace, 0, Flush);
        s.insert(10, Vdb, 100, 8, Read);
        s.complete(15, Vdb, 100, 8, Read);
        s.issue(20, Vdb, 100, 8, Read);
        s.complete(25, Vdb, 100, 8, Read);
        s.runDisks(40);
        COMPARE_LINES(s.requests(),
                      "read 20-25 on driver/slot:0 disk=254,16;sector=100;nr_sector=8;bytes=4096;queued_ns=10;tid=9;comm=t9;cpu=1\n");
    }

    /// Input: a request that completes in parts. Property: it ends with its last part, and fails if a part fails. After each part, the
    /// request continues at the next sector.
    void itIsDoneWhenItsLastPartIs()
    {
        DiskScript s;
        s.issue(10, Vdb, 100, 24, Read);
        s.complete(20, Vdb, 100, 8, Read);
        s.complete(30, Vdb, 108, 8, Read, -5);
        s.complete(35, Vdb, 100, 8, Read); // This completion is ignored, because sectors 100 to 107 are already done.
        s.complete(40, Vdb, 116, 8, Read);
        s.runDisks(50);
        COMPARE_LINES(s.requests(),
                      "read 10-40 on driver/slot:0 disk=254,16;sector=100;nr_sector=24;bytes=12288;tid=9;comm=t9;cpu=1;error=-5\n");
        COMPARE_LINES(s.rows(), "254,16/driver/slot:0: read(100+24) 10-40\n");
    }

    /// Property: a flush is issued with sector 0 and completed with sector -1; flushes of a disk are paired in order. A write that includes
    /// a flush may complete twice; the second completion, with 0 sectors, is ignored.
    void flushesHaveNoSector()
    {
        DiskScript s;
        s.issue(10, Vdb, 0, 0, Flush | PreFlush);
        s.issue(12, Vdc, 0, 0, Flush | PreFlush);
        s.issue(14, Vdb, 0, 0, Flush | PreFlush);
        s.issue(15, Vdb, 0, 8, Write); // A write to sector 0, which must not be mistaken for a flush, whose sector is 0 too.
        s.issue(16, Vdb, 64, 8, Write);
        s.complete(18, Vdb, 64, 8, Write);
        s.issue(19, Vdb, 64, 8, Write);
        s.complete(20, Vdb, NoPlace, 0, Flush | PreFlush);
        s.complete(21, Vdb, 64, 0, Write);
        s.complete(22, Vdb, 0, 0, Write);
        s.complete(25, Vdb, 0, 8, Write);
        s.complete(30, Vdb, NoPlace, 0, Flush | PreFlush);
        s.complete(40, Vdc, NoPlace, 0, Flush | PreFlush);
        s.complete(50, Vdb, 64, 8, Write);
        s.runDisks();
        COMPARE_LINES(s.requests().remove(QRegularExpression(";bytes.*(?=\n)")),
                      "flush 10-20 on driver/slot:0 disk=254,16;sector=0;nr_sector=0\n"
                      "flush 12-40 on driver/slot:0 disk=254,32;sector=0;nr_sector=0\n"
                      "flush 14-30 on driver/slot:1 disk=254,16;sector=0;nr_sector=0\n"
                      "write 15-25 on driver/slot:2 disk=254,16;sector=0;nr_sector=8\n"
                      "write 16-18 on driver/slot:3 disk=254,16;sector=64;nr_sector=8\n"
                      "write 19-50 on driver/slot:3 disk=254,16;sector=64;nr_sector=8\n");
    }

    /// Property: a request that the driver returned (requeue) waits again, whether or not it is inserted again.
    void whatIsGivenBackWaitsAgain()
    {
        DiskScript s;
        s.insert(5, Vdb, 100, 8, Read, 7);
        s.issue(10, Vdb, 100, 8, Read);
        s.requeue(12, Vdb, 100, 8, Read);
        s.insert(14, Vdb, 100, 8, Read, 3);
        s.issue(20, Vdb, 100, 8, Read);
        s.issue(22, Vdb, 100, 8, Read, 8); // A second request for the same sector, for example by a second reader with direct I/O.
        s.complete(30, Vdb, 100, 8, Read);
        s.complete(36, Vdb, 100, 8, Read);
        s.runDisks(40);
        COMPARE_LINES(s.requests(),
                      "read 20-30 on driver/slot:0 disk=254,16;sector=100;nr_sector=8;bytes=4096;queued_ns=15;tid=7;comm=t7;cpu=1\n"
                      "read 22-36 on driver/slot:1 disk=254,16;sector=100;nr_sector=8;bytes=4096;tid=8;comm=t8;cpu=1\n");
        COMPARE_LINES(s.rows(),
                      "254,16/driver/slot:0: read(100+8) 10-12, read(100+8) 20-30\n"
                      "254,16/driver/slot:1: read(100+8) 22-36\n"
                      "254,16/waiting/slot:0: read(100+8) 5-10, read(100+8) 12-20\n");
    }

    /// Property: if requeue events are not recorded, a second issue of a request counts as a requeue.
    void whatIsIssuedAgainBeginsAgain()
    {
        DiskScript s;
        s.insert(5, Vdb, 100, 8, Read, 7);
        s.issue(10, Vdb, 100, 8, Read);
        s.issue(20, Vdb, 100, 8, Read);
        s.complete(30, Vdb, 100, 8, Read);
        s.complete(36, Vdb, 100, 8, Read);
        s.runDisks(40);
        COMPARE_LINES(s.requests(),
                      "read 20-30 on driver/slot:0 disk=254,16;sector=100;nr_sector=8;bytes=4096;queued_ns=15;tid=7;comm=t7;cpu=1\n");
    }

    /// Input: a kernel that records neither switches from idle threads nor completions of requests in interrupts of idle CPUs. Property: a
    /// new request at a sector replaces the open request at this sector, whose completion is missing.
    void whereEndsAreMissingWhatIsAskedForAgainReplacesThem()
    {
        DiskScript s;
        // Thread 9 is switched out repeatedly without a recorded switch to it.
        s.sw(0, 0, 1, 1, 0).sw(1, 0, 9, 1, 0).sw(2, 0, 9, 1, 0).sw(3, 0, 9, 1, 0);
        s.issue(10, Vdb, 100, 8, Write);
        s.issue(11, Vdb, 0, 0, Flush | PreFlush);
        s.insert(20, Vdb, 100, 8, Write);
        s.issue(21, Vdb, 100, 8, Write);
        s.issue(22, Vdb, 0, 0, Flush | PreFlush);
        s.complete(30, Vdb, 100, 8, Write);
        s.complete(31, Vdb, NoPlace, 0, Flush | PreFlush);
        s.insert(40, Vdb, 200, 8, Read);
        s.complete(45, Vdb, 200, 8, Read); // The issue of this request was not recorded.
        s.insert(50, Vdb, 300, 8, Read);
        s.insert(60, Vdb, 300, 8, Read);
        s.issue(61, Vdb, 300, 8, Read);
        s.requeue(62, Vdb, 300, 8, Read);
        s.issue(70, Vdb, 300, 8, Read);
        s.complete(75, Vdb, 300, 8, Read);
        s.runDisks(80);
        COMPARE_LINES(s.requests().remove(QRegularExpression(";nr_sector=\\d+;bytes=\\d+|;tid.*(?=\n)")),
                      "write 21-30 on driver/slot:0 disk=254,16;sector=100;queued_ns=1\n"
                      "flush 22-31 on driver/slot:1 disk=254,16;sector=0\n"
                      "read 70-75 on driver/slot:0 disk=254,16;sector=300;queued_ns=10\n");
        COMPARE_LINES(s.rows(),
                      "254,16/driver/slot:0: write(100+8) 10-21, write(100+8) 21-30, read(300+8) 61-62, read(300+8) 70-75\n"
                      "254,16/driver/slot:1: flush(0+0) 11-22, flush(0+0) 22-31\n"
                      "254,16/waiting/slot:0: write(100+8) 20-21, read(200+8) 40-45, read(300+8) 50-60, read(300+8) 60-61, "
                      "read(300+8) 62-70\n");
    }

    void oneSwitchThatIsMissingSaysNothingOfRequests()
    {
        DiskScript s;
        s.sw(0, 0, 1, 1, 0).sw(1, 0, 9, 1, 0);
        s.issue(10, Vdb, 100, 8, Read).issue(12, Vdb, 100, 8, Read).requeue(13, Vdb, 200, 8, Read);
        s.complete(30, Vdb, 100, 8, Read).complete(40, Vdb, 100, 8, Read);
        s.runDisks(80);
        COMPARE_LINES(s.requests().remove(QRegularExpression(";.*(?=\n)")),
                      "read 10-30 on driver/slot:0 disk=254,16\n"
                      "read 12-40 on driver/slot:1 disk=254,16\n");
    }

    void whatWaitsGrowsAtItsFront()
    {
        DiskScript s;
        s.insert(5, Vdb, 100, 8, Write);
        s.frontMerge(6, Vdb, 96, 4, Write);
        s.frontMerge(7, Vdb, 88, 8, Read); // This read is not merged with the request after it, which is a write.
        s.frontMerge(8, Vdb, 40, 8, Write); // This I/O is not merged, because it ends at sector 48, where no request waits.
        s.issue(10, Vdb, 96, 12, Write);
        s.complete(20, Vdb, 96, 12, Write);
        s.runDisks(40);
        COMPARE_LINES(s.requests(),
                      "write 10-20 on driver/slot:0 disk=254,16;sector=96;nr_sector=12;bytes=6144;queued_ns=5;tid=9;comm=t9;cpu=1\n");
        COMPARE_LINES(s.rows(),
                      "254,16/driver/slot:0: write(96+12) 10-20\n"
                      "254,16/waiting/slot:0: write(100+8) 5-6, write(96+12) 6-10\n");
    }

    /// Property: a merged request leaves the queue, and the waiting request that ends at its first sector grows by its sectors. A read that
    /// also ends there is not changed.
    void requestsAreMerged()
    {
        DiskScript s;
        s.insert(4, Vdb, 96, 4, Read);
        s.insert(5, Vdb, 92, 8, Write, 7);
        s.insert(6, Vdb, 100, 8, Write, 8);
        s.merge(8, Vdb, 100, 8, Write);
        s.merge(9, Vdb, 500, 8, Write); // This request is not merged, because no request to merge it with is known.
        s.issue(10, Vdb, 92, 16, Write);
        s.issue(12, Vdb, 96, 4, Read);
        s.complete(20, Vdb, 92, 16, Write);
        s.complete(22, Vdb, 96, 4, Read);
        s.runDisks(40);
        COMPARE_LINES(s.requests(),
                      "write 10-20 on driver/slot:0 disk=254,16;sector=92;nr_sector=16;bytes=8192;queued_ns=5;tid=7;comm=t7;cpu=1\n"
                      "read 12-22 on driver/slot:1 disk=254,16;sector=96;nr_sector=4;bytes=2048;queued_ns=8;tid=9;comm=t9;cpu=1\n");
        COMPARE_LINES(s.rows(),
                      "254,16/driver/slot:0: write(92+16) 10-20\n"
                      "254,16/driver/slot:1: read(96+4) 12-22\n"
                      "254,16/waiting/slot:0: read(96+4) 4-12\n"
                      "254,16/waiting/slot:1: write(92+8) 5-8, write(92+16) 8-10\n"
                      "254,16/waiting/slot:2: write(100+8) 6-8\n");
    }

    void theElevatorNamesBoth()
    {
        DiskScript s;
        s.insert(5, Vdb, 92, 8, Write, 7);
        s.insert(6, Vdb, 100, 8, Write, 8);
        s.event(8, 0, "addons_elv_merge_requests", {{"dev", Vdb}, {"rq_sector", 92}, {"nextrq_sector", 100}});
        s.issue(10, Vdb, 92, 16, Write);
        s.complete(12, Vdb, 92, 16, Write);
        s.runDisks();
        COMPARE_LINES(s.rows(),
                      "254,16/driver/slot:0: write(92+16) 10-12\n"
                      "254,16/waiting/slot:0: write(92+8) 5-8, write(92+16) 8-10\n"
                      "254,16/waiting/slot:1: write(100+8) 6-8\n");
    }

    /// Property: if merge events are not recorded, an inserted request inside the sectors of an issued request counts as merged.
    void whatAnIssueCoversWasMerged()
    {
        DiskScript s;
        s.insert(5, Vdb, 92, 8, Write, 7);
        s.insert(6, Vdb, 100, 8, Write, 8);
        // This request is not merged, because its sectors 104 to 111 reach beyond the issued request, which ends at sector 107.
        s.insert(7, Vdb, 104, 8, Write, 8);
        s.insert(8, Vdb, 96, 4, Read);
        s.issue(10, Vdb, 88, 20, Write);
        s.complete(20, Vdb, 88, 20, Write);
        s.runDisks(30);
        COMPARE_LINES(s.requests(),
                      "write 10-20 on driver/slot:0 disk=254,16;sector=88;nr_sector=20;bytes=10240;queued_ns=5;tid=7;comm=t7;cpu=1\n");
        COMPARE_LINES(s.rows(),
                      "254,16/driver/slot:0: write(88+20) 10-20\n"
                      "254,16/waiting/slot:0: write(92+8) 5-10\n"
                      "254,16/waiting/slot:1: write(100+8) 6-10\n"
                      "254,16/waiting/slot:2: write(104+8) 7-30\n"
                      "254,16/waiting/slot:3: read(96+4) 8-30\n");
    }

    /// Input: a disk's name that is recorded after its first requests.
    void theNameComesLate()
    {
        DiskScript s;
        s.issue(1, Vdb, 8, 8, Read).complete(2, Vdb, 8, 8, Read);
        s.issue(3, Vdc, 8, 8, Read).complete(4, Vdc, 8, 8, Read);
        s.named(5, Vdb, "a;b=c");
        s.issue(6, Vdb, 8, 8, Read).complete(7, Vdb, 8, 8, Read);
        s.runDisks();
        COMPARE_LINES(s.requests().remove(QRegularExpression(";sector.*(?=\n)")),
                      "read 1-2 on driver/slot:0 disk=a\\;b\\=c\n"
                      "read 3-4 on driver/slot:0 disk=254,32\n"
                      "read 6-7 on driver/slot:0 disk=a\\;b\\=c\n");
        QCOMPARE(s.row("disk:254,16")->label, "a;b=c");
    }

    void whatIsNotRecordedIsNotWaitedFor()
    {
        DiskScript noCompletions;
        for (int i = 0; i < 10; ++i)
            noCompletions.insert(i * 10 + 1, Vdb, 8, 8, Read).issue(i * 10 + 5, Vdb, 8, 8, Read);
        noCompletions.runDisks();
        COMPARE_LINES(noCompletions.requests(), "");
        QVERIFY(!noCompletions.row("disk:254,16/queue:driver"));
        QVERIFY(!noCompletions.row("disk:254,16/queue:waiting/slot:1"));

        DiskScript noIssues; // Without issue events, a request lasts from insertion to completion.
        noIssues.insert(5, Vdb, 8, 16, Read).complete(10, Vdb, 8, 8, Read).complete(20, Vdb, 16, 8, Read);
        noIssues.runDisks();
        COMPARE_LINES(noIssues.requests(),
                      "read 5-20 on waiting/slot:0 disk=254,16;sector=8;nr_sector=16;bytes=8192;tid=9;comm=t9;cpu=1\n");
    }

    void thousandsAtATimeShareARow()
    {
        DiskScript s;
        for (int i = 0; i < 5000; ++i)
            s.issue(10 + i, Vdb, i * 8, 8, Read);
        for (int i = 0; i < 5000; ++i)
            s.complete(10000 + i, Vdb, i * 8, 8, Read);
        s.runDisks();
        QVERIFY(s.row("disk:254,16/queue:driver/slot:4095") && !s.row("disk:254,16/queue:driver/slot:4096"));
        QCOMPARE(s.store().segments().sum(SegmentKindId{0}).count, std::uint64_t(5000));
        QCOMPARE(s.store().segments().sum(SegmentKindId{0}).longest, Duration(9990));
    }

    void oddNumbersHarmNothing()
    {
        DiskScript s;
        s.issue(5, -1, INT64_MAX, INT_MAX, -1);
        s.complete(6, -1, INT64_MAX, INT_MAX, -1);
        // The sectors of this request wrap around: they begin at the last sector numbers and continue at sector 0.
        s.issue(7, Vdb, -8, 16, Read);
        s.complete(8, Vdb, -8, 8, Read);
        s.complete(9, Vdb, 0, 8, Read);
        s.issue(10, Vdb, 8, -5, Read);
        s.frontMerge(11, Vdb, -1, 1, Read);
        s.requeue(12, Vdb, INT64_MIN, 7, Read);
        s.merge(13, Vdb, INT64_MIN, 7, Read);
        s.runDisks();
        QCOMPARE(
            s.requests().section('\n', 0, 0),
            "write 5-6 on driver/slot:0 disk=4095,1048575;sector=9223372036854775807;nr_sector=2147483647;bytes=-512;tid=9;comm=t9;cpu=1");
    }

    /// Property: the analysis applies only to traces with disk requests; other traces get no rows and no store.
    void itAppliesWhereRequestsAreRecorded()
    {
        const auto applies = [](const char* name) { return analysisOf("disks").appliesTo(KernelScript().declare(name)); };
        for (const char* name : {"block_rq_issue", "block_rq_complete", "block:block_rq_issue", "block:block_rq_complete"})
            QVERIFY2(applies(name), name);
        for (const char* name :
             {"block_rq_insert", "block_bio_queue", "lttng_statedump_block_device", "myblock:block_rq_issue", "sched_switch"})
            QVERIFY2(!applies(name), name);
    }

    void itsPanelsBeginClosed()
    {
        const auto views = analysisOf("disks").views();
        QCOMPARE(views.size(), std::size_t(4)); // The analysis has four views: a view of requests and three views of curves.
        for (const TrackView& view : views)
            QVERIFY2(view.beginsCollapsed && !view.isBasic, view.id.c_str());
    }

    /// Property: disks are sorted by name, for any disk numbers, any order of first events, and any time of naming.
    void disksAreInTheOrderOfTheirNames()
    {
        const std::vector<std::pair<int, const char*>> disks{
            {diskNumber(259, 0), "nvme1n1"}, {diskNumber(65, 160), "sdaa"}, {diskNumber(8, 16), "sdb"},    {diskNumber(259, 5), "nvme0n1"},
            {diskNumber(253, 2), "dm-10"},   {diskNumber(253, 3), "dm-2"},  {diskNumber(254, 0), nullptr}, {diskNumber(8, 0), "sda"},
            {diskNumber(8, 33), "sdc1"},     {diskNumber(8, 32), "sdc"},    {diskNumber(12, 0), nullptr}};
        DiskScript s;
        std::int64_t time = 1;
        for (const auto& [number, name] : disks) {
            const bool isNamedFirst = time % 2 == 0;
            if (name && isNamedFirst)
                s.named(time, number, name);
            s.issue(++time, number, 100, 8, Read);
            if (name && !isNamedFirst)
                s.named(++time, number, name);
        }
        s.runDisks(100);

        std::vector<std::pair<std::int32_t, std::string>> rows;
        for (const Track& it : s.store().tracks())
            if (it.kind == "disk")
                rows.emplace_back(it.sortKey, it.label);
        std::ranges::sort(rows);
        QStringList labels;
        for (const auto& [key, label] : rows)
            labels << QString::fromStdString(label);
        QCOMPARE(labels.join(' '), "12,0 254,0 dm-2 dm-10 nvme0n1 nvme1n1 sda sdb sdc sdc1 sdaa");
    }
};

HELIO_TEST(DiskRequestsTest)

#include "tst_disk_requests.moc"
