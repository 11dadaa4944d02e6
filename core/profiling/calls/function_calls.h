#pragma once

#include "core/profiling/calls/call_names.h"
#include "core/query/rows/duration_spread.h"
#include "core/query/segments/segments.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Where a call stands among the calls of its function whose exits were seen.
struct CallRank {
    DurationSpread lengths; ///< Of those, with its own.
    Duration p25{}; ///< By nearest rank.
    Duration p75{};
    std::uint64_t longer = 0; ///< So many are longer than it.
    std::uint64_t shorter = 0;
    std::uint64_t unfinished = 0; ///< So many more have no length: their exits were not seen.
};

/// Which other call of a function.
enum class CallStep : std::uint8_t {
    Next, ///< In the order of segments.
    Previous,
    Longest, ///< The first of those, as below; of calls whose exits were seen.
    Shortest,
    Typical, ///< As long as the median.
};

/// All calls of one function, whoever called it, in all traces.
///
/// Any thread but the UI's; the timeline and the names outlive it. Cost: of each question about 20 ns for each call of any function, and
/// 8 bytes for each one of this function.
class FunctionCalls {
public:
    /// Of the function that was called.
    FunctionCalls(const Timeline& timeline, const CallNames& names, const Segment& call);
    /// Calls of the same function; an unknown function is found by its address. There are no calls if the names lack the function.
    FunctionCalls(const Timeline& timeline, const CallNames& names, const SampledFunction& function);

    /// Nameless where there are no calls.
    SampledFunction function() const;
    /// Both are of one function; the names are the same ones.
    bool areAlso(const FunctionCalls& other) const { return m_function == other.m_function && m_address == other.m_address; }
    bool contains(const Segment& call) const { return isOne(call.store, call.recorded.stack()); }

    void each(TimeRange range, const std::function<void(const Segment&)>& take, std::stop_token stop = {}) const;

    /// Of one of these calls. None: its exit was not seen.
    std::optional<CallRank> rankOf(const Segment& call, std::stop_token stop = {}) const;

    /// How long each was, in ns, in no order.
    std::vector<std::int64_t> lengths(std::stop_token stop = {}) const;

    /// Those at least as long as `from` and shorter than `to`, in the order of segments: the first ones where there are more than `most`.
    std::vector<Segment> ofLengths(Duration from, Duration to, std::size_t most, std::stop_token stop = {}) const;

    /// Calls without length are left out: no row shows them. Nothing: there is no other one there, or it was stopped.
    std::optional<Segment> step(const Segment& from, CallStep step, std::stop_token stop = {}) const;

private:
    bool isOne(StoreIndex store, StackId stack) const;
    std::optional<Segment> neighbour(const Segment& from, bool forward, const std::stop_token& stop) const;
    std::optional<Segment> firstOfLength(CallStep step, const std::stop_token& stop) const;

    const Timeline& m_timeline;
    const CallNames& m_names;
    std::uint32_t m_function; ///< Of m_names.
    std::optional<std::uint64_t> m_address; ///< Of a function that nothing is known of: it is what distinguishes it.
};

} // namespace helio
