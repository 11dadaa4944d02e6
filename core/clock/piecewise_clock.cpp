#include "core/clock/piecewise_clock.h"

#include <algorithm>
#include <limits>

namespace helio {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t Most = std::numeric_limits<std::uint64_t>::max();

/// Returns to - from, which may exceed the range of int64_t. Requires: to >= from.
std::uint64_t distance(std::int64_t from, std::int64_t to) { return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from); }

std::uint64_t saturated(Wide value) { return value > Most ? Most : static_cast<std::uint64_t>(value); }

/// Returns value * by / per, rounded down and saturated; the product is computed in 128 bits.
std::uint64_t scaledDown(std::uint64_t value, std::uint64_t by, std::uint64_t per) { return saturated(Wide(value) * by / per); }
std::uint64_t scaledUp(std::uint64_t value, std::uint64_t by, std::uint64_t per)
{
    const Wide product = Wide(value) * by;
    return saturated(product / per + (product % per != 0));
}

std::int64_t later(std::int64_t t, std::uint64_t by)
{
    const std::uint64_t room = distance(t, std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(t) + std::min(by, room));
}
std::int64_t earlier(std::int64_t t, std::uint64_t by)
{
    const std::uint64_t room = distance(std::numeric_limits<std::int64_t>::min(), t);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(t) - std::min(by, room));
}

Duration asDuration(Wide ns) { return Duration(static_cast<std::int64_t>(std::min<Wide>(ns, std::numeric_limits<std::int64_t>::max()))); }

/// Index of the line that `t` is on: the last line that begins at or before `t`, else the first. `timeOf` returns a point's time on the
/// clock of `t`.
template <typename Time, typename TimeOf> std::size_t lineAt(const std::vector<ClockPoint>& points, Time t, TimeOf timeOf)
{
    if (points.size() < 3)
        return 0;
    const auto begin = points.begin() + 1; // The first line also extends before its begin, the last line beyond its end.
    const auto end = points.end() - 1;
    const auto after = std::upper_bound(begin, end, t, [&](Time time, const ClockPoint& point) { return time < timeOf(point); });
    return static_cast<std::size_t>(after - begin);
}

} // namespace

PiecewiseClock::PiecewiseClock(std::vector<ClockPoint> points)
    : m_points(std::move(points))
{
}

PiecewiseClock::Rate PiecewiseClock::rateOf(std::size_t line) const
{
    if (m_points.size() == 1)
        return {};
    const ClockPoint& from = m_points[line];
    const ClockPoint& to = m_points[line + 1];
    return {distance(nanoseconds(from.host), nanoseconds(to.host)), distance(nanoseconds(from.experiment), nanoseconds(to.experiment))};
}

/// Rounds down on both sides of the line's begin, so that a later time never becomes earlier.
Timestamp PiecewiseClock::experiment(HostTimestamp t) const
{
    const std::size_t line = lineAt(m_points, t, [](const ClockPoint& point) { return point.host; });
    const Rate rate = rateOf(line);
    const std::int64_t host = nanoseconds(m_points[line].host);
    const std::int64_t from = nanoseconds(m_points[line].experiment);
    const std::int64_t at = nanoseconds(t);
    return timestamp(at >= host ? later(from, scaledDown(distance(host, at), rate.experiment, rate.host))
                                : earlier(from, scaledUp(distance(at, host), rate.experiment, rate.host)));
}

/// Rounds up: returns the first host time that is not before `t` on the experiment's clock.
HostTimestamp PiecewiseClock::host(Timestamp t) const
{
    const std::size_t line = lineAt(m_points, t, [](const ClockPoint& point) { return point.experiment; });
    const Rate rate = rateOf(line);
    const std::int64_t host = nanoseconds(m_points[line].host);
    const std::int64_t from = nanoseconds(m_points[line].experiment);
    const std::int64_t at = nanoseconds(t);
    return hostTime(at >= from ? later(host, scaledUp(distance(from, at), rate.host, rate.experiment))
                               : earlier(host, scaledDown(distance(at, from), rate.host, rate.experiment)));
}

/// Between two points the error is interpolated. Beyond the first or last point it is that point's error, plus the sum of the errors of the
/// line's two points for each length of the line: the line may be turned by as much. Rounding adds less than 1 ns.
Duration PiecewiseClock::errorAt(HostTimestamp t) const
{
    const auto errorOf = [this](std::size_t point) { return static_cast<std::uint64_t>(m_points[point].error.count()); };
    if (m_points.size() == 1)
        return m_points[0].error;
    const std::size_t line = lineAt(m_points, t, [](const ClockPoint& point) { return point.host; });
    const Rate rate = rateOf(line);
    const std::uint64_t rounding = rate.host != rate.experiment;
    const std::uint64_t first = errorOf(line);
    const std::uint64_t second = errorOf(line + 1);
    const std::int64_t begin = nanoseconds(m_points[line].host);
    const std::int64_t end = nanoseconds(m_points[line + 1].host);
    const std::int64_t at = nanoseconds(t);
    if (at < begin)
        return asDuration(Wide(first) + scaledUp(distance(at, begin), first + second, rate.host) + rounding);
    if (at > end)
        return asDuration(Wide(second) + scaledUp(distance(end, at), first + second, rate.host) + rounding);
    const Wide sum = Wide(first) * distance(at, end) + Wide(second) * distance(begin, at);
    return asDuration(sum / rate.host + (sum % rate.host != 0) + rounding);
}

} // namespace helio
