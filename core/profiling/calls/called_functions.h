#pragma once

#include "core/profiling/samples/stack_names.h"
#include "core/query/segments/segments.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

/// All calls of a function, from any caller.
struct FunctionSum {
    SampledFunction function;
    std::uint64_t calls = 0;
    Segment longest; ///< The first of the longest calls with a recorded exit; of all calls if none has one.
    bool isFinished = false; ///< True if the exit of the longest call was recorded, so that its length is exact.
};

/// Returns every function that a timeline's calls enter; functions with the most calls come first.
/// Threads: any but the UI thread: reads symbols.
/// Cost: as CallNames, and about 40 ns per call.
std::vector<FunctionSum> calledFunctions(const Timeline& timeline, std::stop_token stop = {});

} // namespace helio
