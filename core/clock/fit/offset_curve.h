#pragma once

#include "core/clock/fit/consensus.h"
#include "core/clock/fit/corridor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace helio {

constexpr std::int64_t MinPointDistance = 10'000; ///< Minimum distance of two points in ns.

/// Interval in which no message contradicts a constant drift between two clocks.
struct ConstantDriftInterval {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    const Corridor* corridor = nullptr; ///< Corridor of the messages in the interval; open.
};

/// Estimated offset `y` at `x` with its error bound in ns. Between two successive points, the bound also holds for the straight line
/// through them.
struct OffsetEstimate {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t error = 0;
};

/// Points on a curve of the offset between two clocks, as many as its curvature needs; empty if the bounds contradict each other or all
/// bound the same side.
struct OffsetCurve {
    std::vector<OffsetEstimate> points; ///< Points by ascending x.
    /// Uncertainty of the drift as a ratio (1e-6: 1 µs per s). Before the first point and after the last one, the error bound grows at this
    /// rate.
    long double drift = 0;
};

/// Computes the offset curve through all intervals. It is unknown where the drift changes, and a clock that changed its drift once may
/// change it anywhere. The drift is therefore only assumed to stay near the range of the drifts of all intervals. A message then bounds the
/// offset at other moments by as much as the drift can have moved it. A straight line between two points is off by at most the deviation of
/// one bend. `bounds`: the bounds to obey, sorted by x.
/// Cost: about 50 ns per bound and 5 us per point.
OffsetCurve fitOffsetCurve(std::span<const ConstantDriftInterval> stretches, std::span<const OffsetBound> bounds);

/// True if the bound can hold together with `bounds` when only the drift of the clocks changes, by at most 0.1 %, the largest rate at which
/// clocks are slewed. Requires: `bounds` are sorted by x.
/// Cost: a few us.
bool isConsistentWith(const OffsetBound& bound, std::span<const OffsetBound> bounds);

} // namespace helio
