#pragma once

#include "core/store/stacks.h"
#include "core/trace/process/address_spaces.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace helio::sampling {

/// Returns true if the outermost callers are missing in the sample's call chain.
bool isCut(const SampleView& sample);

/// Converts the recorded call chains of samples to stacks of the store. Addresses become relative to the modules that were mapped at the
/// time of the sample.
///
/// Threads: used by one thread.
class SampleChains {
public:
    /// Requires: trace.samples() is not null.
    SampleChains(const Trace& trace, StackSink& sink)
        : m_reader(*trace.samples())
        , m_sink(sink)
        , m_spaces(trace.modules())
    {
    }

    /// Processes a process record. Process records and samples must come in time order.
    void take(const ProcessRecord& record) { m_spaces.take(record); }

    StackId stackOf(const SampleView& sample);

private:
    void appendCalls(const SampleView& sample, std::size_t begin);
    StackId recordedStack(std::uint32_t index);
    StackFrame frameOf(const SampleView& sample, CodeMode mode, std::uint64_t address);

    struct Link {
        std::uint64_t address;
        CodeMode mode;
        bool isReturnAddress;
    };

    const SampleReader& m_reader;
    StackSink& m_sink;
    AddressSpaces m_spaces;
    std::vector<Link> m_chain; ///< Buffer of stackOf(), kept to reuse its memory.
    /// Stack ids in the store of the reader's stacks, indexed like m_reader.stacks(); NoStack if a stack is not in the store yet.
    std::vector<StackId> m_recorded;
    std::vector<std::uint32_t> m_path; ///< Buffer of recordedStack(), kept to reuse its memory.
};

} // namespace helio::sampling
