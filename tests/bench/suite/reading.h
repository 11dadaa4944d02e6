#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <vector>

namespace helio::bench {

// Functions that read a trace on the calling thread. In their order, each function does more of the indexer's work: decode headers, decode
// fields, merge streams, run the analyses.

void decodeAll(const Trace& trace);

/// Decodes every field that the kernel's state machine uses.
class KernelFields {
public:
    explicit KernelFields(const Trace& trace);

    /// Decodes all fields and returns their sum, so that the compiler cannot remove a decode.
    std::uint64_t decodeAll() const;

private:
    std::uint64_t sumOf(const EventBatch& batch, std::uint32_t stream) const;

    const Trace& m_trace;
    std::vector<std::vector<FieldRef>> m_fields; ///< Fields to decode, indexed by event type.
};

void mergeAll(const Trace& trace);

/// Passes merged events through every analysis and discards the results. Returns the number of links.
std::uint64_t analyseAll(const Trace& trace);

} // namespace helio::bench
