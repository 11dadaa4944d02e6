#pragma once

#include "core/store/store.h"
#include "core/trace/merged_events.h"

namespace helio {

/// Finds a trace's facts as its events go by: how many there are, of which types, when; what was lost; where reading may be taken up.
/// One thread.
class FactsCounter {
public:
    /// Into `builder`; null: they are only counted, for progress.
    FactsCounter(const Trace& trace, StoreBuilder* builder);

    std::uint64_t events() const { return m_summary.events; }
    HostTimestamp end() const { return m_summary.range.end; } ///< The last event's time so far.

    void begin(HostTimestamp first) { m_summary.range = {first, first}; }
    void count(const EventRun& run);
    void addLoss(const Loss& loss);
    void addCheckpoint(MergeCheckpoint checkpoint);

    /// The facts up to `until`. Null where there is no builder.
    std::shared_ptr<const Store> snapshot(HostTimestamp until);
    /// What is known of the whole trace, with what its reader and the merge reported. Requires: all events were counted.
    StoreSummary takeSummary(std::vector<Diagnostic> ofMerge);

private:
    void countByBucket(const EventRun& run);
    void addDensity();

    const Trace& m_trace;
    StoreBuilder* const m_builder;
    StoreSummary m_summary;
    HostRange m_bucket{}; ///< Of the density, whose events are not handed over one by one...
    std::uint64_t m_inBucket = 0; ///< ...but together, these so far.
};

} // namespace helio
