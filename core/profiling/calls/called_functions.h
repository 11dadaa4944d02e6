#pragma once

#include "core/profiling/samples/stack_names.h"
#include "core/query/segments/segments.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

/// A function that was called, whoever called it.
struct FunctionSum {
    SampledFunction function;
    std::uint64_t calls = 0;
    Segment longest; ///< The first of the longest of those whose exits were seen; of all where none was.
    bool isFinished = false; ///< The exit of the longest one was seen: its length is its own.
};

/// Every function of a timeline's calls, those with the most calls first. Threads: any but the UI's: reads symbols. Cost: as CallNames,
/// and about 40 ns a call.
std::vector<FunctionSum> calledFunctions(const Timeline& timeline, std::stop_token stop = {});

} // namespace helio
