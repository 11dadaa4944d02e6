#include "widgets/views/clocks/residual_scale.h"

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr double ShareInView = 0.9; ///< Of the packets: the others took long, and would press all else together.
constexpr int MostBounds = 8; ///< Nor higher than so many bounds: the corridor is what it is about.
constexpr double Headroom = 1.12;

bool isBound(const ResidualBound& it) { return it.error < Duration::max() / 4; }

} // namespace

ResidualScale::ResidualScale(TimeRange window, Duration most, const QRectF& area)
    : m_x(window, area.width())
    , m_most(most)
    , m_area(area)
{
}

double ResidualScale::yOf(Duration distance) const
{
    const double share = std::clamp(double(distance.count()) / double(m_most.count()), -1.0, 1.0);
    return m_area.center().y() - share * m_area.height() / 2;
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

Duration heightFor(const Residuals& residuals, TimeRange window)
{
    std::vector<Duration> distances;
    for (const Residual& it : residuals.points)
        if (!it.isOutlier && it.at >= window.begin && it.at <= window.end)
            distances.push_back(std::chrono::abs(it.distance));
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

std::optional<std::size_t> residualAt(const Residuals& residuals, const ResidualScale& scale, QPointF at, double most)
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

std::optional<ResidualBound> narrowestOf(const Residuals& residuals)
{
    const auto found = std::ranges::min_element(residuals.bounds, {}, &ResidualBound::error);
    return found != residuals.bounds.end() && isBound(*found) ? std::optional(*found) : std::nullopt;
}

std::vector<Duration> distanceTicks(Duration most)
{
    std::int64_t step = 1;
    for (int i = 0; step * 5 / 2 < most.count(); ++i)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2; // 1, 2, 5, 10...
    std::vector<Duration> ticks;
    for (std::int64_t at = -(most.count() / step) * step; at <= most.count(); at += step)
        ticks.emplace_back(at);
    return ticks;
}

} // namespace helio
