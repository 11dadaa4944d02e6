#pragma once

#include "core/profiling/samples/stack_names.h"
#include "core/store/stacks.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

/// Names of the innermost functions of a timeline's call stacks. The innermost frame of a stack can be a return address within the
/// function of the frame before it; both frames then have the same name. A value type: copies are independent of each other and of the
/// timeline.
/// Threads: constructed on any thread but the UI thread, because files are read.
/// Cost: construction costs as much as nameStacks() for each distinct frame.
class CallNames {
public:
    /// Names the stacks of all stores with segments that are named after frames (SegmentKind::hasFrames).
    explicit CallNames(const Timeline& timeline, std::stop_token stop = {});

    /// Returns the innermost function of a stack; the unknown function if the stack does not exist.
    const SampledFunction& functionOf(StoreIndex store, StackId stack) const { return m_functions[indexOf(store, stack)]; }
    /// Returns the index into functions() of a stack's innermost function. A function has the same index in all stores.
    std::uint32_t indexOf(StoreIndex store, StackId stack) const;
    const std::vector<SampledFunction>& functions() const { return m_functions; }

private:
    std::vector<SampledFunction> m_functions;
    /// Indices of the stacks' innermost functions, indexed by store and then by StackId.
    std::vector<std::vector<std::uint32_t>> m_byStack;
};

/// Returns the names of a timeline. The first caller computes them while other callers wait. They are cached as long as the timeline
/// exists, until the names of another timeline are requested. After a stop request, the caller receives the names computed so far, which
/// are not cached.
///
/// Threads: any but the UI thread, several at once.
/// Cost: a lookup; the first call costs as much as CallNames. Memory: 4 bytes for each stack and about 300 for each function.
std::shared_ptr<const CallNames> callNamesOf(const std::shared_ptr<const Timeline>& timeline, std::stop_token stop = {});

} // namespace helio
