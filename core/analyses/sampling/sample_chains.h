#pragma once

#include "core/store/stacks.h"
#include "core/trace/process/address_spaces.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace helio::sampling {

/// The outermost callers of a sample are missing.
bool isCut(const SampleView& sample);

/// Finds the call stacks of samples: what was recorded, as addresses in the modules that were mapped when they were taken. One thread.
class SampleChains {
public:
    /// Requires: trace.samples() is there.
    SampleChains(const Trace& trace, StackSink& sink)
        : m_reader(*trace.samples())
        , m_sink(sink)
        , m_spaces(trace.modules())
    {
    }

    /// In time order with the samples.
    void take(const ProcessRecord& record) { m_spaces.take(record); }

    StackId stackOf(const SampleView& sample);

private:
    void appendCalls(const SampleView& sample, std::size_t begin);
    StackId recordedStack(std::uint32_t index);
    StackFrame frameOf(std::int32_t pid, CodeMode mode, std::uint64_t address);

    struct Link {
        std::uint64_t address;
        CodeMode mode;
        bool isReturnAddress;
    };

    const SampleReader& m_reader;
    StackSink& m_sink;
    AddressSpaces m_spaces;
    std::vector<Link> m_chain; ///< For stackOf(); kept for its room.
    std::vector<StackId> m_recorded; ///< By index of a recorded stack; NoStack: not met yet.
    std::vector<std::uint32_t> m_path; ///< For recordedStack(); kept for its room.
};

} // namespace helio::sampling
