#include "core/clock/clock_transform.h"

#include "core/clock/piecewise_clock.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace helio {
namespace {

Error corrupt(const char* what) { return {Error::Kind::Corrupt, what}; }

/// Returns to - from in ns; exact for any two times. Requires: to >= from.
template <typename Time> std::uint64_t passed(Time from, Time to)
{
    return static_cast<std::uint64_t>(nanoseconds(to)) - static_cast<std::uint64_t>(nanoseconds(from));
}

Status checkLine(const ClockPoint& from, const ClockPoint& to)
{
    if (to.host <= from.host || to.experiment <= from.experiment)
        return corrupt("the points of a clock do not go forward");
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

/// Removes inner points that make the first or the last line shorter than 1/10,000 of the span. Both lines continue to the ends of
/// time, where the rounding of a short line would be magnified.
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
    transform.m_pieces = std::make_shared<const PiecewiseClock>(std::move(points));
    return transform;
}

/// Offsets come from files and from the user: an offset that overflows is not applied.
ClockTransform ClockTransform::shiftedBy(Duration later) const
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(m_offset.count(), later.count(), &sum))
        return *this;
    if (!m_pieces)
        return ClockTransform(Duration(sum));
    std::vector<ClockPoint> points = m_pieces->points();
    for (ClockPoint& point : points)
        point.experiment = Timestamp(shifted(point.experiment.time_since_epoch(), later));
    const auto moved = through(std::move(points));
    return moved ? *moved : *this; // Fails if times saturate at the ends of time.
}

std::vector<ClockPoint> ClockTransform::points() const { return m_pieces ? m_pieces->points() : std::vector<ClockPoint>(); }

ClockTransform ClockTransform::composedWith(const ClockTransform& next) const
{
    if (!next.m_pieces)
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
        if (points.empty() || checkLine(points.back(), point)) // Points too close to each other are merged.
            points.push_back(point);
    }
    keepEndsLong(points);
    const auto both = through(std::move(points));
    return both ? *both : *this; // Fails if times saturate at the ends of time.
}

bool ClockTransform::hasLines() const { return m_pieces->points().size() > 1; }

Timestamp ClockTransform::convertPiecewise(HostTimestamp t) const { return m_pieces->experiment(t); }

HostTimestamp ClockTransform::invertPiecewise(Timestamp t) const { return m_pieces->host(t); }

Duration ClockTransform::errorAt(HostTimestamp t) const { return m_pieces ? m_pieces->errorAt(t) : Duration{}; }

} // namespace helio
