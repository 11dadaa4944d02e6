#pragma once

#include "core/profiling/calls/call_names.h"
#include "core/profiling/samples/stack_names.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/segments/segments.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Rank of a call by its length, among the calls of its function with a recorded exit.
struct CallRank {
    /// Distribution of the lengths of all calls of the function with a recorded exit, including the ranked call.
    DurationDistribution lengths;
    Duration p25{}; ///< 25th percentile of the call lengths, by the nearest-rank method.
    Duration p75{};
    std::uint64_t longer = 0; ///< Number of calls that are longer than the ranked call.
    std::uint64_t shorter = 0;
    std::uint64_t unfinished = 0; ///< Number of calls without a recorded exit, which have no length and are not ranked.
};

/// Selects another call of the same function.
enum class CallSelector : std::uint8_t {
    Next, ///< The call that begins next, in any thread and trace.
    Previous,
    /// The longest call; the first if several calls are equally long. Longest, Shortest and Typical ignore calls without a recorded exit.
    Longest,
    Shortest,
    Typical, ///< A call as long as the median of all calls.
};

/// All calls of one function, from any caller, in all traces.
///
/// Threads: any but the UI thread.
/// Ownership: the timeline and the names must outlive the object.
/// Cost: each query takes about 20 ns for each call of any function. Memory: 8 bytes for each call of this function.
class FunctionCalls {
public:
    /// Selects the calls of the function that `call` executes.
    FunctionCalls(const Timeline& timeline, const CallNames& names, const Segment& call);
    /// Selects the calls of `function`, which is found by its address if it has no name. Selects nothing if `names` does not contain the
    /// function.
    FunctionCalls(const Timeline& timeline, const CallNames& names, const SampledFunction& function);

    /// Returns the function whose calls are selected; a function without a name if no calls are selected.
    SampledFunction function() const;
    /// True if both objects select the calls of the same function. Requires: both use the same names.
    bool hasSameFunction(const FunctionCalls& other) const { return m_function == other.m_function && m_address == other.m_address; }
    bool contains(const Segment& call) const { return isOfFunction(call.store, call.recorded.stack()); }

    /// Calls `take` for each selected call that overlaps the range. The calls come store by store; within a kind of calls of a store, they
    /// are ordered by begin. Returns early after a stop request.
    void each(TimeRange range, const std::function<void(const Segment&)>& take, std::stop_token stop = {}) const;

    /// Returns the rank of a selected call; nullopt if the call's exit was not recorded.
    std::optional<CallRank> rankOf(const Segment& call, std::stop_token stop = {}) const;

    /// Returns the call of the function that `step` selects; Next and Previous are relative to `from`. Skips calls of length 0. Returns
    /// nullopt if there is no such call, or after a stop request.
    std::optional<Segment> step(const Segment& from, CallSelector step, std::stop_token stop = {}) const;

private:
    bool isOfFunction(StoreIndex store, StackId stack) const;
    std::optional<Segment> neighbour(const Segment& from, bool forward, const std::stop_token& stop) const;
    std::optional<Segment> firstOfLength(CallSelector step, const std::stop_token& stop) const;

    const Timeline& m_timeline;
    const CallNames& m_names;
    std::uint32_t m_function; ///< Index into the functions of m_names.
    /// Address that distinguishes a function without a name from other such functions; nullopt for a function with a name.
    std::optional<std::uint64_t> m_address;
};

/// Number of calls of a function, from any caller, and the longest call.
struct FunctionSum {
    SampledFunction function;
    std::uint64_t calls = 0;
    /// The longest call with a recorded exit, or the longest of all calls if no call has a recorded exit. If several calls are equally
    /// long, the first of them.
    Segment longest;
    bool isFinished = false; ///< True if the exit of the longest call was recorded, so that its length is exact.
};

/// Returns each function that the timeline's calls enter, in descending order of the number of calls.
/// Threads: any but the UI thread, because symbols are read.
/// Cost: like CallNames, plus about 40 ns per call.
std::vector<FunctionSum> calledFunctions(const Timeline& timeline, std::stop_token stop = {});

} // namespace helio
