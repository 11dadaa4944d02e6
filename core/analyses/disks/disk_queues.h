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

/// What each disk of a trace is asked for: its requests from when they are put into its queue, by way of its driver, until they are
/// completed, as rows and as segments.
///
/// A completion belongs to the request of the driver that begins, or goes on, at its sector and does the same; one that is of none (the
/// request was issued before the trace began; the end of a flush is reported, after the write that it was for) is dropped. Where requests
/// that were given back or merged are not recorded, what is issued again, or within another's sectors, is taken for them.
/// Where events of idle threads are not recorded, neither are completions on idle CPUs: what is asked for again at its place is not under
/// way any more; how long it took is not known. After lost events nothing is known of the requests that were under way: they have no
/// segments.
///
/// One thread. Cost: some 200 ns for each of its events, none for others. Memory: of the requests under way.
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
    void take(const EventView& event, Role role);
    void take(const EventView& event, Role role, const BlockEvent& it, Disk& disk);
    void apply(const EventView& event, Role role, const BlockEvent& it, Disk& disk);
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
    Doer doerOf(const EventView& event) const;
    Disk& addDisk(std::uint32_t device);
    bool areMergesRecorded() const { return m_events.has(Role::Merge) || m_events.has(Role::ElevatorMerge); }
    void lose(HostTimestamp at);
    void sortRows();

    const Trace& m_trace;
    StateSink& m_sink;
    BlockEvents m_events;
    RunningThreads m_running;
    std::vector<std::uint8_t> m_areTaken; ///< By EventTypeId.
    std::map<std::uint32_t, Disk> m_disks;
    std::map<std::uint32_t, std::string> m_names; ///< Of all disks that were named.
    RequestSegments m_segments;
    HostTimestamp m_begin{};
    int m_losses = 0; ///< Gaps that last.
    std::uint64_t m_replaced = 0; ///< Requests whose end was not recorded, though no loss was.
};

} // namespace helio::disks
