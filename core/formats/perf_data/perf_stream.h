#pragma once

#include "core/formats/perf_data/perf_trace.h"

namespace helio::perf {

/// Hands out the index's events. The trace must outlive it.
class PerfStream final : public EventStream {
public:
    PerfStream(const PerfTrace& trace, StreamPosition from);

    bool next(EventBatch& batch) override;
    std::vector<Diagnostic> diagnostics() const override { return m_diagnostics; }

private:
    void fill(EventRecord& record, const IndexEntry& entry, std::span<const std::byte> source) const;
    void fillSample(EventRecord& record, std::span<const std::byte> bytes, const EntryKind& kind) const;
    void fillSwitch(EventRecord& record, std::span<const std::byte> bytes) const;
    bool hasFileShrunk(const Source& source);

    const PerfTrace& m_trace;
    std::uint64_t m_at; ///< In the index.
    std::size_t m_loss; ///< The next one to hand over.
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace helio::perf
