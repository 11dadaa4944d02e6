#include "core/clock/fit/clock_fit.h"

#include "core/clock/fit/consensus.h"
#include "core/clock/fit/offset_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace helio {
namespace {

/// Distance in ns of two extra points that continue the clock beyond the messages: one before the first message, one after the last. So far
/// away from the messages, the error of an offset comes mainly from the error of the slope.
constexpr std::int64_t Outside = 1'000'000'000'000;
/// Number of parts into which the line of a clock is divided. Each border between two parts gets a point with its own error bound, because
/// the error varies along the line.
constexpr std::int64_t PartsOfLine = 16;
constexpr std::size_t MostIntervals = 64;
constexpr std::size_t LeastOfInterval = 8; ///< Minimum number of messages in an interval of constant drift.
constexpr std::size_t CostOfInterval = 4; ///< Cost of an additional interval, in outliers: a split must remove more outliers than this.

/// Median time and offset of the messages. Bounds are relative to this origin to keep numbers small.
struct Origin {
    std::int64_t here = 0;
    std::int64_t offset = 0;

    HostTimestamp hereOf(std::int64_t x) const { return hostTime(here + x); }
    Timestamp thereOf(std::int64_t x, std::int64_t y) const { return timestamp(here + x + offset + y); }
};

/// An interval of constant drift, with the corridor: the clock offsets that are possible according to the interval's messages.
struct Window {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Corridor corridor;
};

struct Windows {
    std::vector<Window> all;
    std::vector<std::uint32_t> outliers;
};

std::optional<OffsetBound> boundOf(const ClockSample& passage, std::uint32_t number, const Origin& origin)
{
    const Int128 x = Int128(nanoseconds(passage.here)) - origin.here;
    const Int128 y = Int128(nanoseconds(passage.there)) - nanoseconds(passage.here) - origin.offset;
    const auto isSmall = [](Int128 value) { return value > -Hull::Most / 2 && value < Hull::Most / 2; };
    if (!isSmall(x) || !isSmall(y))
        return {};
    return OffsetBound{static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), number, !passage.isArrival};
}

/// Returns the limits for the number of outliers that the caller tries, in this order. First limit: the cost of the maximum number of
/// intervals (MostIntervals); left out if it is not below the second limit. Second limit: 5 % of the messages, at least 2 and at most
/// MostNamed, because more outliers would take too long to compute.
std::vector<std::size_t> mostOutliers(std::size_t messages)
{
    constexpr std::size_t MostNamed = 20'000;
    const std::size_t all = std::clamp<std::size_t>(messages / 20, 2, MostNamed);
    const std::size_t few = CostOfInterval * MostIntervals;
    return all > few ? std::vector<std::size_t>{few, all} : std::vector<std::size_t>{all};
}

/// Divides the messages into intervals of constant drift. All messages form one interval if few of them contradict each other. Otherwise,
/// the messages are split into two halves of equal counts, and each half is divided in the same way. A split is kept if it removes enough
/// contradictions.
class IntervalSplitter {
public:
    IntervalSplitter(std::size_t most, const std::stop_token& stop)
        : m_most(most)
        , m_stop(stop)
    {
    }

    /// Divides the messages with the bounds `bounds` into intervals of constant drift, the first of which begins at `begin`. Returns
    /// nullopt if the messages contradict each other.
    std::optional<Windows> cut(std::span<const OffsetBound> bounds, std::int64_t begin, int depth = 0) const
    {
        constexpr int MostDepth = 12;
        std::optional<Windows> whole = asOne(bounds, begin);
        const bool isLong = bounds.size() >= 2 * LeastOfInterval && bounds.back().x - begin >= 2 * MinPointDistance;
        if ((whole && whole->outliers.size() <= CostOfInterval) || !isLong || depth == MostDepth || m_stop.stop_requested())
            return whole;
        std::optional<Windows> halves = cut(bounds.first(bounds.size() / 2), begin, depth + 1);
        std::optional<Windows> second;
        if (halves)
            second = cut(bounds.subspan(bounds.size() / 2), halves->all.back().end, depth + 1);
        if (!second)
            return whole;
        std::ranges::move(second->all, std::back_inserter(halves->all));
        halves->outliers.insert(halves->outliers.end(), second->outliers.begin(), second->outliers.end());
        return whole && costOf(*whole) <= costOf(*halves) ? whole : halves;
    }

private:
    static std::size_t costOf(const Windows& it) { return it.outliers.size() + CostOfInterval * (it.all.size() - 1); }

    std::optional<Windows> asOne(std::span<const OffsetBound> bounds, std::int64_t begin) const
    {
        Consensus found = findConsensus(bounds, std::min(m_most, std::max<std::size_t>(2, bounds.size() / 20)), m_stop);
        if (!found.isOpen)
            return {};
        Windows one;
        one.all.push_back({begin, bounds.back().x, std::move(found.corridor)});
        one.outliers = std::move(found.outliers);
        return one;
    }

    const std::size_t m_most; ///< Maximum number of messages that may contradict the other messages.
    const std::stop_token& m_stop;
};

/// Returns the range of offsets at x that two adjacent corridors have in common; empty (low > high) if the corridors do not overlap.
Corridor::Range common(const Corridor& a, const Corridor& b, std::int64_t x)
{
    const Corridor::Range first = a.at(x);
    const Corridor::Range second = b.at(x);
    return {std::max(first.low, second.low), std::min(first.high, second.high)};
}

/// True if the corridors of each two adjacent intervals overlap at the time where the intervals meet. A small distance is allowed, because
/// the clock may have changed its drift before or after that time: 0.1 % of half the time that the two intervals last together.
bool doMeet(const Windows& windows)
{
    for (std::size_t i = 1; i < windows.all.size(); ++i) {
        const Window& a = windows.all[i - 1];
        const Window& b = windows.all[i];
        const auto [low, high] = common(a.corridor, b.corridor, b.begin);
        if (low > high && (low - high) / 1000 > (b.end - a.begin) / 2 / 1'000'000)
            return false;
    }
    return true;
}

/// Returns the cheapest division of the messages into intervals of constant drift. Cost of a division: the number of its outliers, plus
/// CostOfInterval for each interval after the first. Returns nullopt if the division has too many intervals or more than `most` outliers,
/// or if the corridors of adjacent intervals do not meet.
std::optional<Windows> bestWindows(std::span<const OffsetBound> bounds, std::size_t most, const std::stop_token& stop)
{
    std::optional<Windows> best = IntervalSplitter(most, stop).cut(bounds, bounds.front().x);
    return best && best->all.size() <= MostIntervals && best->outliers.size() <= most && doMeet(*best) ? std::move(best) : std::nullopt;
}

std::int64_t gainOf(long double slope) { return static_cast<std::int64_t>(std::llround(slope * ClockLine::PerOne)); }

ClockPoint pointOf(const Origin& origin, std::int64_t x, std::int64_t y, Corridor::Range range)
{
    return {origin.hereOf(x), origin.thereOf(x, y), Duration(std::max(range.high - y, y - range.low) + 1)};
}

/// Returns the time at which the corridor is narrowest, found by ternary search because the width is a convex function of x.
std::int64_t narrowestOf(const Window& window)
{
    std::int64_t low = window.begin;
    std::int64_t high = window.end;
    const auto widthAt = [&](std::int64_t x) {
        const Corridor::Range range = window.corridor.at(x);
        return range.high - range.low;
    };
    while (high - low > 2) {
        const std::int64_t third = (high - low) / 3;
        if (widthAt(low + third) <= widthAt(high - third))
            high -= third;
        else
            low += third;
    }
    return low + (high - low) / 2;
}

/// Returns the corridor's middle line, anchored where the corridor is narrowest.
ClockLine lineOf(const Window& window, const Origin& origin)
{
    const std::int64_t x = narrowestOf(window);
    return {origin.hereOf(x), origin.thereOf(x, window.corridor.middleAt(x)), gainOf(window.corridor.middleSlope())};
}

/// Returns points on the line, each with the distance to the farther edge of the corridor as its error.
std::vector<ClockPoint> pointsOfLine(const Window& window, const ClockLine& line, const Origin& origin)
{
    std::vector<std::int64_t> places{window.begin - Outside, window.begin, window.end, window.end + Outside,
                                     nanoseconds(line.at) - origin.here};
    for (std::int64_t i = 1; i < PartsOfLine; ++i)
        places.push_back(window.begin + (window.end - window.begin) / PartsOfLine * i);
    std::ranges::sort(places);
    std::vector<ClockPoint> points;
    for (const std::int64_t x : places) {
        if (!points.empty() && x - (nanoseconds(points.back().host) - origin.here) < MinPointDistance)
            continue;
        const std::int64_t y = nanoseconds(line(origin.hereOf(x))) - origin.here - x - origin.offset;
        points.push_back(pointOf(origin, x, y, window.corridor.at(x)));
    }
    return points;
}

/// Returns the points of a clock that changes its drift: the curve through all intervals, and one extra point on each side, beyond the
/// messages. The extra points continue the curve with the mean slope of the first interval's corridor and of the last interval's corridor.
std::vector<ClockPoint> pointsOfCurve(const Windows& windows, std::span<const OffsetBound> bounds, const Origin& origin)
{
    std::vector<ConstantDriftInterval> intervals;
    for (const Window& window : windows.all)
        intervals.push_back({window.begin, window.end, &window.corridor});
    const OffsetCurve bends = fitOffsetCurve(intervals, bounds);
    std::vector<ClockPoint> points;
    const auto addOutside = [&](const Window& window, std::int64_t from, std::int64_t y, std::int64_t x) {
        const std::int64_t there =
            y + static_cast<std::int64_t>(std::llround(window.corridor.middleSlope() * static_cast<long double>(x - from)));
        ClockPoint point = pointOf(origin, x, there, window.corridor.at(x));
        point.error += Duration(static_cast<std::int64_t>(bends.drift * Outside));
        points.push_back(point);
    };
    const std::vector<OffsetEstimate>& bent = bends.points;
    if (bent.empty())
        return points;
    addOutside(windows.all.front(), bent.front().x, bent.front().y, bent.front().x - Outside);
    for (const OffsetEstimate& it : bent)
        points.push_back({origin.hereOf(it.x), origin.thereOf(it.x, it.y), Duration(it.error)});
    addOutside(windows.all.back(), bent.back().x, bent.back().y, bent.back().x + Outside);
    return points;
}

ClockLine lineThrough(const ClockPoint& from, const ClockPoint& to)
{
    const auto here = static_cast<long double>((to.host - from.host).count());
    const auto there = static_cast<long double>((to.experiment - from.experiment).count());
    return {from.host, from.experiment, gainOf((there - here) / here)};
}

/// Computes error, lineError, minError and surest of the fit from its points within the span of the messages.
void judgeErrors(ClockFit& fit)
{
    fit.lineError = Duration{};
    fit.error = Duration{};
    fit.minError = Duration::max();
    for (const ClockPoint& point : fit.points) {
        if (point.host < fit.span.begin || point.host > fit.span.end)
            continue;
        fit.error = std::max(fit.error, point.error);
        fit.lineError = std::max(fit.lineError, point.error + std::chrono::abs(fit.line(point.host) - point.experiment));
        if (point.error < fit.minError)
            fit.minError = point.error, fit.surest = point.host;
    }
}

/// Returns the slope error of the corridor's middle line, in 10^-12, rounded up.
std::int64_t driftErrorOf(const Corridor& corridor) { return static_cast<std::int64_t>(std::ceil(corridor.slopeError() * 1e12L)); }

void fitOneLine(ClockFit& fit, const Window& window, const Origin& origin)
{
    const Corridor& corridor = window.corridor;
    fit.quality =
        corridor.steepest().isBoundByMessages && corridor.flattest().isBoundByMessages ? FitQuality::Accurate : FitQuality::Approximate;
    fit.line = lineOf(window, origin);
    fit.points = pointsOfLine(window, fit.line, origin);
    fit.driftError = driftErrorOf(corridor);
    judgeErrors(fit);
}

void fitIntervals(ClockFit& fit, const Windows& windows, std::span<const OffsetBound> bounds, const Origin& origin)
{
    fit.quality = FitQuality::Accurate;
    fit.points = pointsOfCurve(windows, bounds, origin);
    if (fit.points.empty()) {
        fit.quality = FitQuality::Failed;
        return;
    }
    fit.intervals = intervalsThrough(fit.points);
    const LeastViolatedLine least = findLeastViolatedLine(bounds);
    fit.line = {origin.hereOf(least.x), origin.thereOf(least.x, least.y), gainOf(least.slope)};
    judgeErrors(fit);
}

/// Keeps in `outliers` only the messages that contradict the other messages even if the clocks change their drift, and removes the
/// bounds of these messages. Returns true if a change of the drift explains at least one outlier.
bool removeContradictingBounds(std::vector<OffsetBound>& bounds, std::vector<std::uint32_t>& outliers)
{
    std::ranges::sort(outliers);
    const auto isNamed = [&](const OffsetBound& it) { return std::ranges::binary_search(outliers, it.message); };
    std::vector<OffsetBound> sure, doubtful;
    for (const OffsetBound& it : bounds)
        (isNamed(it) ? doubtful : sure).push_back(it);
    std::vector<std::uint32_t> wrong;
    for (const OffsetBound& it : doubtful)
        if (!isConsistentWith(it, sure))
            wrong.push_back(it.message);
    const bool areAll = wrong.size() == outliers.size();
    outliers = std::move(wrong);
    std::ranges::sort(outliers);
    std::erase_if(bounds, isNamed);
    return !areAll;
}

/// Fits the clocks if all messages go in one direction. No message arrives before it is sent, so each message bounds the offset on one
/// side; the tightest of these bounds becomes the offset. The rates of the clocks are assumed to be equal.
void fitOneWay(ClockFit& fit, std::span<const OffsetBound> bounds, const Origin& origin)
{
    const auto isLess = [](const OffsetBound& a, const OffsetBound& b) { return (a.isCeiling ? a.y : -a.y) < (b.isCeiling ? b.y : -b.y); };
    const OffsetBound& nearest = *std::ranges::min_element(bounds, isLess);
    fit.quality = FitQuality::OneWay;
    fit.surest = origin.hereOf(nearest.x);
    fit.line = {fit.surest, origin.thereOf(nearest.x, nearest.y), 0};
    fit.points = {{fit.line.at, fit.line.is, Duration::max()}};
    fit.error = fit.lineError = fit.minError = Duration::max();
}

/// Returns the median of the messages' times at this host, and the median of their offsets between the two clocks. A few wrong messages
/// hardly change a median.
Origin originOf(std::span<const ClockSample> passages)
{
    std::vector<Int128> offsets;
    std::vector<HostTimestamp> times;
    for (const ClockSample& passage : passages) {
        offsets.push_back(Int128(nanoseconds(passage.there)) - nanoseconds(passage.here));
        times.push_back(passage.here);
    }
    const auto middle = static_cast<std::ptrdiff_t>(passages.size() / 2);
    std::ranges::nth_element(offsets, offsets.begin() + middle);
    std::ranges::nth_element(times, times.begin() + middle);
    using Limits = std::numeric_limits<std::int64_t>;
    return {nanoseconds(times[static_cast<std::size_t>(middle)]),
            static_cast<std::int64_t>(std::clamp<Int128>(offsets[static_cast<std::size_t>(middle)], Limits::min(), Limits::max()))};
}

} // namespace

std::vector<FitInterval> intervalsThrough(const std::vector<ClockPoint>& points)
{
    std::vector<FitInterval> intervals;
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        intervals.push_back({points[i].host, lineThrough(points[i], points[i + 1]), std::max(points[i].error, points[i + 1].error)});
    return intervals;
}

ClockFit fitClocks(std::span<const ClockSample> passages, const std::stop_token& stop)
{
    ClockFit fit;
    if (passages.empty())
        return fit;
    fit.arrivals = static_cast<std::size_t>(std::ranges::count(passages, true, &ClockSample::isArrival));
    fit.departures = passages.size() - fit.arrivals;
    const Origin origin = originOf(passages);
    std::vector<OffsetBound> bounds;
    bounds.reserve(passages.size());
    for (std::size_t i = 0; i < passages.size(); ++i)
        if (const auto bound = boundOf(passages[i], static_cast<std::uint32_t>(i), origin))
            bounds.push_back(*bound);
        else
            // The message has no bound: its times are more than 36 years (2^60 ns) away from the median time or offset of all messages.
            fit.outliers.push_back(static_cast<std::uint32_t>(i));
    if (bounds.empty()) {
        fit.quality = FitQuality::Failed;
        return fit;
    }
    std::ranges::stable_sort(bounds, {}, &OffsetBound::x);
    fit.span = {origin.hereOf(bounds.front().x), origin.hereOf(bounds.back().x)};
    if (fit.arrivals == 0 || fit.departures == 0) {
        fitOneWay(fit, bounds, origin);
        return fit;
    }
    std::optional<Windows> windows;
    for (const std::size_t most : mostOutliers(bounds.size()))
        if (!windows)
            windows = bestWindows(bounds, most, stop);
    if (!windows || stop.stop_requested()) {
        fit.quality = FitQuality::Failed;
        return fit;
    }
    const bool isBent = removeContradictingBounds(bounds, windows->outliers) || windows->all.size() > 1;
    fit.outliers.insert(fit.outliers.end(), windows->outliers.begin(), windows->outliers.end());
    std::ranges::sort(fit.outliers);
    if (isBent)
        fitIntervals(fit, *windows, bounds, origin);
    else
        fitOneLine(fit, windows->all.front(), origin);
    return fit;
}

ClockFit inverse(const ClockFit& fit)
{
    ClockFit other = fit;
    other.points = inverse(std::move(other.points));
    other.line = inverse(fit.line);
    for (FitInterval& interval : other.intervals) {
        interval.from = hostTime(nanoseconds(interval.line(interval.from)));
        interval.line = inverse(interval.line);
    }
    const auto thereAt = [&](HostTimestamp t) { return hostTime(nanoseconds(fit.line(t))); };
    other.span = {thereAt(fit.span.begin), thereAt(fit.span.end)};
    other.surest = thereAt(fit.surest);
    std::swap(other.arrivals, other.departures);
    // Convert the rate's error to the error of the inverted rate, 1 / rate: the error divided by rate^2. Use the lowest possible rate, at
    // which the result is largest.
    if (fit.driftError) {
        const long double least = std::max(0.5L, 1 + fit.line.driftPpm() * 1e-6L - static_cast<long double>(*fit.driftError) * 1e-12L);
        const long double error = std::ceil(static_cast<long double>(*fit.driftError) / (least * least));
        other.driftError = static_cast<std::int64_t>(std::min<long double>(error, MaxDriftError));
    }
    return other;
}

} // namespace helio
