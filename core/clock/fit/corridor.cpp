#include "core/clock/fit/corridor.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace helio {
namespace {

/// True if b lies on or above the line from a to c and is therefore no corner of a lower hull. Requires: a.x < b.x < c.x.
bool isAbove(const Hull::Point& a, const Hull::Point& b, const Hull::Point& c)
{
    return Int128(b.y - a.y) * (c.x - a.x) >= Int128(c.y - a.y) * (b.x - a.x);
}

Slope negated(Slope slope) { return {-slope.rise, slope.run}; }

/// Returns y at x of the line with slope `slope` that touches the hull from below, rounded up or down.
std::int64_t touchingAt(const Hull& hull, Slope slope, std::int64_t x, bool roundsUp)
{
    const Hull::Point& corner = hull.tangentCorner(slope);
    const Int128 rise = Int128(slope.rise) * (x - corner.x);
    Int128 quotient = rise / slope.run;
    const bool isInexact = rise % slope.run != 0;
    if (isInexact && roundsUp == (rise > 0))
        quotient += roundsUp ? 1 : -1;
    return static_cast<std::int64_t>(corner.y + quotient);
}

/// Returns the highest y at x that is on a line below the hull. Only lines with slopes from `flattest` to `steepest` count.
std::int64_t highestAt(const Hull& hull, Slope flattest, Slope steepest, std::int64_t x)
{
    const Hull::Edge edge = hull.edgeAt(x);
    Slope slope = edge.isThere ? edge.slope : edge.isLeft ? flattest : steepest;
    if (isLess(slope, flattest))
        slope = flattest;
    if (isLess(steepest, slope))
        slope = steepest;
    return touchingAt(hull, slope, x, true);
}

} // namespace

void Hull::add(Point point)
{
    auto at = m_corners.end();
    if (!m_corners.empty() && m_corners.back().x >= point.x)
        at = std::ranges::lower_bound(m_corners, point.x, {}, &Point::x);
    if (at != m_corners.end() && at->x == point.x) {
        if (at->y <= point.y)
            return;
        at = m_corners.erase(at);
    }
    if (at != m_corners.begin() && at != m_corners.end() && isAbove(at[-1], point, *at))
        return;
    at = m_corners.insert(at, point);
    auto behind = at + 1;
    while (std::distance(behind, m_corners.end()) >= 2 && isAbove(*at, *behind, behind[1]))
        ++behind;
    m_corners.erase(at + 1, behind);
    auto before = at;
    while (std::distance(m_corners.begin(), before) >= 2 && isAbove(before[-2], before[-1], *at))
        --before;
    m_corners.erase(before, at);
}

const Hull::Point& Hull::tangentCorner(Slope slope) const
{
    // Searches for the first corner after which the edge of this hull is at least as steep as `slope`; this corner's index is between `low`
    // and `high`.
    std::size_t low = 0;
    std::size_t high = m_corners.size() - 1;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const Slope edge{m_corners[middle + 1].y - m_corners[middle].y, m_corners[middle + 1].x - m_corners[middle].x};
        if (isLess(edge, slope))
            low = middle + 1;
        else
            high = middle;
    }
    return m_corners[low];
}

Hull::Edge Hull::edgeAt(std::int64_t x) const
{
    const auto behind = std::ranges::upper_bound(m_corners, x, {}, &Point::x);
    if (behind == m_corners.begin())
        return {{}, false, true};
    if (behind == m_corners.end())
        return {};
    return {{behind->y - behind[-1].y, behind->x - behind[-1].x}, true, false};
}

bool Corridor::open()
{
    const auto steepest = extreme(true);
    const auto flattest = steepest ? extreme(false) : std::nullopt;
    if (!flattest || isLess(steepest->slope, flattest->slope))
        return false;
    m_steepest = *steepest;
    m_flattest = *flattest;
    return true;
}

/// Finds the steepest or the flattest line between ceilings and floors, by Newton's method. Starts at a slope that is too steep (or too
/// flat). Each step goes to the line through the two corners at which lines of the previous slope touch the ceilings and the floors. The
/// search ends at a line that touches both and crosses neither. Returns nullopt if no line fits.
std::optional<Corridor::Extreme> Corridor::extreme(bool isSteepest) const
{
    Extreme found{isSteepest ? Steepest : negated(Steepest), false};
    while (true) {
        const Hull::Point& ceiling = m_ceilings.tangentCorner(found.slope);
        const Hull::Point& floor = m_floors.tangentCorner(negated(found.slope));
        const std::int64_t apart = ceiling.y + floor.y; // Distance of the two corners in y; floors have y negated.
        const std::int64_t run = ceiling.x - floor.x;
        if (Int128(apart) * found.slope.run - Int128(found.slope.rise) * run >= 0)
            return found;
        if (isSteepest ? run <= 0 : run >= 0)
            return {};
        found = {run > 0 ? Slope{apart, run} : Slope{-apart, -run}, true};
    }
}

Corridor::Range Corridor::at(std::int64_t x) const
{
    const Slope flattest = m_flattest.slope;
    const Slope steepest = m_steepest.slope;
    return {-highestAt(m_floors, negated(steepest), negated(flattest), x), highestAt(m_ceilings, flattest, steepest, x)};
}

long double Corridor::lineAt(const Extreme& line, std::int64_t x) const
{
    const auto high = static_cast<long double>(touchingAt(m_ceilings, line.slope, x, true));
    const auto low = -static_cast<long double>(touchingAt(m_floors, negated(line.slope), x, true));
    return (high + low) / 2;
}

std::int64_t Corridor::middleAt(std::int64_t x) const
{
    return static_cast<std::int64_t>(std::llround((lineAt(m_steepest, x) + lineAt(m_flattest, x)) / 2));
}

long double Corridor::middleSlope() const { return (realOf(m_steepest.slope) + realOf(m_flattest.slope)) / 2; }

long double Corridor::slopeError() const { return (realOf(m_steepest.slope) - realOf(m_flattest.slope)) / 2; }

} // namespace helio
