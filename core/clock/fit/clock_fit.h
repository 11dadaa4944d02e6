#pragma once

#include "core/clock/clock_transform.h"
#include "core/clock/fit/clock_line.h"
#include "core/clock/fit/corridor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// A message between two hosts, with its time on the clock of each host.
struct ClockSample {
    HostTimestamp here{}; ///< Time of the message at this host, on this host's clock.
    Timestamp there{}; ///< Time of the message at the other host, on the other host's clock.
    bool isArrival = false; ///< True if this host received the message; false if this host sent it.
};

/// How well the messages determine the relation of two clocks.
enum class FitQuality : std::uint8_t {
    None, ///< There are no messages.
    Failed, ///< The messages contradict each other; the clocks cannot be related.
    /// All messages go in one direction, so they bound the offset on one side only (no message arrives before it is sent). The error is
    /// unknown.
    OneWay,
    /// Messages bound the offset on both sides, but not the drift, for which only the general limit of 1 % (Corridor::Steepest) is known.
    Approximate,
    Accurate, ///< Messages bound both the offset and the drift.
};

/// Linear relation of two clocks in an interval in which both run evenly.
struct FitInterval {
    HostTimestamp from{}; ///< Beginning of the interval, which ends where the next FitInterval begins.
    ClockLine line;
    Duration error{}; ///< Maximum error of `line` between `from` and the end of the interval, in ns.
};

constexpr std::int64_t MaxDriftError = 1'000'000'000'000; ///< Maximum of ClockFit::driftError, in 10^-12: a drift of 100 %.

/// Relation of one clock to another, computed exactly, with convex hulls, from the messages between their hosts.
struct ClockFit {
    FitQuality quality = FitQuality::None;
    std::vector<ClockPoint> points; ///< Conversion from one clock to the other, with error bounds; empty if `quality` is None or Failed.
    ClockLine line; ///< Single line that fits all messages best; set even if `intervals` is not empty.
    std::vector<FitInterval> intervals; ///< Piecewise linear relation if one line does not fit all messages; else empty.
    Range<HostTimestamp> span{}; ///< Times of the first and last message, on the clock that `points` convert from.
    /// Maximum error of the fit within `span` in ns; Duration::max() if unknown. For a fit with one line, the bound holds if both clocks
    /// run evenly; no message contradicts this assumption. For a fit with several intervals, the bound also holds where the drift changes.
    Duration error{};
    Duration lineError{}; ///< Maximum error of `line` within `span` in ns; Duration::max() if unknown.
    Duration minError{}; ///< Smallest error of the relation within `span` in ns; Duration::max() if unknown.
    /// Error bound of the drift of `line`, in 10^-12, if both clocks run evenly; nullopt if unknown, for example because the drift changes.
    std::optional<std::int64_t> driftError;
    HostTimestamp surest{}; ///< Time at which the error is smallest, i.e. `minError`.
    std::size_t arrivals = 0; ///< Number of messages that arrived at the host with the clock that `points` convert from, outliers included.
    std::size_t departures = 0; ///< Number of messages that the host with the clock that `points` convert from sent, outliers included.
    std::vector<std::uint32_t> outliers; ///< Indices of the messages that contradict most other messages; the fit ignores these messages.
};

/// Returns intervals that connect the points: one interval with a straight line for each pair of successive points.
std::vector<FitInterval> intervalsThrough(const std::vector<ClockPoint>& points);

/// Computes the relation of two clocks from messages, which may be in any order.
/// Cost: about 100 ns per message, more if messages contradict each other.
/// Errors: returns Failed soon after `stop` is requested.
ClockFit fitClocks(std::span<const ClockSample> passages, const std::stop_token& stop = {});

/// Returns the fit with the roles of the two clocks swapped. The outliers stay; arrivals and departures are swapped.
ClockFit inverse(const ClockFit& fit);

} // namespace helio
