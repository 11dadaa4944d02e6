#include "core/clock/clock_transform.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace helio {

/// Piecewise linear part of a ClockTransform: lines through points. All arithmetic is exact, in 128-bit integers.
class PiecewiseClock {
public:
    /// Requires: at least one point; both clocks increase by at least 1 ns from point to point, and by less than 2^64 ns from the first
    /// point to the last.
    explicit PiecewiseClock(std::vector<ClockPoint> points);

    Timestamp experiment(HostTimestamp t) const;
    HostTimestamp host(Timestamp t) const;
    Duration errorAt(HostTimestamp t) const;
    const std::vector<ClockPoint>& points() const { return m_points; }

private:
    /// Time in ns that passes on each clock between a point and the next point.
    struct Rate {
        std::uint64_t host = 1;
        std::uint64_t experiment = 1;
    };

    Rate rateOf(std::size_t line) const;

    std::vector<ClockPoint> m_points; ///< Points; straight line n begins at point n. A single point has one line of rate 1.
};

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t Most = std::numeric_limits<std::uint64_t>::max();

/// Returns to - from as an unsigned number, because the difference may exceed the range of int64_t. Requires: to >= from.
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

/// Returns the index of the straight line to use for `t`: the last line that begins at or before `t`, else the first line. `timeOf` returns
/// a point's time on the clock of `t`.
template <typename Time, typename TimeOf> std::size_t lineAt(const std::vector<ClockPoint>& points, Time t, TimeOf timeOf)
{
    if (points.size() < 3)
        return 0;
    // Search only the inner points. The first line has no beginning and the last line has no end, so the first and the last point separate
    // no lines.
    const auto begin = points.begin() + 1;
    const auto end = points.end() - 1;
    const auto after = std::upper_bound(begin, end, t, [&](Time time, const ClockPoint& point) { return time < timeOf(point); });
    return static_cast<std::size_t>(after - begin);
}

Error corrupt(const char* what) { return {Error::Kind::Corrupt, what}; }

/// Returns to - from in ns; exact for any two times. Requires: to >= from.
template <typename Time> std::uint64_t passed(Time from, Time to)
{
    return static_cast<std::uint64_t>(nanoseconds(to)) - static_cast<std::uint64_t>(nanoseconds(from));
}

Status checkLine(const ClockPoint& from, const ClockPoint& to)
{
    if (to.host <= from.host || to.experiment <= from.experiment)
        return corrupt("the points of a clock are not in ascending order");
    const std::uint64_t host = passed(from.host, to.host);
    const std::uint64_t experiment = passed(from.experiment, to.experiment);
    if (host - host / 2 > experiment || experiment - experiment / 2 > host)
        return corrupt("a clock runs at more than twice the speed of another");
    return Done{};
}

Status check(const std::vector<ClockPoint>& points)
{
    if (points.empty())
        return corrupt("a clock has no points");
    if (std::ranges::any_of(points, [](const ClockPoint& point) { return point.error < Duration{}; }))
        return corrupt("a point of a clock has a negative error");
    for (std::size_t i = 1; i < points.size(); ++i)
        if (Status status = checkLine(points[i - 1], points[i]); !status)
            return status;
    return Done{};
}

Duration offsetAt(const ClockPoint& point)
{
    std::int64_t offset = 0;
    if (__builtin_sub_overflow(nanoseconds(point.experiment), nanoseconds(point.host), &offset))
        return point.experiment < Timestamp{} ? Duration::min() : Duration::max();
    return Duration(offset);
}

/// Removes inner points that make the first or the last line shorter than 1/10,000 of the time from the first to the last point. Both of
/// these lines extend to the limits of time, where the rounding errors of a short line would be large.
void keepEndsLong(std::vector<ClockPoint>& points)
{
    constexpr std::uint64_t ShortPart = 10'000;
    const std::uint64_t least = points.empty() ? 0 : passed(points.front().host, points.back().host) / ShortPart;
    while (points.size() > 2 && passed(points[0].host, points[1].host) < least)
        points.erase(points.begin() + 1);
    while (points.size() > 2 && passed(points.end()[-2].host, points.back().host) < least)
        points.erase(points.end() - 2);
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

/// Converts a host time; rounds down on both sides of the line's start, so that the conversion is monotonic.
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

/// Returns the first host time that is not before `t` on the experiment's clock; rounds up.
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

/// Returns the error bound at `t`. Between two points, the bound is interpolated. Before the first point and after the last point, the
/// bound grows linearly, because the errors of the points make the slope of the outermost line uncertain. Over a distance equal to the
/// line's length, the bound grows by the sum of the errors at the line's two points. Rounding adds less than 1 ns.
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

std::vector<ClockPoint> inverse(std::vector<ClockPoint> points)
{
    for (ClockPoint& it : points)
        it = {hostTime(nanoseconds(it.experiment)), timestamp(nanoseconds(it.host)), it.error};
    return points;
}

Result<ClockTransform> ClockTransform::through(std::vector<ClockPoint> points)
{
    if (Status status = check(points); !status)
        return status.error();
    ClockTransform transform(offsetAt(points.front()));
    transform.m_piecewise = std::make_shared<const PiecewiseClock>(std::move(points));
    return transform;
}

/// Returns the transform with all experiment times moved by `later`; this transform unchanged if the sum of the offsets overflows. Offsets
/// from files and from the user may be that large.
ClockTransform ClockTransform::shiftedBy(Duration later) const
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(m_offset.count(), later.count(), &sum))
        return *this;
    if (!m_piecewise)
        return ClockTransform(Duration(sum));
    std::vector<ClockPoint> points = m_piecewise->points();
    for (ClockPoint& point : points)
        point.experiment = Timestamp(shifted(point.experiment.time_since_epoch(), later));
    const auto moved = through(std::move(points));
    // If the shifted times reach the limits of Timestamp, several points get the same time, which ClockTransform::through() rejects. Keep
    // the transform unchanged then.
    return moved ? *moved : *this;
}

std::vector<ClockPoint> ClockTransform::points() const { return m_piecewise ? m_piecewise->points() : std::vector<ClockPoint>(); }

ClockTransform ClockTransform::composedWith(const ClockTransform& next) const
{
    if (!next.m_piecewise)
        return shiftedBy(next.m_offset);
    std::vector<HostTimestamp> places;
    for (const ClockPoint& point : points())
        places.push_back(point.host);
    for (const ClockPoint& point : next.points())
        places.push_back(inverse(timestamp(nanoseconds(point.host))));
    std::ranges::sort(places);
    std::vector<ClockPoint> points;
    for (const HostTimestamp at : places) {
        const HostTimestamp between = hostTime(nanoseconds((*this)(at)));
        const ClockPoint point{at, next(between), sumOf(errorAt(at), next.errorAt(between))};
        // Drop a point that does not come after the previous point on both clocks, or that would make a line of an impossible slope.
        if (points.empty() || checkLine(points.back(), point))
            points.push_back(point);
    }
    keepEndsLong(points);
    const auto both = through(std::move(points));
    // If times reach the limits of Timestamp, several points get the same time, which ClockTransform::through() rejects. Keep this
    // transform then.
    return both ? *both : *this;
}

bool ClockTransform::hasLines() const { return m_piecewise->points().size() > 1; }

Timestamp ClockTransform::convertPiecewise(HostTimestamp t) const { return m_piecewise->experiment(t); }

HostTimestamp ClockTransform::invertPiecewise(Timestamp t) const { return m_piecewise->host(t); }

Duration ClockTransform::errorAt(HostTimestamp t) const { return m_piecewise ? m_piecewise->errorAt(t) : Duration{}; }

} // namespace helio
