// Property: a wait is attributed to the disk request whose completion ended it.

#include "core/event_model/segment_kinds.h"
#include "core/query/rows/state_causes.h"
#include "core/waits/path/disk_waits.h"
#include "core/waits/path/path.h"
#include "tests/core/correlators/machines/made_machines.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Input: thread 7 waits from 100 until a disk interrupt on CPU 1 at 300.
std::shared_ptr<KvmScript> waiter()
{
    auto script = std::make_shared<KvmScript>();
    script->dump(0, 7, 7, 1, 0, 5);
    script->sw(10, 0, 0, 0, 7);
    script->call(90, 0, "fsync");
    script->sw(100, 0, 7, 2, 0);
    script->waking(300, 1, 7, 0);
    script->sw(310, 0, 0, 0, 7);
    script->sw(400, 0, 7, 1, 0);
    return script;
}

struct Request {
    std::int64_t begin, end;
    const char* fields;
};

std::shared_ptr<const Store> requestsOf(const std::vector<Request>& all)
{
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    SegmentKind kind;
    kind.id = DiskRequests;
    kind.title = "Disk requests";
    kind.hasFields = true;
    const SegmentKindId id = *builder->segments().addKind(kind);
    Track row;
    row.view = "disk";
    row.key = "disk:8,0/slot:0";
    row.label = "0";
    const TrackId track = builder->addTrack(row);
    for (const Request& it : all)
        builder->segments().add({hostTime(it.begin), hostTime(it.end), static_cast<std::int64_t>(builder->string(it.fields)),
                                 builder->string("write"), track, id});
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(500)};
    return *builder->finish(summary);
}

QString pathOf(const std::vector<Request>& requests)
{
    MadeMachines made;
    const auto trace = made.add(waiter(), "host", 500);
    made.addStore(trace, requestsOf(requests));
    const Timeline& timeline = made.timeline();
    const CriticalPath path = criticalPath(timeline, threadRow(timeline, trace, 7, timestamp(50)), {timestamp(100), timestamp(300)});
    QStringList all;
    for (const PathSegment& it : path.segments)
        all << QString("%1(%2) %3-%4")
                   .arg(wordOf(it.kind).data(), path.detailOf(it).c_str())
                   .arg(nanoseconds(it.range.begin))
                   .arg(nanoseconds(it.range.end));
    return all.join(", ");
}

} // namespace

class DiskWaitsTest : public QObject {
    Q_OBJECT

private slots:
    void theLastThatWasCompletedOnTheCpuOfTheWakeUpIsIt()
    {
        QCOMPARE(pathOf({{20, 250, "disk=sda;sector=8;bytes=4096;tid=9;comm=other;cpu=1"},
                         {50, 290, "disk=sda;sector=16;bytes=65536;tid=7;comm=t7;cpu=1"},
                         // This request is not the cause of the wake-up, because it was completed on another CPU.
                         {50, 299, "disk=sdb;sector=16;bytes=512;cpu=0"},
                         // This request is not the cause of the wake-up, because it was completed after the wake-up.
                         {60, 320, "disk=sda;sector=24;bytes=512;cpu=1"}}),
                 QString("disk(sda: write of 64 KiB by t7 (7), in fsync) 100-300"));
    }

    void aWaitIsPartedWhereTheDriverGotTheRequest()
    {
        QCOMPARE(pathOf({{20, 150, "disk=sda;bytes=4096;tid=9;cpu=1"},
                         {20, 160, "disk=sda;bytes=4096;cpu=1"},
                         {20, 170, "disk=sdb;bytes=4096;cpu=1"},
                         {180, 299, "disk=sda;bytes=0;queued_ns=70;tid=7;cpu=1"}}),
                 QString("disk(sda: write of 4 KiB by thread 9, before the write by thread 7) 100-110, disk(sda: queued "
                         "behind 2 requests, for a write by thread 7) 110-180, disk(sda: write by thread 7, in fsync) 180-300"));
        QCOMPARE(pathOf({{180, 299, "disk=sda;bytes=1000;queued_ns=70;tid=7;cpu=1"}}),
                 QString("disk(sda: request not queued yet, write of 1000 bytes by thread 7) 100-110, disk(sda: queued, for a "
                         "write of 1000 bytes by thread 7) 110-180, disk(sda: write of 1000 bytes by thread 7, in fsync) "
                         "180-300"));
        QCOMPARE(pathOf({{180, 299, "disk=sda;bytes=1000;queued_ns=0;tid=7;cpu=1"}}), // The request was issued as soon as it was queued.
                 QString("disk(sda: request not queued yet, write of 1000 bytes by thread 7) 100-180, disk(sda: write of 1000 "
                         "bytes by thread 7, in fsync) 180-300"));
        QCOMPARE(pathOf({{180, 299, "disk=sda;bytes=1000;tid=7;cpu=1"}}),
                 QString("disk(sda: request not issued yet, write of 1000 bytes by thread 7) 100-180, disk(sda: write of 1000 "
                         "bytes by thread 7, in fsync) 180-300"));
    }

    /// Input: an fsync that waits for several requests in turn. Property: the path names each of them.
    void whatTheDiskDidBeforeIsSaid()
    {
        QCOMPARE(pathOf({{90, 120, "disk=sda;bytes=0;tid=9;cpu=1"},
                         {110, 140, "disk=sda;bytes=512;tid=9;cpu=1"},
                         {115, 130, "disk=sda;bytes=1024;tid=9;cpu=1"},
                         {150, 160, "disk=sdb;bytes=512;tid=9;cpu=1"},
                         {180, 299, "disk=sda;bytes=4096;tid=7;cpu=1"}}),
                 QString("disk(sda: write by thread 9, before the write of 4 KiB by thread 7) 100-120, disk(sda: write of 512 "
                         "bytes by thread 9, before the write of 4 KiB by thread 7) 120-140, disk(sda: request not issued "
                         "yet, write of 4 KiB by thread 7) 140-180, disk(sda: write of 4 KiB by thread 7, in fsync) 180-300"));
    }

    void withoutARequestOfItsOwnItIsAnInterrupt()
    {
        // The wait is not attributed to the disk: the request belongs to another thread, and the interrupt that ended the wait is not known
        // to belong to a disk.
        QCOMPARE(pathOf({{20, 299, "disk=sda;bytes=4096;tid=9;cpu=1"}}),
                 QString("blocked(fsync, ended by an unrecorded interrupt on CPU 1) 100-300"));
        // The wait is not attributed to the request, which completed before the wait began.
        QCOMPARE(pathOf({{20, 80, "disk=sda;bytes=4096;cpu=1"}}),
                 QString("blocked(fsync, ended by an unrecorded interrupt on CPU 1) 100-300"));
    }
};

HELIO_TEST(DiskWaitsTest)
#include "tst_disk_waits.moc"
