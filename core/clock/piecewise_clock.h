#pragma once

#include "core/clock/clock_transform.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace helio {

/// Piecewise linear function of a ClockTransform: lines through its points. All arithmetic is exact, in 128-bit integers.
class PiecewiseClock {
public:
    /// Requires: at least one point; from each point to its successor both clocks advance by at least 1 ns; from the first point to the
    /// last by less than 2^64 ns.
    explicit PiecewiseClock(std::vector<ClockPoint> points);

    Timestamp experiment(HostTimestamp t) const;
    HostTimestamp host(Timestamp t) const;
    Duration errorAt(HostTimestamp t) const;
    const std::vector<ClockPoint>& points() const { return m_points; }

private:
    /// Time in ns that passes on each clock between a point and its successor.
    struct Rate {
        std::uint64_t host = 1;
        std::uint64_t experiment = 1;
    };

    Rate rateOf(std::size_t line) const;

    std::vector<ClockPoint> m_points; ///< Line n begins at point n; a single point has one line of rate 1.
};

} // namespace helio
