#pragma once

#include "core/profiling/samples/stack_names.h"
#include "core/store/stacks.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

/// Names of the innermost functions of a timeline's call stacks. If the innermost frame is a return address, it lies in the function that
/// its caller's frame names: both have the same name. A value.
///
/// Threads: constructed on any thread but the UI thread: reads files.
/// Cost: construction as nameStacks() of each different frame.
class CallNames {
public:
    /// Names the stacks of all stores that have segments with frames as names.
    explicit CallNames(const Timeline& timeline, std::stop_token stop = {});

    /// Returns the innermost function of a stack; the unknown function if there is no such stack.
    const SampledFunction& functionOf(StoreIndex store, StackId stack) const { return m_functions[indexOf(store, stack)]; }
    /// Returns the index into functions(). A function has the same index in all stores.
    std::uint32_t indexOf(StoreIndex store, StackId stack) const;
    const std::vector<SampledFunction>& functions() const { return m_functions; }

private:
    std::vector<SampledFunction> m_functions;
    std::vector<std::vector<std::uint32_t>> m_byStack; ///< Function indices by store and StackId.
};

/// Returns the names of a timeline. The first caller makes them; other callers wait. They are cached as long as the timeline exists, and
/// until the names of another timeline are asked for. Once `stop` is requested, the caller gets the names made until then, and they are not
/// cached.
///
/// Threads: any but the UI thread, several at once.
/// Cost: a look-up; the first call as CallNames. Memory: 4 bytes for each stack and about 300 for each function.
std::shared_ptr<const CallNames> callNamesOf(const std::shared_ptr<const Timeline>& timeline, std::stop_token stop = {});

} // namespace helio
