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

/// A call of a function.
struct FunctionCall {
    TrackRef row; ///< Row with the call; each depth of calls has its own row.
    TimeRange range;
    TrackRef states; ///< Row with the states of the calling thread; invalid if states were not recorded.
    StackId stack = NoStack; ///< Call stack with this call as the innermost frame.
};

/// Calls of a function, without calls that lie within another call of the function (recursion).
struct CallsOfFunction {
    SampledFunction function;
    std::vector<FunctionCall> calls; ///< The calls of a thread are in the order of their begins.
};

/// Returns the calls of a function that lie completely in the window and for which accepts(row, name, range) is true. `function` is a name
/// for SampledFunction::isCalled(), or the address of a function without a name, e.g. "0x401136". Empty if no such function was called.
/// Threads: any but the UI thread, because functions are named.
/// Cost: like CallNames, and about 100 ns for each call.
CallsOfFunction callsOf(const Timeline& timeline, const CallKind& kind, std::string_view function, TimeRange window,
                        const std::function<bool(const Row&, std::string_view, TimeRange)>& accepts, std::stop_token stop = {});
/// Returns the calls of the function with the same identity as `function`.
CallsOfFunction callsOf(const Timeline& timeline, const CallKind& kind, const SampledFunction& function, TimeRange window,
                        const std::function<bool(const Row&, std::string_view, TimeRange)>& accepts, std::stop_token stop = {});

/// Fast and slow calls of a function.
struct SplitCalls {
    std::vector<FunctionCall> a; ///< Fast calls.
    std::vector<FunctionCall> b; ///< Slow calls: longer than `limit`.
    Duration limit{};
};

/// Splits calls at a duration. Without `limit`, splits at the median or, if no call is longer than the median, at the second longest
/// duration. A side is empty if all calls have the same duration, or if all are on one side of the limit.
SplitCalls splitByDuration(std::vector<FunctionCall> calls, std::optional<Duration> limit);

/// Returns the breakdown of the time of one call by the states of its thread. A are the fast calls, B the slow calls.
Breakdown computeBreakdown(const Timeline& timeline, const SplitCalls& sides, std::stop_token stop = {});

/// Compares what one fast call and one slow call called, as one tree below the function. The function's own time and the times of all
/// callees add up to the mean duration of a call.
/// Threads: any but the UI thread, because functions are named.
/// Cost: collects and names all calls, once for each side.
DifferenceTree compareCallees(const Timeline& timeline, const CallKind& kind, const SampledFunction& function, const SplitCalls& sides,
                              std::stop_token stop = {});

} // namespace helio
