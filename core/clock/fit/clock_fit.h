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

/// A message between two hosts, with the time that each host's own clock showed.
struct ClockSample {
    HostTimestamp here{}; ///< Time on the clock that is compared.
    Timestamp there{}; ///< Time on the clock with which `here` is compared.
    bool isArrival = false; ///< True if the message was sent there and received here; false if it was sent here.
};

/// How well the messages determine the relation of two clocks.
enum class FitQuality : std::uint8_t {
    None, ///< There are no messages.
    Failed, ///< The messages contradict each other; the clocks cannot be related.
    /// All messages go in one direction. They bound the offset on one side only (no message arrives before it is sent); the error is
    /// unknown.
    OneWay,
    Approximate, ///< The offset is bounded on both sides, the drift only by Corridor::Steepest.
    Accurate, ///< Messages bound the offset and the drift.
};

/// Correlation of two clocks in an interval in which both run evenly.
struct FitInterval {
    HostTimestamp from{}; ///< Begin of the interval; it ends where the next interval begins.
    ClockLine line;
    Duration error{}; ///< Maximum error in the interval, in ns.
};

constexpr std::int64_t MaxDriftError = 1'000'000'000'000; ///< Maximum of ClockFit::driftError, in 10^-12: a drift of 100 %.

/// Correlation of one clock to another, as the messages between them bound it. Computed exactly, with convex hulls.
struct ClockFit {
    FitQuality quality = FitQuality::None;
    std::vector<ClockPoint> points; ///< Conversion from one clock to the other, with error bounds. Empty for None and Failed.
    ClockLine line; ///< The single line that fits best, also if there are several pieces.
    std::vector<FitInterval> pieces; ///< Piecewise relation if one line is not enough; else empty.
    Range<HostTimestamp> span{}; ///< Times of the first and last message on the clock that is compared.
    /// Maximum error within the span in ns; Duration::max() if unknown. For one line it holds as long as both clocks run evenly, which no
    /// message contradicts; for pieces it holds wherever the drift changes.
    Duration error{};
    Duration lineError{}; ///< Maximum error of the single line within the span in ns; Duration::max() if unknown.
    Duration minError{}; ///< Minimum error within the span in ns; Duration::max() if unknown.
    /// Error bound of the drift of the single line, in 10^-12, as long as both clocks run evenly. nullopt if unknown, for example because
    /// the drift changes.
    std::optional<std::int64_t> driftError;
    HostTimestamp surest{}; ///< Time at which the error is `minError`.
    std::size_t arrivals = 0; ///< Number of messages received here, outliers included.
    std::size_t departures = 0; ///< Number of messages sent here, outliers included.
    std::vector<std::uint32_t> outliers; ///< Indices of the messages that contradict most other messages; the fit ignores them.
};

/// Returns the lines between successive points of a clock.
std::vector<FitInterval> intervalsThrough(const std::vector<ClockPoint>& points);

/// Computes the relation of two clocks from messages in any order.
/// Cost: about 100 ns per message, more if messages contradict each other.
/// Errors: returns Failed soon after `stop` is requested.
ClockFit fitClocks(std::span<const ClockSample> passages, const std::stop_token& stop = {});

/// Returns the fit as seen from the other clock. Its outliers and counts are those of the same messages.
ClockFit inverse(const ClockFit& fit);

} // namespace helio
