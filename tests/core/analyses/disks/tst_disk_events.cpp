// Input: disk events with the names and fields of different tracers. Property: the disk analysis reads all of them.

#include "core/analyses/disks/block_events.h"
#include "tests/core/analyses/disks/disk_script.h"
#include "tests/core/analyses/kernel/sampled_script.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

using namespace helio;
using namespace helio::test;
using disks::Operation;

class DiskEventsTest : public QObject {
    Q_OBJECT

private slots:
    void lettersSayWhatIsDone()
    {
        for (const char* read : {"R", "RA", "RSM", "RM", "FR"})
            QVERIFY2(disks::operationOf(std::string_view(read)) == Operation::Read, read);
        for (const char* write : {"W", "WS", "WFS", "FWFS", "WSM", "FW", "ZA"})
            QVERIFY2(disks::operationOf(std::string_view(write)) == Operation::Write, write);
        for (const char* flush : {"F", "FF", "FFS", "FN", "FS"})
            QVERIFY2(disks::operationOf(std::string_view(flush)) == Operation::Flush, flush);
        for (const char* other : {"", "N", "D", "DS", "DE", "ZR", "ZRA", "NS", "?"})
            QVERIFY2(disks::operationOf(std::string_view(other)) == Operation::Other, other);
    }

    void bitsSayWhatIsDone()
    {
        const auto does = [](int bits) { return disks::operationOf(std::int64_t{bits}); };
        for (const int read : {int(Read), Read | Meta, int(ReadAheadTrace), Read | PreFlush})
            QVERIFY(does(read) == Operation::Read);
        for (const int write : {int(Write), Write | Sync | Meta, Write | PreFlush, Write | Read})
            QVERIFY(does(write) == Operation::Write);
        for (const int flush : {int(Flush), int(PreFlush), Flush | PreFlush})
            QVERIFY(does(flush) == Operation::Flush);
        for (const int other : {0, int(Discard), int(Sync), 0x80})
            QVERIFY(does(other) == Operation::Other);
    }

    /// Property: the events of perf and ftrace are read. Their names have a prefix, their operations are texts, and the thread is in the
    /// context.
    void perfNamesAreRead()
    {
        DiskScript s;
        const auto event = [&s](std::int64_t time, int cpu, const char* name, const char* rwbs, int sectors) {
            s.event(time, cpu, name,
                    {{"$perf_tid", 31},
                     {"dev", diskNumber(8, 1)},
                     {"sector", 64},
                     {"nr_sector", sectors},
                     {"bytes", sectors * 512},
                     {"rwbs", rwbs},
                     {"comm", "dd"}});
        };
        event(5, 0, "block:block_rq_insert", "WS", 8);
        event(9, 0, "block:block_rq_issue", "WS", 8);
        event(10, 0, "block:block_rq_issue", "FF", 0);
        s.event(20, 2, "block:block_rq_complete",
                {{"dev", diskNumber(8, 1)}, {"sector", 64}, {"nr_sector", 8}, {"error", 0}, {"rwbs", "WS"}, {"cmd", ""}});
        s.event(22, 2, "block:block_rq_complete",
                {{"dev", diskNumber(8, 1)}, {"sector", -1}, {"nr_sector", 0}, {"error", -5}, {"rwbs", "FF"}, {"cmd", ""}});
        s.runDisks();
        COMPARE_LINES(s.requests(),
                      "write 9-20 on driver/slot:0 disk=8,1;sector=64;nr_sector=8;bytes=4096;queued_ns=4;tid=31;comm=dd;cpu=2\n"
                      "flush 10-22 on driver/slot:1 disk=8,1;sector=64;nr_sector=0;bytes=0;tid=31;comm=dd;cpu=2;error=-5\n");
    }

    /// Property: an event that does not name its thread belongs to the current thread of its CPU, according to the switches.
    void switchesNameTheThread()
    {
        DiskScript s;
        const auto issue = [&s](std::int64_t time, int cpu, int sector) {
            s.event(time, cpu, "block_rq_issue", {{"dev", Vdb}, {"sector", sector}, {"nr_sector", 8}, {"rwbs", int(Read)}});
            s.complete(time + 1, Vdb, sector, 8, Read);
        };
        issue(2, 0, 8); // No switch yet: the thread is unknown.
        s.sw(5, 0, 0, 0, 20).sw(6, 1, 0, 0, 21);
        issue(10, 0, 16);
        issue(12, 1, 24);
        s.loss(0, 13, 14);
        issue(15, 0, 32);
        s.runDisks();
        COMPARE_LINES(s.requests().remove("on driver/slot:0 disk=254,16;").remove(";nr_sector=8;bytes=4096"),
                      "read 2-3 sector=8;cpu=1\n"
                      "read 10-11 sector=16;tid=20;comm=t20;cpu=1\n"
                      "read 12-13 sector=24;tid=21;comm=t21;cpu=1\n"
                      "read 15-16 sector=32;cpu=1\n");
    }

    /// Property: an event without an operation belongs to the request at its sector; an event without a disk is ignored.
    void fieldsAreMissing()
    {
        DiskScript s;
        s.issue(5, Vdb, 8, 8, Read);
        s.event(9, 1, "block_rq_complete", {{"dev", Vdb}, {"sector", 8}, {"nr_sector", 8}});
        s.event(10, 1, "block_rq_insert", {{"sector", 8}, {"nr_sector", 8}});
        s.event(11, 1, "block_rq_requeue", {{"dev", "vdb"}});
        s.runDisks();
        COMPARE_LINES(s.requests(), "read 5-9 on driver/slot:0 disk=254,16;sector=8;nr_sector=8;bytes=4096;tid=9;comm=t9;cpu=1\n");
        QVERIFY(!s.row("disk:254,16/queue:waiting"));
    }

    /// Property: sampled events give no requests, because their durations are unknown.
    void sampledEventsSayNothing()
    {
        const auto script = [](std::initializer_list<int> sampled) {
            DiskScript s;
            s.insert(1, Vdb, 8, 8, Read).issue(5, Vdb, 8, 8, Read).complete(9, Vdb, 8, 8, Read);
            return Sampled(std::move(s), sampled);
        };
        for (const auto& sampled : {std::initializer_list<int>{}, {0}}) {
            auto s = script(sampled);
            QVERIFY(analysisOf("disks").appliesTo(s));
            s.runDisks();
            QVERIFY(s.requests().startsWith("read 5-9"));
            QCOMPARE(s.row("disk:254,16/queue:waiting") != nullptr, sampled.size() == 0);
        }
        for (const auto& sampled : {std::initializer_list<int>{1}, {2}, {0, 1, 2}})
            QVERIFY(!analysisOf("disks").appliesTo(script(sampled)));
    }
};

HELIO_TEST(DiskEventsTest)

#include "tst_disk_events.moc"
