#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace helio {

__extension__ using Int128 = __int128;

/// Slope rise / run, with run > 0.
struct Slope {
    std::int64_t rise = 0;
    std::int64_t run = 1;
};

inline bool isLess(Slope a, Slope b) { return Int128(a.rise) * b.run < Int128(b.rise) * a.run; }
inline long double realOf(Slope slope) { return static_cast<long double>(slope.rise) / static_cast<long double>(slope.run); }

/// Lower convex hull of points that are added in any order. A line lies below every point exactly if it lies below every corner of the
/// hull.
///
/// All comparisons are exact: coordinates are between -2^61 and 2^61, their products have 128 bits.
/// Threads: to be used by one thread at a time.
/// Cost: adding the last point in x is amortized constant. Adding a point in between costs a binary search; if it becomes a corner, the
/// corners behind it are moved.
class Hull {
public:
    struct Point {
        std::int64_t x;
        std::int64_t y;
        bool operator==(const Point&) const = default;
    };

    static constexpr std::int64_t Most = std::int64_t(1) << 61;

    /// Requires: both coordinates between -Most and Most.
    void add(Point point);

    bool isEmpty() const { return m_corners.empty(); }
    const std::vector<Point>& corners() const { return m_corners; } ///< Corners by ascending x; each x occurs once.

    /// Returns the corner that a line of this slope touches from below. Requires: the hull is not empty.
    const Point& tangentCorner(Slope slope) const;

    /// Slope of the hull at x. It does not exist if x lies outside of the hull, or on its only corner.
    struct Edge {
        Slope slope;
        bool isThere = false;
        bool isLeft = false; ///< If the edge does not exist: true if x lies before the first corner, false if behind the last.
    };
    Edge edgeAt(std::int64_t x) const;

private:
    std::vector<Point> m_corners;
};

} // namespace helio
