#pragma once

#include "core/profiling/samples/stack_names.h"

#include <map>
#include <stop_token>
#include <vector>

namespace helio {

/// Moments on rows: of each row in time order.
using RowTimes = std::map<TrackRef, std::vector<Timestamp>>;

/// When samples with the function anywhere in their stacks were taken, by the rows of their threads and of their CPUs: of all that pass the
/// filter. The function is meant by label and module; what has no row is left out. `profile` and `names`: of the same samples.
///
/// Threads: any but the UI's: reads the store. Stopped: what was found until then. Cost: about 50 ns a sample; 16 bytes for each found.
RowTimes timesOfFunction(const Timeline& timeline, const SampleFilter& filter, const StackProfile& profile, const StackNames& names,
                         const SampledFunction& function, std::stop_token stop = {});

} // namespace helio
