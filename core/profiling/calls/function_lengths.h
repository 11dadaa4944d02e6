#pragma once

#include "core/profiling/calls/call_names.h"
#include "core/query/rows/duration_spread.h"
#include "core/query/segments/segments.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// How long the calls of a function lasted, those of threads of one name.
struct FunctionLengths {
    SampledFunction function;
    std::string comm; ///< Of the threads.
    DurationSpread lengths;
    /// The sum of their threads' times on a CPU meanwhile, without what was stolen of them where the kind weighs by that. None: nobody
    /// recorded it.
    std::optional<Duration> onCpu;
    Segment longest; ///< The first of the longest.
};

/// Of the calls that the filter chooses and that lie in one of its ranges as a whole, as `latency` counts them; in no order. Nothing where
/// its kind is none of callKinds(). Threads: any but the UI's: reads symbols. Cost: as CallNames, and about 100 ns a call, with 8 bytes.
std::vector<FunctionLengths> functionLengths(const Timeline& timeline, const SampleFilter& filter, std::stop_token stop = {});

} // namespace helio
