#include "core/experiment/clock_settings.h"

#include <algorithm>

namespace helio {
namespace {

/// Appends the conversion `then` to the conversion described by `points`: replaces the experiment time of each point by its conversion with
/// the line of `then`, and adds the error bound of `then` to the point's error.
std::vector<ClockPoint> mapForward(std::vector<ClockPoint> points, const ClockOverride& then)
{
    for (ClockPoint& point : points) {
        point.experiment = (*then.line)(hostTime(nanoseconds(point.experiment)));
        point.error = sumOf(point.error, then.error);
    }
    return points;
}

/// Returns the points of a conversion that first applies `first` and then the conversion described by `points`. For this, changes the host
/// time of each point to the time that `first` converts into it, and adds the error bound of `first` to the point's error.
std::vector<ClockPoint> mapBackward(const ClockOverride& first, std::vector<ClockPoint> points)
{
    const ClockLine back = inverse(*first.line);
    for (ClockPoint& point : points) {
        point.host = hostTime(nanoseconds(back(point.host)));
        point.error = sumOf(point.error, first.error);
    }
    return points;
}

std::vector<ClockPoint> composedPoints(const ClockOverride& first, const ClockOverride& then)
{
    if (then.points.empty())
        return mapForward(first.points, then);
    if (first.points.empty())
        return mapBackward(first, then.points);
    const auto toSecond = ClockTransform::through(first.points);
    const auto toThird = ClockTransform::through(then.points);
    return toSecond && toThird ? toSecond->composedWith(*toThird).points() : std::vector<ClockPoint>();
}

/// Combines the origins of two clocks; method and counts are those of `first`. nullopt if either clock has no origin because the user set
/// it.
std::optional<ClockOrigin> composedOrigin(const ClockOverride& first, const ClockOverride& then)
{
    if (!first.origin || !then.origin)
        return {};
    ClockOrigin both = *first.origin;
    both.quality = std::min(both.quality, then.origin->quality);
    both.bound = sumOf(both.bound, then.origin->bound);
    both.driftError = both.driftError && then.origin->driftError
        ? std::optional(std::min(*both.driftError + *then.origin->driftError, MaxDriftError))
        : std::nullopt;
    both.path.clear();
    return both;
}

} // namespace

ClockOverride composed(const ClockOverride& first, const ClockOverride& then)
{
    if (!first.line || !then.line)
        return {};
    ClockOverride both{composed(*first.line, *then.line), sumOf(first.error, then.error), composedPoints(first, then),
                       first.isBent || then.isBent, composedOrigin(first, then)};
    if (!ClockTransform::through(both.points))
        both.points.clear();
    return both;
}

ClockOverride inverse(const ClockOverride& given)
{
    if (!given.line)
        return given;
    ClockOverride other{inverse(*given.line), given.error, given.points, given.isBent, given.origin};
    if (other.origin) {
        std::swap(other.origin->arrivals, other.origin->departures);
        std::ranges::reverse(other.origin->path);
    }
    other.points = inverse(std::move(other.points));
    return other;
}

std::optional<ClockSettings> onClockOf(const std::string& host, const ClockSettings& choice)
{
    if (host == choice.reference)
        return choice;
    const auto found = choice.hosts.find(host);
    if (found == choice.hosts.end() || !found->second.line)
        return {};
    const ClockOverride back = inverse(found->second);
    ClockSettings turned{host, {}, choice.guests};
    for (const auto& [name, given] : choice.hosts)
        if (name != host)
            turned.hosts[name] = composed(given, back);
    turned.hosts[choice.reference] = back;
    return turned;
}

} // namespace helio
