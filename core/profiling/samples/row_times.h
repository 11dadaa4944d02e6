#pragma once

#include "core/profiling/samples/stack_names.h"

#include <map>
#include <stop_token>
#include <vector>

namespace helio {

/// Moments by row, in time order.
using RowTimes = std::map<TrackRef, std::vector<Timestamp>>;

/// Returns the times of the samples with the function anywhere in their stacks, by the rows of their threads and of their CPUs. Only
/// samples that pass the filter. The function is identified by label and module; samples without a row are left out. Requires: `profile`
/// and `names` are of the same samples. If stopped, returns what was found until then.
///
/// Threads: any but the UI thread: reads the store.
/// Cost: about 50 ns per sample. Memory: 16 bytes for each sample found.
RowTimes findFunctionTimes(const Timeline& timeline, const SampleFilter& filter, const StackProfile& profile, const StackNames& names,
                           const SampledFunction& function, std::stop_token stop = {});

} // namespace helio
