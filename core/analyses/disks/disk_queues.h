#pragma once

#include "core/analyses/disks/block_events.h"
#include "core/analyses/disks/disk.h"
#include "core/analyses/disks/request_segments.h"
#include "core/analysis/analysis.h"
#include "core/event_model/running_threads.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace helio::disks {

/// Finds the requests of each disk, from when they are inserted into its queue, through its driver, until they are completed, and writes
/// them as rows and segments.
///
/// A completion belongs to the issued request at its sector with the same operation. A completion without such a request is dropped: the
/// request was issued before the trace began, or it is the completion of a flush, reported after the write that needed the flush. If
/// requeues or merges are not recorded, they are inferred from a request that is issued again, or that lies within the sectors of another
/// one. If events of idle threads are not recorded, completions on idle CPUs are missing: a request is then taken as ended when its sectors
/// are requested again, and its duration is unknown. Requests that are under way when events are lost have no segments.
///
/// Threads: to be used by one thread.
/// Cost: about 200 ns for each event of the block layer, none for others.
/// Memory: proportional to the requests under way.
class DiskQueues final : public Analysis {
public:
    DiskQueues(const Trace& trace, StateSink& sink);

    void begin(HostTimestamp at) override { m_begin = at; }
    bool takes(EventTypeId type) const override { return m_areTaken[static_cast<std::size_t>(type)] != 0; }
    void onEvents(const EventRun& run) override;
    void onLossBegin(const Loss& loss) override;
    void onLoss(const Loss& loss) override;
    void finish(HostTimestamp end) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    void take(const EventView& event, BlockEventRole role);
    void take(const EventView& event, BlockEventRole role, const BlockEvent& it, Disk& disk);
    void apply(const EventView& event, BlockEventRole role, const BlockEvent& it, Disk& disk);
    void insert(const EventView& event, const BlockEvent& it, Disk& disk);
    void issue(const EventView& event, const BlockEvent& it, Disk& disk);
    void complete(const EventView& event, const BlockEvent& it, Disk& disk);
    void completeWaiting(const EventView& event, const BlockEvent& it, Disk& disk);
    void requeue(const EventView& event, const BlockEvent& it, Disk& disk);
    void frontMerge(const EventView& event, const BlockEvent& it, Disk& disk);
    void merge(const EventView& event, const BlockEvent& it, Disk& disk, RequestQueue::Place base);
    void name(const EventView& event, std::uint32_t device);

    std::optional<Request> takeWaiting(const EventView& event, const BlockEvent& it, Disk& disk);
    void dropReplaced(const EventView& event, const BlockEvent& it, RequestQueue& queue);
    std::optional<Request> takeIssued(const EventView& event, const BlockEvent& it, Disk& disk);
    Request requestOf(const EventView& event, const BlockEvent& it) const;
    RequestingThread requestingThreadOf(const EventView& event) const;
    Disk& addDisk(std::uint32_t device);
    bool areMergesRecorded() const { return m_events.has(BlockEventRole::Merge) || m_events.has(BlockEventRole::ElevatorMerge); }
    void lose(HostTimestamp at);
    void sortRows();

    const Trace& m_trace;
    StateSink& m_sink;
    BlockEvents m_events;
    RunningThreads m_running;
    std::vector<std::uint8_t> m_areTaken; ///< True (1) for event types that are used. Indexed by EventTypeId.
    std::map<std::uint32_t, Disk> m_disks;
    std::map<std::uint32_t, std::string> m_names; ///< Names of all disks that were recorded, by device.
    RequestSegments m_segments;
    HostTimestamp m_begin{};
    int m_losses = 0; ///< Count of gaps that have begun and not ended.
    std::uint64_t m_replaced = 0; ///< Count of requests without a recorded end, although no events were lost.
};

} // namespace helio::disks
