#pragma once

#include "core/store/store.h"
#include "core/trace/merged_events.h"

namespace helio {

/// Collects the facts of a trace while its events are read: the number of events by type, the time range, losses, and checkpoints at which
/// a reader can resume.
/// Threads: used by one thread at a time.
class FactsCounter {
public:
    /// Writes the facts to `builder`. If `builder` is null, events are only counted, for progress.
    FactsCounter(const Trace& trace, StoreBuilder* builder);

    std::uint64_t events() const { return m_summary.events; }
    HostTimestamp end() const { return m_summary.range.end; } ///< Returns the time of the last event so far.

    void begin(HostTimestamp first) { m_summary.range = {first, first}; }
    void count(const EventRun& run);
    void addLoss(const Loss& loss);
    void addCheckpoint(MergeCheckpoint checkpoint);

    /// Returns the facts up to `until`; null without a builder.
    std::shared_ptr<const Store> snapshot(HostTimestamp until);
    /// Returns the facts of the whole trace, with the diagnostics of its reader and of the merge of its streams (`ofMerge`). Requires: all
    /// events were counted.
    StoreSummary takeSummary(std::vector<Diagnostic> ofMerge);

private:
    void countByBucket(const EventRun& run);
    void addDensity();

    const Trace& m_trace;
    StoreBuilder* const m_builder;
    StoreSummary m_summary;
    HostRange m_bucket{}; ///< Bucket of the event density that contains the latest events.
    /// Number of events in m_bucket that are not yet added to the builder; all of them are added in one call.
    std::uint64_t m_inBucket = 0;
};

} // namespace helio
