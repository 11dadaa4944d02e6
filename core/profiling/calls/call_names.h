#pragma once

#include "core/profiling/samples/stack_names.h"
#include "core/store/stacks.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

/// The functions that the call stacks of a timeline's stores end with, named. A return address on top of another frame is a place in the
/// function that this one names.
///
/// A value. Threads of making: any but the UI's: reads files. Cost of making: as nameStacks() of each different frame.
class CallNames {
public:
    /// Of the stores that have segments whose names are frames.
    explicit CallNames(const Timeline& timeline, std::stop_token stop = {});

    /// The unknown one for stacks that are not there.
    const SampledFunction& functionOf(StoreIndex store, StackId stack) const { return m_functions[indexOf(store, stack)]; }
    /// The same function has the same number, in all stores.
    std::uint32_t indexOf(StoreIndex store, StackId stack) const;
    const std::vector<SampledFunction>& functions() const { return m_functions; }

private:
    std::vector<SampledFunction> m_functions;
    std::vector<std::vector<std::uint32_t>> m_byStack; ///< By store and StackId.
};

/// Those of a timeline, made by whoever asks first; the others wait for it. They are kept as long as the timeline is there, and until names
/// of another one are asked for. Once `stop` is requested: as far as they were made, for the caller alone.
///
/// Threads: any at once but the UI's. Cost: a look-up, but for the first: as CallNames, which have 4 bytes for each stack and some 300 for
/// each function.
std::shared_ptr<const CallNames> callNamesOf(const std::shared_ptr<const Timeline>& timeline, std::stop_token stop = {});

} // namespace helio
