#pragma once

#include "core/compare/breakdown.h"
#include "core/compare/tree_difference.h"
#include "core/profiling/samples/collect_calls.h"
#include "core/profiling/samples/stack_names.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio {

struct FunctionCall {
    TrackRef row; ///< Row that shows the call. Each call depth has a row of its own.
    TimeRange range;
    TrackRef states; ///< Row with the states of the calling thread; invalid if states were not recorded.
    StackId stack = NoStack; ///< Call stack whose innermost frame is this call.
};

/// Outermost calls of a function: recursive calls, which are inside another call of the function, are left out.
struct CallsOfFunction {
    SampledFunction function;
    std::vector<FunctionCall> calls; ///< Calls of the function, in order of start times for each thread.
};

/// Returns the calls of a function that are completely in `window` and for which accepts(row, name, range) returns true. `function` is a
/// name in the format of SampledFunction::isCalled(), or, for a function without a name, its address, e.g. "0x401136". Empty if no such
/// function was called. Threads: any but the UI thread, because symbols are read. Cost: like CallNames, and about 100 ns for each call.
CallsOfFunction callsOf(const Timeline& timeline, const CallKind& kind, std::string_view function, TimeRange window,
                        const std::function<bool(const Row&, std::string_view, TimeRange)>& accepts, std::stop_token stop = {});
/// Returns the calls of the function that has the same symbol, compilation unit and module as `function` (identityOf()).
CallsOfFunction callsOf(const Timeline& timeline, const CallKind& kind, const SampledFunction& function, TimeRange window,
                        const std::function<bool(const Row&, std::string_view, TimeRange)>& accepts, std::stop_token stop = {});

/// Calls of a function, split at a duration into fast and slow calls.
struct SplitCalls {
    std::vector<FunctionCall> a; ///< Fast calls, whose duration is at most `limit`.
    std::vector<FunctionCall> b; ///< Slow calls, whose duration is longer than `limit`.
    Duration limit{};
};

/// Splits calls by duration. Without `limit`, the limit is the median, or the second longest duration if no call is longer than the median.
/// A side is empty if all calls are on the same side of the limit, in particular if all have the same duration.
SplitCalls splitByDuration(std::vector<FunctionCall> calls, std::optional<Duration> limit);

/// Compares the mean fast call (side A) with the mean slow call (side B). Returns the breakdown of their durations by the states of the
/// calling thread.
Breakdown computeBreakdown(const Timeline& timeline, const SplitCalls& sides, std::stop_token stop = {});

/// Compares the callees of a mean fast call and a mean slow call, as one tree below the function. The function's self time and the times of
/// all callees add up to the mean duration of a call.
/// Threads: any but the UI thread, because symbols are read.
/// Cost: collects and names all calls, once for each side.
DifferenceTree compareCallees(const Timeline& timeline, const CallKind& kind, const SampledFunction& function, const SplitCalls& sides,
                              std::stop_token stop = {});

} // namespace helio
