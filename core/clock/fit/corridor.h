#pragma once

#include "core/clock/fit/hull.h"

#include <cstdint>
#include <optional>

namespace helio {

/// The straight lines that lie below all ceilings and above all floors, and no steeper than clocks can be apart: where the offset between
/// two clocks that run evenly can lie, as messages bound it from both sides. After Duda, Harrus, Haddad, Bernard, "Estimating global time
/// in distributed systems" (1987); the lines of extreme slope are found by Newton steps on the concave gap between the two hulls, exactly,
/// in integers of 128 bits.
///
/// x is a time on one clock, y the other's time less it, both in ns from some epoch, below Hull::Most either way. One thread.
class Corridor {
public:
    /// Clocks run within 1 % of each other: computers' are within 0.1 %, also while they are slewed.
    static constexpr Slope Steepest{1, 100};

    void addCeiling(std::int64_t x, std::int64_t y) { m_ceilings.add({x, y}); }
    void addFloor(std::int64_t x, std::int64_t y) { m_floors.add({x, -y}); }

    bool hasCeilings() const { return !m_ceilings.isEmpty(); }
    bool hasFloors() const { return !m_floors.isEmpty(); }

    /// Finds the lines of the largest and the smallest slope among what was added so far. False: there is no line. Requires: it has both.
    /// What follows is about these, and requires that there are some.
    bool open();

    struct Extreme {
        Slope slope;
        bool isOfPoints = false; ///< A ceiling and a floor bound it, not only what clocks can be.
    };
    const Extreme& steepest() const { return m_steepest; }
    const Extreme& flattest() const { return m_flattest; }

    /// All lines are there at x within these, rounded outwards. Requires: x below Hull::Most either way.
    struct Range {
        std::int64_t low;
        std::int64_t high;
    };
    Range at(std::int64_t x) const;

    /// The middle between the steepest and the flattest line at x; where only what clocks can be bounds a slope, that line is in the middle
    /// of those of its slope.
    std::int64_t middleAt(std::int64_t x) const;
    /// Its slope.
    long double middleSlope() const;
    long double slopeError() const; ///< What that is right within.

    const Hull& ceilings() const { return m_ceilings; }
    const Hull& mirroredFloors() const { return m_floors; } ///< Each y with the other sign.

private:
    std::optional<Extreme> extreme(bool isSteepest) const;
    long double lineAt(const Extreme& line, std::int64_t x) const;

    Hull m_ceilings;
    Hull m_floors;
    Extreme m_steepest;
    Extreme m_flattest;
};

} // namespace helio
