#pragma once

#include "core/compare/ledger.h"
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
    TrackRef row; ///< That it is on, of the calls of its depth.
    TimeRange range;
    TrackRef states; ///< The row with the states of its thread. Not valid: they were not recorded.
    StackId stack = NoStack; ///< That it ends.
};

/// The calls of a function that are no calls of itself by itself: recursion counts once.
struct CallsOfFunction {
    SampledFunction function;
    std::vector<FunctionCall> calls; ///< Those of one thread in the order of their begins.
};

/// Calls that lie in the window as a whole and for which accepts(row, name, range) is true. `function` is a name as in
/// SampledFunction::isCalled(), or the address of a function without a name: "0x401136". Empty if no such function was called.
/// Threads: any but the UI's: names functions. Cost: as CallNames, and some 100 ns a call.
CallsOfFunction callsOf(const Timeline& timeline, const CallKind& kind, std::string_view function, TimeRange window,
                        const std::function<bool(const Row&, std::string_view, TimeRange)>& accepts, std::stop_token stop = {});
/// The calls of the same function.
CallsOfFunction callsOf(const Timeline& timeline, const CallKind& kind, const SampledFunction& function, TimeRange window,
                        const std::function<bool(const Row&, std::string_view, TimeRange)>& accepts, std::stop_token stop = {});

/// The quick calls of a function and the slow ones.
struct CallSides {
    std::vector<FunctionCall> a; ///< The quick ones.
    std::vector<FunctionCall> b; ///< Those that are longer than...
    Duration limit{};
};

/// Parts them at a length. Without one: at their median, or where no call is longer at the length next to the longest.
/// A side is empty where all calls are equally long, or on one side of the length.
CallSides partedByLength(std::vector<FunctionCall> calls, std::optional<Duration> limit);

/// Where the time of one call went, of the quick ones in A and of the slow ones in B: the states of their threads, as whySlower() has them.
Ledger whySlower(const Timeline& timeline, const CallSides& sides, std::stop_token stop = {});

/// What one call of either side called, as one tree below the function: its time and those of all it called add up to the mean of a call.
/// Threads: any but the UI's: names functions. Cost: as collecting and naming all calls, once for each side.
DifferenceTree compareCallees(const Timeline& timeline, const CallKind& kind, const SampledFunction& function, const CallSides& sides,
                              std::stop_token stop = {});

} // namespace helio
