#pragma once

#include "core/profiling/samples/profile_nodes.h"
#include "core/profiling/samples/stack_unwinding.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Converts the call stacks of samples to nodes of a profile: unwinds the user frames of samples with copies of registers and stack, and
/// cuts off the invalid callers of broken frame pointer chains.
/// Threads: to be used by one thread.
/// Ownership: the timeline and the profile must outlive the object.
/// Cost: a few ns for each stack that was added before; unwinding 10 us per sample, and reading the recording.
class SampleNodes {
public:
    SampleNodes(const Timeline& timeline, StackProfile& profile)
        : m_timeline(timeline)
        , m_profile(profile)
        , m_nodes(profile)
    {
    }

    /// Sets the store of the samples in later calls. After a request of `stop`, samples are no longer unwound.
    void setStore(StoreIndex index, const Store& store, std::stop_token stop);
    ProfileNodes& nodes() { return m_nodes; }

    struct Stack {
        std::uint32_t node = 0; ///< Node of the innermost frame; 0 if no frames were recorded.
        UnwindEnd end = UnwindEnd::Complete; ///< Reason why the outermost frames are missing.
    };
    /// Returns the stack of a sample. Samples that cannot be unwound are counted in StackProfile::notUnwound.
    Stack nodeOf(const HostSample& sample);

private:
    /// Result of follow(): a recorded call chain without the part in which its frame pointers form a circle.
    struct TrimmedChain {
        std::uint32_t node = 0; ///< Node of the innermost frame of the remaining chain.
        bool isKnown = false; ///< True if the trimmed chain was already computed.
        bool isBroken = false; ///< True if the frame pointers of the chain lead to addresses outside of all mappings.
    };

    static bool isNowhere(const CollectedNode& node);
    bool endsNowhere(std::uint32_t node) const;
    TrimmedChain follow(std::uint32_t node);
    std::uint32_t withoutCycles(std::uint32_t node);
    UnwoundStack unwound(const HostSample& sample);
    Stack unwind(const HostSample& sample, std::uint32_t recorded);

    const Timeline& m_timeline;
    StackProfile& m_profile;
    ProfileNodes m_nodes;
    StoreIndex m_index{}; ///< Store of the samples.
    std::uint32_t m_trace = 0; ///< Index into Timeline::traces of the store's trace.
    std::optional<StackUnwinding> m_unwinding; ///< Unwinder for the samples of the trace; nullopt before the first store.
    std::vector<TrimmedChain> m_followed; ///< Cache of follow(), indexed by node.
};

} // namespace helio
