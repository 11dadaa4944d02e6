#include "core/clock/fit/clock_fit.h"

#include "core/clock/fit/conflicts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace helio {
namespace {

/// Far outside of the messages' times a line is still known as well as its slope: a point of it there, ns.
constexpr std::int64_t Outside = 1'000'000'000'000;
constexpr std::int64_t Steps = 16; ///< Into which a line is cut, as its error is not the same everywhere.
constexpr std::int64_t LeastStep = 10'000; ///< ns.
constexpr std::size_t MostPieces = 64;
constexpr std::size_t LeastOfPiece = 8; ///< Messages.
constexpr std::size_t WorthPiece = 4; ///< So many contradictions less make one piece more worth it.

/// Bounds reckoned from a moment that both clocks know roughly, so that numbers stay small.
struct Origin {
    std::int64_t here = 0;
    std::int64_t offset = 0;

    HostTimestamp hereOf(std::int64_t x) const { return hostTime(here + x); }
    Timestamp thereOf(std::int64_t x, std::int64_t y) const { return timestamp(here + x + offset + y); }
};

/// A stretch, with the corridor that its messages leave.
struct Window {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Corridor corridor;
};

struct Windows {
    std::vector<Window> all;
    std::vector<std::uint32_t> outliers;
};

std::optional<OffsetBound> boundOf(const Passage& passage, std::uint32_t number, const Origin& origin)
{
    const Int128 x = Int128(nanoseconds(passage.here)) - origin.here;
    const Int128 y = Int128(nanoseconds(passage.there)) - nanoseconds(passage.here) - origin.offset;
    const auto isSmall = [](Int128 value) { return value > -Hull::Most / 2 && value < Hull::Most / 2; };
    if (!isSmall(x) || !isSmall(y))
        return {};
    return OffsetBound{static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), number, !passage.isArrival};
}

/// So many contradict the others at most: first as many as more pieces may be worth, then a twentieth.
std::vector<std::size_t> mostOutliers(std::size_t messages)
{
    const std::size_t all = std::max<std::size_t>(2, messages / 20);
    const std::size_t few = WorthPiece * MostPieces;
    return all > few ? std::vector<std::size_t>{few, all} : std::vector<std::size_t>{all};
}

/// The same number of messages in each. Nothing: some of them contradict each other.
std::optional<Windows> windowsOf(std::span<const OffsetBound> bounds, std::size_t count, std::size_t most, const std::stop_token& stop)
{
    Windows windows;
    for (std::size_t i = 0; i < count; ++i) {
        const auto part = bounds.subspan(bounds.size() * i / count, bounds.size() * (i + 1) / count - bounds.size() * i / count);
        if (count > 1 && part.size() < LeastOfPiece)
            return {};
        Consensus found = consensusOf(part, most - windows.outliers.size(), stop);
        if (!found.isOpen)
            return {};
        windows.outliers.insert(windows.outliers.end(), found.outliers.begin(), found.outliers.end());
        const std::int64_t begin = i == 0 ? part.front().x : windows.all.back().end;
        if (count > 1 && part.back().x - begin < LeastStep)
            return {};
        windows.all.push_back({begin, part.back().x, std::move(found.corridor)});
    }
    return windows;
}

/// What is left of two neighbours' corridors where they meet. Not open: nothing.
Corridor::Range common(const Corridor& a, const Corridor& b, std::int64_t x)
{
    const Corridor::Range first = a.at(x);
    const Corridor::Range second = b.at(x);
    return {std::max(first.low, second.low), std::min(first.high, second.high)};
}

bool doMeet(const Windows& windows)
{
    for (std::size_t i = 1; i < windows.all.size(); ++i) {
        const auto [low, high] = common(windows.all[i - 1].corridor, windows.all[i].corridor, windows.all[i].begin);
        if (low > high)
            return false;
    }
    return true;
}

/// One, or as many as contradict their messages less by what they are worth.
std::optional<Windows> bestWindows(std::span<const OffsetBound> bounds, std::size_t most, const std::stop_token& stop)
{
    std::optional<Windows> best = windowsOf(bounds, 1, most, stop);
    const auto costOf = [](const Windows& it) { return it.outliers.size() + WorthPiece * (it.all.size() - 1); };
    for (std::size_t count = 2; count <= MostPieces && !stop.stop_requested(); count *= 2) {
        if (best && costOf(*best) <= WorthPiece * (count - 1))
            break;
        auto windows = windowsOf(bounds, count, most, stop);
        if (windows && doMeet(*windows) && (!best || costOf(*windows) < costOf(*best)))
            best = std::move(windows);
    }
    return best;
}

std::int64_t gainOf(long double slope) { return static_cast<std::int64_t>(std::llround(slope * ClockLine::PerOne)); }

ClockPoint pointOf(const Origin& origin, std::int64_t x, std::int64_t y, Corridor::Range range)
{
    return {origin.hereOf(x), origin.thereOf(x, y), Duration(std::max(range.high - y, y - range.low) + 1)};
}

/// Where the corridor is narrowest: its width is a convex function.
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

/// The middle line of a corridor, through a point where it is surest.
ClockLine lineOf(const Window& window, const Origin& origin)
{
    const std::int64_t x = narrowestOf(window);
    return {origin.hereOf(x), origin.thereOf(x, window.corridor.middleAt(x)), gainOf(window.corridor.middleSlope())};
}

/// One line: points on it, with what the corridor leaves there to both sides.
std::vector<ClockPoint> pointsOfLine(const Window& window, const ClockLine& line, const Origin& origin)
{
    std::vector<std::int64_t> places{window.begin - Outside, window.begin, window.end, window.end + Outside,
                                     nanoseconds(line.at) - origin.here};
    for (std::int64_t i = 1; i < Steps; ++i)
        places.push_back(window.begin + (window.end - window.begin) / Steps * i);
    std::ranges::sort(places);
    std::vector<ClockPoint> points;
    for (const std::int64_t x : places) {
        if (!points.empty() && x - (nanoseconds(points.back().host) - origin.here) < LeastStep)
            continue;
        const std::int64_t y = nanoseconds(line(origin.hereOf(x))) - origin.here - x - origin.offset;
        points.push_back(pointOf(origin, x, y, window.corridor.at(x)));
    }
    return points;
}

/// Several: through the middle of what is left where they meet.
std::vector<ClockPoint> pointsOfPieces(const Windows& windows, const Origin& origin)
{
    std::vector<ClockPoint> points;
    const auto add = [&](std::int64_t x, Corridor::Range range) {
        points.push_back(pointOf(origin, x, range.low + (range.high - range.low) / 2, range));
    };
    const Window& first = windows.all.front();
    const Window& last = windows.all.back();
    add(first.begin, first.corridor.at(first.begin));
    for (std::size_t i = 1; i < windows.all.size(); ++i)
        add(windows.all[i].begin, common(windows.all[i - 1].corridor, windows.all[i].corridor, windows.all[i].begin));
    add(last.end, last.corridor.at(last.end));
    return points;
}

ClockLine lineThrough(const ClockPoint& from, const ClockPoint& to)
{
    const auto here = static_cast<long double>((to.host - from.host).count());
    const auto there = static_cast<long double>((to.experiment - from.experiment).count());
    return {from.host, from.experiment, gainOf((there - here) / here)};
}

std::vector<FitPiece> piecesOf(const std::vector<ClockPoint>& points)
{
    std::vector<FitPiece> pieces;
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        pieces.push_back({points[i].host, lineThrough(points[i], points[i + 1]), std::max(points[i].error, points[i + 1].error)});
    return pieces;
}

/// Of the points that lie within the messages' times.
void judgeErrors(ClockFit& fit)
{
    fit.lineError = Duration{};
    fit.error = Duration{};
    fit.leastError = Duration::max();
    for (const ClockPoint& point : fit.points) {
        if (point.host < fit.span.begin || point.host > fit.span.end)
            continue;
        fit.error = std::max(fit.error, point.error);
        fit.lineError = std::max(fit.lineError, point.error + std::chrono::abs(fit.line(point.host) - point.experiment));
        if (point.error < fit.leastError)
            fit.leastError = point.error, fit.surest = point.host;
    }
}

void fitOneLine(ClockFit& fit, const Window& window, const Origin& origin)
{
    const Corridor& corridor = window.corridor;
    fit.quality = corridor.steepest().isOfPoints && corridor.flattest().isOfPoints ? FitQuality::Accurate : FitQuality::Approximate;
    fit.line = lineOf(window, origin);
    fit.points = pointsOfLine(window, fit.line, origin);
    judgeErrors(fit);
}

void fitPieces(ClockFit& fit, const Windows& windows, std::span<const OffsetBound> bounds, const Origin& origin)
{
    fit.quality = FitQuality::Accurate;
    fit.points = pointsOfPieces(windows, origin);
    fit.pieces = piecesOf(fit.points);
    const LeastBroken least = leastBroken(bounds);
    fit.line = {origin.hereOf(least.x), origin.thereOf(least.x, least.y), gainOf(least.slope)};
    judgeErrors(fit);
}

/// No message arrives before it left: the least that their times say, at the rate of the other clock.
void fitOneWay(ClockFit& fit, std::span<const OffsetBound> bounds, const Origin& origin)
{
    const auto isLess = [](const OffsetBound& a, const OffsetBound& b) { return (a.isCeiling ? a.y : -a.y) < (b.isCeiling ? b.y : -b.y); };
    const OffsetBound& nearest = *std::ranges::min_element(bounds, isLess);
    fit.quality = FitQuality::OneWay;
    fit.surest = origin.hereOf(nearest.x);
    fit.line = {fit.surest, origin.thereOf(nearest.x, nearest.y), 0};
    fit.points = {{fit.line.at, fit.line.is, Duration::max()}};
    fit.error = fit.lineError = fit.leastError = Duration::max();
}

/// A message in the middle, and an offset that no few wrong messages can decide.
Origin originOf(std::span<const Passage> passages)
{
    std::vector<Int128> offsets;
    std::vector<HostTimestamp> times;
    for (const Passage& passage : passages) {
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

ClockFit fitClocks(std::span<const Passage> passages, const std::stop_token& stop)
{
    ClockFit fit;
    if (passages.empty())
        return fit;
    fit.arrivals = static_cast<std::size_t>(std::ranges::count(passages, true, &Passage::isArrival));
    fit.departures = passages.size() - fit.arrivals;
    const Origin origin = originOf(passages);
    std::vector<OffsetBound> bounds;
    bounds.reserve(passages.size());
    for (std::size_t i = 0; i < passages.size(); ++i)
        if (const auto bound = boundOf(passages[i], static_cast<std::uint32_t>(i), origin))
            bounds.push_back(*bound);
        else
            fit.outliers.push_back(static_cast<std::uint32_t>(i)); // Decades away from all others.
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
    fit.outliers.insert(fit.outliers.end(), windows->outliers.begin(), windows->outliers.end());
    std::ranges::sort(fit.outliers);
    if (windows->all.size() == 1)
        fitOneLine(fit, windows->all.front(), origin);
    else
        fitPieces(fit, *windows, bounds, origin);
    return fit;
}

ClockFit inverse(const ClockFit& fit)
{
    ClockFit other = fit;
    const auto swapped = [](HostTimestamp here, Timestamp there) {
        return std::pair(hostTime(nanoseconds(there)), timestamp(nanoseconds(here)));
    };
    for (ClockPoint& point : other.points)
        std::tie(point.host, point.experiment) = swapped(point.host, point.experiment);
    other.line = inverse(fit.line);
    for (FitPiece& piece : other.pieces) {
        piece.from = hostTime(nanoseconds(piece.line(piece.from)));
        piece.line = inverse(piece.line);
    }
    const auto thereAt = [&](HostTimestamp t) { return hostTime(nanoseconds(fit.line(t))); };
    other.span = {thereAt(fit.span.begin), thereAt(fit.span.end)};
    other.surest = thereAt(fit.surest);
    std::swap(other.arrivals, other.departures);
    return other;
}

} // namespace helio
