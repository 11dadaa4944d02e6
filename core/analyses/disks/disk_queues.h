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

/// Follows the requests of each disk: insertion into the disk's queue, issue to the driver, completion. Writes the requests as rows and
/// segments.
///
/// A completion belongs to the issued request at the same sector with the same operation. A completion without such a request is dropped.
/// Its request was issued before the trace began; or the event completes the flush that follows a write: the kernel reports the
/// completion of the write first, and then the completion of the flush.
///
/// Missing events:
/// - Requeues and merges that are not recorded are inferred: a request is issued again, or it lies within the sectors of another request.
/// - If events of idle threads are not recorded, completions on idle CPUs are missing. A request then ends when its sectors are requested
///   again, and its duration is unknown.
/// - Requests in progress while events are lost get no segments.
///
/// Threads: used by one thread.
/// Cost: about 200 ns for each event of the block layer, none for other events.
/// Memory: proportional to the number of requests in progress.
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
    void merge(const EventView& event, const BlockEvent& it, Disk& disk, RequestQueue::RequestRef base);
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
    std::vector<std::uint8_t> m_areTaken; ///< Nonzero for event types that the analysis uses, indexed by EventTypeId.
    std::map<std::uint32_t, Disk> m_disks;
    std::map<std::uint32_t, std::string> m_names; ///< Names of all disks, as far as recorded, keyed by device number.
    RequestSegments m_segments;
    HostTimestamp m_begin{};
    int m_losses = 0; ///< Number of gaps of lost events that have begun and not ended.
    /// Number of requests that were dropped because a later request showed that their ends are missing, although no events were lost.
    std::uint64_t m_replaced = 0;
};

} // namespace helio::disks
