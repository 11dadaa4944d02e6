#include "core/clock/fit/offset_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace helio {
namespace {

constexpr std::int64_t MostSteps = 128; ///< Maximum number of steps into which an interval is divided.

/// Assumed range of the drift between two clocks, as ratios.
struct Drift {
    long double least = 0;
    long double most = 0;

    long double width() const { return most - least; }
    /// Returns the range, extended by half of its width on both sides.
    Drift wider() const { return {least - width() / 2 - 1e-9L, most + width() / 2 + 1e-9L}; }
};

/// Returns the range in which the drift of the clocks is assumed to be at any time. It is the range of the drifts of all intervals,
/// extended on both sides by its own width, but at least by 100 ppm. The margin is needed because messages do not show changes of the
/// drift that are short or at the ends of the recording. Crystals and time services change the drift by up to about 100 ppm.
Drift driftOf(std::span<const ConstantDriftInterval> intervals)
{
    Drift drift{std::numeric_limits<long double>::max(), std::numeric_limits<long double>::lowest()};
    const auto take = [&](bool isSeen) {
        for (const ConstantDriftInterval& it : intervals)
            for (const Corridor::Extreme& extreme : {it.corridor->flattest(), it.corridor->steepest()})
                if (extreme.isBoundByMessages == isSeen) {
                    drift.least = std::min(drift.least, realOf(extreme.slope));
                    drift.most = std::max(drift.most, realOf(extreme.slope));
                }
    };
    // First use only slopes that messages bound. A slope that only the general limit of 1 % (Corridor::Steepest) bounds says nothing about
    // the clocks; it is used only if messages bound no slope.
    take(true);
    if (drift.least > drift.most)
        take(false);
    constexpr long double Unseen = 100e-6L;
    const long double more = std::max(drift.width(), Unseen);
    return {drift.least - more, drift.most + more};
}

/// Ceilings and floors, each sorted by x. The ceilings near a time and the floors near this time are searched separately, because during a
/// long time all messages may go in one direction and give bounds of one type only.
struct Sides {
    std::vector<OffsetBound> ceilings;
    std::vector<OffsetBound> floors;

    explicit Sides(std::span<const OffsetBound> bounds)
    {
        for (const OffsetBound& it : bounds)
            (it.isCeiling ? ceilings : floors).push_back(it);
    }
    bool hasBoth() const { return !ceilings.empty() && !floors.empty(); }
};

/// Returns the bounds near the time x, which determine the offset at x; not empty if `bounds` is not empty.
std::span<const OffsetBound> boundsAround(std::span<const OffsetBound> bounds, std::int64_t x, std::int64_t pointDistance)
{
    constexpr std::ptrdiff_t Least = 256; // Minimum number of bounds to return on each side of the time x, if `bounds` has that many.
    const auto first = std::ranges::lower_bound(bounds, x - 4 * pointDistance, {}, &OffsetBound::x);
    const auto last = std::ranges::upper_bound(bounds, x + 4 * pointDistance, {}, &OffsetBound::x);
    const auto at = std::ranges::lower_bound(bounds, x, {}, &OffsetBound::x);
    return {std::min(first, at - std::min(Least, at - bounds.begin())), std::max(last, at + std::min(Least, bounds.end() - at))};
}

/// Position of a curve point and the distance to the next point.
struct Place {
    std::int64_t x = 0;
    std::int64_t pointDistance = 0;
};

struct Reach {
    long double low = std::numeric_limits<long double>::lowest();
    long double high = std::numeric_limits<long double>::max();
};

/// Returns the range of possible offsets at `place`. Requires: bounds.hasBoth().
Reach reachAt(const Sides& bounds, const Place& place, Drift drift)
{
    Reach reach;
    const auto reckoned = [&](const OffsetBound& it, auto farther) {
        const auto run = static_cast<long double>(place.x - it.x);
        return static_cast<long double>(it.y) + farther(run * drift.least, run * drift.most);
    };
    for (const OffsetBound& it : boundsAround(bounds.ceilings, place.x, place.pointDistance))
        reach.high = std::min(reach.high, reckoned(it, [](auto a, auto b) { return std::max(a, b); }));
    for (const OffsetBound& it : boundsAround(bounds.floors, place.x, place.pointDistance))
        reach.low = std::max(reach.low, reckoned(it, [](auto a, auto b) { return std::min(a, b); }));
    return reach;
}

/// Returns the maximum distance, in ns, between a straight line and a curve with the same ends. The line has the length `run` in ns. The
/// curve changes its drift once, from one end of the range `drift` to the other.
long double bendOver(std::int64_t run, Drift drift) { return static_cast<long double>(run) * drift.width() / 4; }

std::int64_t stepsOf(const ConstantDriftInterval& interval, Drift drift)
{
    const Corridor::Range middle = interval.corridor->at(interval.begin + (interval.end - interval.begin) / 2);
    const auto width = static_cast<long double>(std::max<std::int64_t>(middle.high - middle.low, 1));
    const auto wanted = static_cast<std::int64_t>(std::ceil(8 * bendOver(interval.end - interval.begin, drift) / width));
    return std::clamp<std::int64_t>(wanted, 1, std::clamp<std::int64_t>((interval.end - interval.begin) / MinPointDistance, 1, MostSteps));
}

std::vector<Place> placesIn(std::span<const ConstantDriftInterval> intervals, Drift drift)
{
    std::vector<Place> places;
    for (const ConstantDriftInterval& interval : intervals) {
        const std::int64_t steps = stepsOf(interval, drift);
        const std::int64_t pointDistance = (interval.end - interval.begin) / steps + 1;
        for (std::int64_t k = 0; k <= steps; ++k) {
            const std::int64_t x = k == steps ? interval.end : interval.begin + (interval.end - interval.begin) / steps * k;
            if (places.empty() || places.back().x < x)
                places.push_back({x, pointDistance});
            // Two adjacent intervals share this point, and their points may have different distances. Keep the larger distance: the error
            // bound grows with it, and must hold on both sides of the point.
            else
                places.back().pointDistance = std::max(places.back().pointDistance, pointDistance);
        }
    }
    return places;
}

/// Returns the offset and its error bound at each of `places`, for a drift within `drift`; nullopt if the bounds contradict such a drift.
std::optional<std::vector<OffsetEstimate>> pointsAt(const std::vector<Place>& places, const Sides& bounds, Drift drift)
{
    std::vector<OffsetEstimate> points;
    for (const Place& it : places) {
        const Reach reach = reachAt(bounds, it, drift);
        if (reach.low > reach.high)
            return {};
        const long double error = (reach.high - reach.low) / 2 + bendOver(it.pointDistance, drift);
        points.push_back({it.x, static_cast<std::int64_t>(std::llround(reach.low + (reach.high - reach.low) / 2)),
                          static_cast<std::int64_t>(std::ceil(error)) + 1});
    }
    return points;
}

} // namespace

OffsetCurve fitOffsetCurve(std::span<const ConstantDriftInterval> intervals, std::span<const OffsetBound> bounds)
{
    constexpr int MostWidenings = 40;
    const Sides sides(bounds);
    if (!sides.hasBoth())
        return {};
    Drift drift = driftOf(intervals);
    for (int i = 0; i < MostWidenings; ++i, drift = drift.wider())
        if (auto points = pointsAt(placesIn(intervals, drift), sides, drift))
            return {std::move(*points), drift.width()};
    return {};
}

bool isConsistentWith(const OffsetBound& bound, std::span<const OffsetBound> bounds)
{
    constexpr std::ptrdiff_t Near = 256;
    constexpr std::int64_t PerThousand = 1'000;
    const auto at = std::ranges::lower_bound(bounds, bound.x, {}, &OffsetBound::x);
    const auto first = at - std::min(Near, at - bounds.begin());
    const auto last = at + std::min(Near, bounds.end() - at);
    return std::none_of(first, last, [&](const OffsetBound& it) {
        // Distance between the two bounds; negative if they contradict each other.
        const std::int64_t room = bound.isCeiling ? bound.y - it.y : it.y - bound.y;
        return it.isCeiling != bound.isCeiling && room < -std::abs(it.x - bound.x) / PerThousand;
    });
}

} // namespace helio
