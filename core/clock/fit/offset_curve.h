#pragma once

#include "core/clock/fit/consensus.h"
#include "core/clock/fit/corridor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace helio {

constexpr std::int64_t MinPointDistance = 10'000; ///< Minimum distance between two points of a curve, in ns.

/// Interval in which no message contradicts a constant drift between two clocks.
struct ConstantDriftInterval {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    /// Corridor between the bounds of the messages in the interval. Requires: corridor->open() has returned true.
    const Corridor* corridor = nullptr;
};

/// Estimated offset `y` between two clocks at time `x`, with its error bound in ns. The bound also holds for the straight line between two
/// successive estimates.
struct OffsetEstimate {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t error = 0;
};

/// Curve of the offset between two clocks.
struct OffsetCurve {
    /// Points by ascending x, as many as the curvature needs. Empty if the bounds contradict each other, or if all bounds are ceilings or
    /// all are floors.
    std::vector<OffsetEstimate> points;
    /// Uncertainty of the drift as a ratio (1e-6: 1 µs per s): growth rate of the error bound before the first point and after the last
    /// point.
    long double drift = 0;
};

/// Computes the offset curve through all intervals. `bounds`: the bounds that the curve obeys, sorted by x.
///
/// The times at which the drift changes are unknown, so the drift is only assumed to stay near the range of all intervals' drifts at any
/// time. A message bounds the offset not only at its own time, but also before and after; away from the message, the bound is widened by
/// the largest change of the offset that the drift can cause. Between two points, the curve is a straight line. Its error bound also covers
/// one change of the drift (a bend) between the points.
///
/// Cost: about 50 ns per bound and 5 us per point.
OffsetCurve fitOffsetCurve(std::span<const ConstantDriftInterval> intervals, std::span<const OffsetBound> bounds);

/// True if `bound` agrees with `bounds` provided that the drift of the clocks changes by at most 0.1 %, the largest rate at which clocks
/// are slewed. Requires: `bounds` are sorted by x.
/// Cost: a few us.
bool isConsistentWith(const OffsetBound& bound, std::span<const OffsetBound> bounds);

} // namespace helio
