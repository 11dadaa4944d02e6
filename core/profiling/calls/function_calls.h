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

/// Rank of a call among the calls of its function with a recorded exit.
struct CallRank {
    DurationDistribution lengths; ///< Distribution of the lengths of these calls, including this one.
    Duration p25{}; ///< 25th percentile by nearest rank.
    Duration p75{};
    std::uint64_t longer = 0; ///< Number of longer calls.
    std::uint64_t shorter = 0;
    std::uint64_t unfinished = 0; ///< Number of further calls without a recorded exit: they have no length.
};

/// Selects another call of a function.
enum class CallSelector : std::uint8_t {
    Next, ///< Following call in the order of segments.
    Previous,
    Longest, ///< The first of the longest calls; like Shortest and Typical among calls with a recorded exit.
    Shortest,
    Typical, ///< Length equal to the median.
};

/// All calls of one function, from any caller, in all traces.
///
/// Threads: any but the UI thread; the timeline and the names outlive the object.
/// Cost: each query about 20 ns for each call of any function. Memory: 8 bytes for each call of this function.
class FunctionCalls {
public:
    /// Selects the calls of the function that `call` executes.
    FunctionCalls(const Timeline& timeline, const CallNames& names, const Segment& call);
    /// Selects the calls of `function`; a function without a name is found by its address. Selects nothing if `names` does not contain the
    /// function.
    FunctionCalls(const Timeline& timeline, const CallNames& names, const SampledFunction& function);

    /// Returns the function; one without a name if there are no calls.
    SampledFunction function() const;
    /// True if both are the calls of the same function. Requires: both use the same names.
    bool hasSameFunction(const FunctionCalls& other) const { return m_function == other.m_function && m_address == other.m_address; }
    bool contains(const Segment& call) const { return isOfFunction(call.store, call.recorded.stack()); }

    /// Calls `take` for each call that overlaps the range, in the order of segments. Ends early once `stop` is requested.
    void each(TimeRange range, const std::function<void(const Segment&)>& take, std::stop_token stop = {}) const;

    /// Returns the rank of one of these calls; nullopt if its exit was not recorded.
    std::optional<CallRank> rankOf(const Segment& call, std::stop_token stop = {}) const;

    /// Returns another call of the function. Calls without length are skipped: no row shows them. nullopt if there is no such call, or if
    /// stopped.
    std::optional<Segment> step(const Segment& from, CallSelector step, std::stop_token stop = {}) const;

private:
    bool isOfFunction(StoreIndex store, StackId stack) const;
    std::optional<Segment> neighbour(const Segment& from, bool forward, const std::stop_token& stop) const;
    std::optional<Segment> firstOfLength(CallSelector step, const std::stop_token& stop) const;

    const Timeline& m_timeline;
    const CallNames& m_names;
    std::uint32_t m_function; ///< Index into the functions of m_names.
    std::optional<std::uint64_t> m_address; ///< Address of an unknown function, which distinguishes it from other unknown functions.
};

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
