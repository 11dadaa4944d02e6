#include "widgets/docks/clocks/residual_scale.h"

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

/// Fraction of the packets that the scale must show. The slowest packets are cut, because they would compress the scale.
constexpr double ShareInView = 0.9;
/// Maximum height of the scale, as a multiple of the largest error bound: packets beyond it are cut, so that the corridor stays visible.
constexpr int MostBounds = 8;
constexpr double Headroom = 1.12;

bool isBound(const ResidualBound& it) { return it.error < Duration::max() / 4; }

} // namespace

ResidualScale::ResidualScale(TimeRange window, DistanceRange distances, const QRectF& area)
    : m_x(window, area.width())
    , m_distances(distances)
    , m_area(area)
{
}

double ResidualScale::yOf(Duration distance) const
{
    const double low = double(m_distances.low.count()), high = double(m_distances.high.count());
    const double share = std::clamp((double(distance.count()) - low) / (high - low), 0.0, 1.0);
    return m_area.bottom() - share * m_area.height();
}

TimeRange timesOf(const Residuals& residuals)
{
    TimeRange all{};
    const auto add = [&](Timestamp begin, Timestamp end) {
        all = all == TimeRange{} ? TimeRange{begin, end} : TimeRange{std::min(all.begin, begin), std::max(all.end, end)};
    };
    if (!residuals.points.empty())
        add(residuals.points.front().at, residuals.points.back().at);
    if (!residuals.bounds.empty())
        add(residuals.bounds.front().at, residuals.bounds.back().at);
    if (all != TimeRange{} && all.isEmpty())
        all.end = all.begin + Duration(1);
    return all;
}

namespace {

/// Returns the largest distance that the scale shows, which extends equally far above and below 0.
Duration heightFor(const Residuals& residuals, TimeRange window)
{
    std::vector<Duration> distances;
    for (const Residual& it : residuals.points)
        if (!it.isOutlier && it.at >= window.begin && it.at <= window.end)
            distances.push_back(std::chrono::abs(it.signedTransit));
    Duration bound{1};
    for (const ResidualBound& it : residuals.bounds)
        if (isBound(it) && it.at >= window.begin && it.at <= window.end)
            bound = std::max(bound, it.error);
    Duration most = bound;
    if (!distances.empty()) {
        const auto place = distances.begin() + std::ptrdiff_t(double(distances.size() - 1) * ShareInView);
        std::ranges::nth_element(distances, place);
        most = std::max(bound, bound > Duration(1) ? std::min(*place, bound * MostBounds) : *place);
    }
    return Duration(std::llround(double(most.count()) * Headroom) + 1);
}

/// Returns a range that contains most packets but not 0; nullopt if there are no packets or they are close to 0.
std::optional<DistanceRange> farFromZero(const Residuals& residuals, TimeRange window)
{
    /// Fraction of the packets to ignore at each end of the sorted distances, because outliers would widen the range.
    constexpr double LeftOut = 0.05;
    constexpr int Far = 3; ///< Minimum distance of the nearest packet from 0, as a multiple of the packets' spread.
    constexpr Duration Least{1000};
    std::vector<Duration> shown;
    for (const Residual& it : residuals.points)
        if (it.at >= window.begin && it.at <= window.end)
            shown.push_back(ResidualScale::shown(it));
    if (!residuals.isOfClockOverride || shown.empty())
        return {};
    std::ranges::sort(shown);
    const auto place = [&](double part) { return shown[std::size_t(std::llround(double(shown.size() - 1) * part))]; };
    const Duration low = place(LeftOut), high = place(1 - LeftOut);
    const Duration apart = std::max(high - low, Least);
    const Duration nearest = low > Duration{} ? low : high < Duration{} ? -high : Duration{};
    if (nearest / Far < apart)
        return {};
    return DistanceRange{low - apart / 4, high + apart / 4};
}

} // namespace

DistanceRange computeDistanceRange(const Residuals& residuals, TimeRange window)
{
    if (const auto far = farFromZero(residuals, window))
        return *far;
    const Duration height = heightFor(residuals, window);
    return {-height, height};
}

std::optional<std::size_t> findResidual(const Residuals& residuals, const ResidualScale& scale, QPointF at, double most)
{
    if (!scale.isValid())
        return {};
    const double x = at.x() - scale.area().left();
    const auto from = std::ranges::lower_bound(residuals.points, scale.times().timeAt(x - most), {}, &Residual::at);
    const Timestamp end = scale.times().timeAt(x + most);
    std::optional<std::size_t> nearest;
    for (auto it = from; it != residuals.points.end() && it->at <= end; ++it) {
        const QPointF off = scale.placeOf(*it) - at;
        if (const double distance = std::hypot(off.x(), off.y()); distance <= most) {
            most = distance;
            nearest = std::size_t(it - residuals.points.begin());
        }
    }
    return nearest;
}

std::optional<ResidualBound> findNarrowestBound(const Residuals& residuals)
{
    const auto found = std::ranges::min_element(residuals.bounds, {}, &ResidualBound::error);
    return found != residuals.bounds.end() && isBound(*found) ? std::optional(*found) : std::nullopt;
}

std::vector<Duration> distanceTicks(DistanceRange range)
{
    const std::int64_t half = range.high.count() / 2 - range.low.count() / 2;
    std::int64_t step = 1;
    for (int i = 0; step * 5 / 2 < half; ++i)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2; // Round steps: 1, 2, 5, 10...
    std::vector<Duration> ticks;
    const std::int64_t low = range.low.count();
    for (std::int64_t at = low / step * step + (low % step > 0 ? step : 0); at <= range.high.count(); at += step)
        ticks.emplace_back(at);
    return ticks;
}

} // namespace helio
