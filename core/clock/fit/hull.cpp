#include "core/clock/fit/hull.h"

#include <algorithm>
#include <iterator>

namespace helio {
namespace {

/// True if b lies on or above the line from a to c, so that b is no corner. Requires: a.x < b.x < c.x.
bool isAbove(const Hull::Point& a, const Hull::Point& b, const Hull::Point& c)
{
    return Int128(b.y - a.y) * (c.x - a.x) >= Int128(c.y - a.y) * (b.x - a.x);
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
    std::size_t low = 0; // First corner behind which the hull is at least as steep as `slope`.
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

} // namespace helio
