#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// Set of straight lines that lie below all ceilings and above all floors and are no steeper than Steepest: the possible offsets between
/// two clocks that run evenly, as messages bound them from both sides. After Duda, Harrus, Haddad, Bernard, "Estimating global time in
/// distributed systems" (1987). The lines of extreme slope are found by Newton steps on the concave gap between the two hulls, exactly, in
/// 128-bit integers.
///
/// x is a time on one clock, y the other clock's time minus x, both in ns from any epoch, between -Hull::Most and Hull::Most.
///
/// Threads: to be used by one thread at a time.
class Corridor {
public:
    /// Maximum slope. Clocks run within 1 % of each other: clocks of computers are within 0.1 %, also while they are slewed.
    static constexpr Slope Steepest{1, 100};

    void addCeiling(std::int64_t x, std::int64_t y) { m_ceilings.add({x, y}); }
    void addFloor(std::int64_t x, std::int64_t y) { m_floors.add({x, -y}); }

    bool hasCeilings() const { return !m_ceilings.isEmpty(); }
    bool hasFloors() const { return !m_floors.isEmpty(); }

    /// Finds the lines of the largest and the smallest slope among the bounds added so far. Returns false if no line exists. The
    /// accessors of lines, from steepest() to slopeError(), require that open() returned true. Requires: hasCeilings() and hasFloors().
    bool open();

    struct Extreme {
        Slope slope;
        bool isBoundByMessages = false; ///< True if a ceiling and a floor bound the slope; false if only Steepest does.
    };
    const Extreme& steepest() const { return m_steepest; }
    const Extreme& flattest() const { return m_flattest; }

    /// Range that all lines of the corridor pass through at x, rounded outwards. Requires: x between -Hull::Most and Hull::Most.
    struct Range {
        std::int64_t low;
        std::int64_t high;
    };
    Range at(std::int64_t x) const;

    /// Middle between the steepest and the flattest line at x. If only Steepest bounds a slope, the line of that slope lies in the
    /// middle of all lines with that slope.
    std::int64_t middleAt(std::int64_t x) const;
    /// Slope of the middle line.
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
