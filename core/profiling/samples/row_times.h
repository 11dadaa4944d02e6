#pragma once

#include "core/profiling/samples/stack_names.h"

#include <map>
#include <stop_token>
#include <vector>

namespace helio {

/// Sample times in ascending order, keyed by row.
using SampleTimesByRow = std::map<TrackRef, std::vector<Timestamp>>;

/// Returns the times of the samples with the function in their stack, for the rows of their threads and of their CPUs. Only
/// samples that pass the filter and have a row count. The function is identified by label and module. Requires: `profile` and `names`
/// belong to the same samples. After a stop request, returns the times found so far.
///
/// Threads: any but the UI thread, because the store is read.
/// Cost: about 50 ns per sample. Memory: 16 bytes for each sample found.
SampleTimesByRow findFunctionTimes(const Timeline& timeline, const SampleFilter& filter, const StackProfile& profile,
                                   const StackNames& names, const SampledFunction& function, std::stop_token stop = {});

} // namespace helio
