#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <vector>

namespace helio::bench {

// Reading a trace on this thread, in steps: each does what the one before it does, and more.

void decodeAll(const Trace& trace);

/// Decodes every field that the kernel's state machine asks for, too.
class KernelFields {
public:
    explicit KernelFields(const Trace& trace);

    /// Something made of all of them, so that none is left out.
    std::uint64_t decodeAll() const;

private:
    std::uint64_t sumOf(const EventBatch& batch, std::uint32_t stream) const;

    const Trace& m_trace;
    std::vector<std::vector<FieldRef>> m_fields; ///< By type.
};

void mergeAll(const Trace& trace);

/// Merged events through every analysis, into nothing. How many links they reported.
std::uint64_t analyseAll(const Trace& trace);

} // namespace helio::bench
