#pragma once

// DiskScript: a trace of disk events that a test writes one by one, and the results of the disk analysis as text.

#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/indexed.h"

#include <QString>

#include <algorithm>
#include <string>
#include <vector>

namespace helio::test {

constexpr std::int64_t NoPlace = -1;
enum Rwbs : int { Write = 1, Discard = 2, Read = 4, ReadAheadTrace = 8, Sync = 32, Meta = 64, Flush = 256, PreFlush = 1024 };

/// Returns the kernel's device number of a disk.
constexpr int diskNumber(int major, int minor) { return major << 20 | minor; }
constexpr int Vdb = diskNumber(254, 16), Vdc = diskNumber(254, 32);

/// Writer of disk events with LTTng's names and fields. Requests are inserted and issued on CPU 0 by thread 9, and completed on CPU 1.
class DiskScript : public KernelScript {
public:
    using KernelScript::KernelScript;

    DiskScript& insert(std::int64_t time, int disk, std::int64_t sector, int sectors, int rwbs, int tid = 9)
    {
        return request("block_rq_insert", time, disk, sector, sectors, rwbs, tid);
    }
    DiskScript& issue(std::int64_t time, int disk, std::int64_t sector, int sectors, int rwbs, int tid = 9)
    {
        return request("block_rq_issue", time, disk, sector, sectors, rwbs, tid);
    }
    DiskScript& merge(std::int64_t time, int disk, std::int64_t sector, int sectors, int rwbs)
    {
        return request("block_rq_merge", time, disk, sector, sectors, rwbs, 9);
    }
    DiskScript& complete(std::int64_t time, int disk, std::int64_t sector, int sectors, int rwbs, int error = 0, int cpu = 1)
    {
        event(time, cpu, "block_rq_complete",
              {{"dev", disk}, {"sector", sector}, {"nr_sector", sectors}, {"error", error}, {"rwbs", rwbs}});
        return *this;
    }
    DiskScript& requeue(std::int64_t time, int disk, std::int64_t sector, int sectors, int rwbs)
    {
        event(time, 1, "block_rq_requeue", {{"dev", disk}, {"sector", sector}, {"nr_sector", sectors}, {"error", 0}, {"rwbs", rwbs}});
        return *this;
    }
    DiskScript& frontMerge(std::int64_t time, int disk, std::int64_t sector, int sectors, int rwbs)
    {
        event(time, 0, "block_bio_frontmerge", {{"dev", disk}, {"sector", sector}, {"nr_sector", sectors}, {"rwbs", rwbs}});
        return *this;
    }
    DiskScript& named(std::int64_t time, int disk, const char* name)
    {
        event(time, 0, "lttng_statedump_block_device", {{"dev", disk}, {"diskname", name}});
        return *this;
    }

    void runDisks(std::int64_t end = -1, Gaps gaps = Gaps::ReportedAtBegin) { run(end, gaps, analysisOf("disks")); }

    /// Returns all requests, one per line: "read 10-30 on disk:254,16/queue:driver/slot:0 disk=vdb;sector=8...".
    QString requests() const
    {
        QString text;
        const Store& made = store();
        if (made.segments().kinds().size() != 1 || made.segments().kinds().front().id != "block")
            return "no such kind";
        made.segments().visit(SegmentKindId{0}, {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSegment> some) {
            for (const HostSegment& it : some)
                text += QString("%1 %2-%3 on %4 %5\n")
                            .arg(QString::fromStdString(std::string(made.text(it.name))))
                            .arg(nanoseconds(it.begin))
                            .arg(nanoseconds(it.end))
                            .arg(QString::fromStdString(keyOf(it.track)).section("queue:", 1),
                                 QString::fromStdString(std::string(made.text(StringId{static_cast<std::uint32_t>(it.value)}))));
        });
        return text;
    }

    /// Returns the rows as text, sorted by key: "disk:254,16 vdb", then a line for each slot row of the disk's queues: "waiting/slot:0:
    /// read(8+8) 5-10".
    QString rows() const
    {
        std::vector<std::string> keys;
        for (const Track& it : store().tracks())
            keys.push_back(it.key);
        std::ranges::sort(keys);
        QString text;
        for (const std::string& key : keys)
            if (const std::string states = this->states(key); !states.empty())
                text +=
                    QString("%1: %2\n").arg(QString::fromStdString(key).remove("disk:").remove("queue:"), QString::fromStdString(states));
        return text;
    }

private:
    DiskScript& request(const char* name, std::int64_t time, int disk, std::int64_t sector, int sectors, int rwbs, int tid)
    {
        event(time, 0, name,
              {{"dev", disk},
               {"sector", sector},
               {"nr_sector", sectors},
               {"bytes", sectors * 512},
               {"tid", tid},
               {"rwbs", rwbs},
               {"comm", ("t" + std::to_string(tid)).c_str()}});
        return *this;
    }
};

/// Compares texts line by line and shows both completely if they differ.
#define COMPARE_LINES(actual, expected) QCOMPARE(QString(actual).split('\n'), QString(expected).split('\n'))

} // namespace helio::test
