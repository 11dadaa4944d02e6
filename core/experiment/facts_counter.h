#pragma once

#include "core/store/store.h"
#include "core/trace/merged_events.h"

namespace helio {

/// Collects the facts of a trace while its events are read: their number by type, their times, losses, and checkpoints where a reader can
/// resume.
/// Threads: used by one thread at a time.
class FactsCounter {
public:
    /// Writes the facts into `builder`. If `builder` is null, events are only counted, for progress.
    FactsCounter(const Trace& trace, StoreBuilder* builder);

    std::uint64_t events() const { return m_summary.events; }
    HostTimestamp end() const { return m_summary.range.end; } ///< Time of the last event so far.

    void begin(HostTimestamp first) { m_summary.range = {first, first}; }
    void count(const EventRun& run);
    void addLoss(const Loss& loss);
    void addCheckpoint(MergeCheckpoint checkpoint);

    /// The facts up to `until`; null if there is no builder.
    std::shared_ptr<const Store> snapshot(HostTimestamp until);
    /// The facts of the whole trace, with the diagnostics of its reader and of the merge (`ofMerge`). Requires: all events were counted.
    StoreSummary takeSummary(std::vector<Diagnostic> ofMerge);

private:
    void countByBucket(const EventRun& run);
    void addDensity();

    const Trace& m_trace;
    StoreBuilder* const m_builder;
    StoreSummary m_summary;
    HostRange m_bucket{}; ///< Bucket of the event density that the last events lie in.
    std::uint64_t m_inBucket = 0; ///< Number of events in m_bucket that are not yet added to the builder; they are added in one call.
};

} // namespace helio
