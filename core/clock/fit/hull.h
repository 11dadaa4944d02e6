#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace helio {

__extension__ using Int128 = __int128;

/// A slope: `rise` on the way of `run` > 0.
struct Slope {
    std::int64_t rise = 0;
    std::int64_t run = 1;
};

inline bool isLess(Slope a, Slope b) { return Int128(a.rise) * b.run < Int128(b.rise) * a.run; }
inline long double realOf(Slope slope) { return static_cast<long double>(slope.rise) / static_cast<long double>(slope.run); }

/// The lower convex hull of points that come in any order: all lines that lie below every point are those that lie below its corners.
///
/// All comparisons are exact: coordinates are less than 2^61 either way, their products are of 128 bits. One thread.
/// Cost: of a point that comes last, amortized constant; of one in between, a search, and of the few that become corners, moving those
/// behind it.
class Hull {
public:
    struct Point {
        std::int64_t x;
        std::int64_t y;
        bool operator==(const Point&) const = default;
    };

    static constexpr std::int64_t Most = std::int64_t(1) << 61;

    /// Requires: both below Most, either way.
    void add(Point point);

    bool isEmpty() const { return m_corners.empty(); }
    const std::vector<Point>& corners() const { return m_corners; } ///< By x, each x once.

    /// The corner that a line of that slope touches from below. Requires: it is not empty.
    const Point& touchedBy(Slope slope) const;

    /// The hull's slope at x. Nothing: x lies outside of it, or on its only corner.
    struct Edge {
        Slope slope;
        bool isThere = false;
        bool isLeft = false; ///< Where it is not there: x lies before the first corner, else behind the last.
    };
    Edge edgeAt(std::int64_t x) const;

private:
    std::vector<Point> m_corners;
};

} // namespace helio
