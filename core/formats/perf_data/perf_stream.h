#pragma once

#include "core/formats/perf_data/perf_trace.h"

namespace helio::perf {

/// Reads a trace's events in the order of its index. Ownership: the trace must outlive it.
class PerfStream final : public EventStream {
public:
    PerfStream(const PerfTrace& trace, StreamPosition from);

    bool next(EventBatch& batch) override;
    std::vector<Diagnostic> diagnostics() const override { return m_diagnostics; }

private:
    void fill(EventRecord& record, const IndexEntry& entry, std::span<const std::byte> source) const;
    void fillSample(EventRecord& record, std::span<const std::byte> bytes, const IndexEntryType& kind) const;
    void fillSwitch(EventRecord& record, std::span<const std::byte> bytes) const;
    bool hasFileShrunk(const Source& source);

    const PerfTrace& m_trace;
    std::uint64_t m_at; ///< Position in PerfTrace::m_index.
    std::size_t m_loss; ///< Index of the next loss to return, in PerfTrace::m_losses.
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace helio::perf
