#pragma once

#include "core/profiling/calls/call_names.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/segments/segments.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Durations of the calls of a function, in all threads or in threads of one name.
struct CallDurations {
    SampledFunction function;
    std::string comm; ///< Name of the threads that made the calls; empty for calls by all threads.
    DurationDistribution lengths; ///< Durations of the calls with a recorded exit.
    /// CPU time of the calling threads during the calls, without steal time if the call kind excludes it; nullopt if not recorded.
    std::optional<Duration> onCpu;
    /// The longest call with a recorded exit, else the longest of all; the first of several equally long ones.
    Segment longest;
    std::uint64_t unfinished = 0; ///< Number of calls without a recorded exit; not in `lengths`.
};

/// Returns the durations of the calls that the filter selects and that lie completely in one of its ranges, in no particular order.
/// The command `latency` counts calls in the same way. `byCommand`: true for one element for each function and thread name, false for
/// one element for each function. Empty if the filter's kind is not in callKinds().
/// Threads: any but the UI thread: reads symbols.
/// Cost: that of CallNames, and about 100 ns per call. Memory: 8 bytes per call.
std::vector<CallDurations> callDurations(const Timeline& timeline, const SampleFilter& filter, bool byCommand, std::stop_token stop = {});

} // namespace helio
