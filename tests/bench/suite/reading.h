#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <vector>

namespace helio::bench {

// Ways to read a trace on this thread, each of which adds work to the previous one.

void decodeAll(const Trace& trace);

/// Decodes every field that the kernel's state machine uses.
class KernelFields {
public:
    explicit KernelFields(const Trace& trace);

    /// Returns a sum over all fields, so that the compiler cannot leave any out.
    std::uint64_t decodeAll() const;

private:
    std::uint64_t sumOf(const EventBatch& batch, std::uint32_t stream) const;

    const Trace& m_trace;
    std::vector<std::vector<FieldRef>> m_fields; ///< Fields of each event type.
};

void mergeAll(const Trace& trace);

/// Passes merged events through every analysis and discards what they write. Returns the number of links they reported.
std::uint64_t analyseAll(const Trace& trace);

} // namespace helio::bench
