#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

__extension__ using Int128 = __int128;

/// Slope of a line: rise / run, with run > 0.
struct Slope {
    std::int64_t rise = 0;
    std::int64_t run = 1;
};

inline bool isLess(Slope a, Slope b) { return Int128(a.rise) * b.run < Int128(b.rise) * a.run; }
inline long double realOf(Slope slope) { return static_cast<long double>(slope.rise) / static_cast<long double>(slope.run); }

/// Lower convex hull of points, which may be added in any order. A line lies below all points if and only if it lies below all corners of
/// the hull.
///
/// All comparisons are exact: coordinates lie between -2^61 and 2^61, and products are computed in 128 bits.
/// Threads: to be used by one thread at a time.
/// Cost: amortized constant for adding a point with a larger x than all points before. Adding a point between others costs a binary search,
/// plus moving the corners with a larger x if the point becomes a corner.
class Hull {
public:
    struct Point {
        std::int64_t x;
        std::int64_t y;
        bool operator==(const Point&) const = default;
    };

    static constexpr std::int64_t Most = std::int64_t(1) << 61;

    /// Adds a point. Requires: both coordinates between -Most and Most.
    void add(Point point);

    bool isEmpty() const { return m_corners.empty(); }
    const std::vector<Point>& corners() const { return m_corners; } ///< Returns the corners of the hull by ascending x; each x occurs once.

    /// Returns the corner that a line of this slope touches from below. Requires: the hull is not empty.
    const Point& tangentCorner(Slope slope) const;

    /// Edge of the hull at an x. No edge exists if x lies outside of the hull, or if the hull has a single corner.
    struct Edge {
        Slope slope;
        bool isThere = false;
        /// Side of x if the edge does not exist: true if x lies before the first corner, false if x lies after the last corner.
        bool isLeft = false;
    };
    Edge edgeAt(std::int64_t x) const;

private:
    std::vector<Point> m_corners;
};

/// Set of straight lines that lie below all ceilings and above all floors and are no steeper than Steepest. Each line is a possible offset,
/// over time, between two clocks that run evenly; messages bound the offset from both sides. After Duda, Harrus, Haddad, Bernard,
/// "Estimating global time in distributed systems" (1987). Newton's method on the concave gap between the two hulls finds the lines of
/// extreme slope exactly, in 128-bit integers.
///
/// x is a time on one clock, y the other clock's time minus x; both in ns from any epoch, between -Hull::Most and Hull::Most.
///
/// Threads: to be used by one thread at a time.
class Corridor {
public:
    /// Maximum slope: the rates of two clocks differ by at most 1 %. Computer clocks differ by less than 0.1 %, even while they are slewed.
    static constexpr Slope Steepest{1, 100};

    void addCeiling(std::int64_t x, std::int64_t y) { m_ceilings.add({x, y}); }
    void addFloor(std::int64_t x, std::int64_t y) { m_floors.add({x, -y}); }

    bool hasCeilings() const { return !m_ceilings.isEmpty(); }
    bool hasFloors() const { return !m_floors.isEmpty(); }

    /// Finds the steepest and the flattest line between the bounds added so far. Returns false if no line exists. The accessors of lines,
    /// from steepest() to slopeError(), require that open() returned true. Requires: hasCeilings() and hasFloors().
    bool open();

    struct Extreme {
        Slope slope;
        /// True if a ceiling and a floor of messages bound the slope. False if no messages bound it, only the limit Corridor::Steepest.
        bool isBoundByMessages = false;
    };
    const Extreme& steepest() const { return m_steepest; }
    const Extreme& flattest() const { return m_flattest; }

    /// Range of y values at x of all lines of the corridor, rounded outwards. Requires: x between -Hull::Most and Hull::Most.
    struct Range {
        std::int64_t low;
        std::int64_t high;
    };
    Range at(std::int64_t x) const;

    /// Returns the middle at x between the steepest and the flattest line: the best estimate of the offset in ns at the time x. If only the
    /// limit Steepest bounds the slope, many parallel lines have this slope; the middle one of these lines is used.
    std::int64_t middleAt(std::int64_t x) const;
    /// Returns the mean of the slopes of the steepest and the flattest line.
    long double middleSlope() const;
    long double slopeError() const; ///< Error bound of middleSlope().

    const Hull& ceilings() const { return m_ceilings; }

private:
    std::optional<Extreme> extreme(bool isSteepest) const;
    long double lineAt(const Extreme& line, std::int64_t x) const;

    Hull m_ceilings;
    Hull m_floors;
    Extreme m_steepest;
    Extreme m_flattest;
};

} // namespace helio
