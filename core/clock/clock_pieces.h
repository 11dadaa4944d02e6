#pragma once

#include "core/clock/clock_transform.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace helio {

/// The straight lines of a ClockTransform. All arithmetic is exact, in integers of 128 bits.
class ClockPieces {
public:
    /// Requires: at least one point; from each to the next both clocks go on by more than nothing and, in all, less than 2^64 ns.
    explicit ClockPieces(std::vector<ClockPoint> points);

    Timestamp experiment(HostTimestamp t) const;
    HostTimestamp host(Timestamp t) const;
    Duration errorAt(HostTimestamp t) const;
    const std::vector<ClockPoint>& points() const { return m_points; }

private:
    /// What passes on each clock from one point to the next.
    struct Rate {
        std::uint64_t host = 1;
        std::uint64_t experiment = 1;
    };

    Rate rateOf(std::size_t line) const;

    std::vector<ClockPoint> m_points; ///< Line n begins at the n-th; there is one less, or one line through a single point.
};

} // namespace helio
