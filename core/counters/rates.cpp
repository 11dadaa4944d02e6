#include "core/counters/rates.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

double seconds(Duration d) { return double(d.count()) / 1e9; }

/// True if the column shows no reset: no value is below the first value or above the last value.
bool onlyGrows(const SeriesColumn& column, CounterNumber kind)
{
    const auto number = [kind](CounterValue value) { return value.number(kind); };
    return number(column.first.value) <= number(column.last.value) && number(column.least) >= number(column.first.value)
        && number(column.most) <= number(column.last.value);
}

class Rates {
public:
    Rates(const SeriesColumns& columns, CounterNumber number)
        : m_columns(columns.columns)
        , m_number(number)
        , m_before(columns.before)
        , m_after(columns.after)
    {
    }

    std::vector<RateInterval> take()
    {
        if (m_columns.empty())
            return m_before && m_after ? between() : std::vector<RateInterval>();
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            addGap(i);
            addColumn(i);
        }
        addGap(m_columns.size());
        return std::move(m_rates);
    }

private:
    std::vector<RateInterval> between()
    {
        add({m_before->time, m_after->time}, computeGrowth(m_number, m_before->value, m_after->value));
        return std::move(m_rates);
    }

    std::optional<SeriesPoint> lastBefore(std::size_t column) const { return column == 0 ? m_before : m_columns[column - 1].last; }
    std::optional<SeriesPoint> firstFrom(std::size_t column) const
    {
        return column == m_columns.size() ? m_after : std::optional(m_columns[column].first);
    }

    /// Returns the growth in the range `of`, which lies between the points `from` and `to`. The total is assumed to grow evenly between the
    /// points.
    double part(const std::optional<SeriesPoint>& from, const std::optional<SeriesPoint>& to, TimeRange of) const
    {
        if (!from || !to || to->time <= from->time)
            return 0;
        const double share = std::clamp(seconds(of.duration()) / seconds(to->time - from->time), 0.0, 1.0);
        return share * computeGrowth(m_number, from->value, to->value);
    }

    /// Adds the mean rate, per second, in the time without points between column `index` - 1 and column `index`.
    void addGap(std::size_t index)
    {
        const auto from = lastBefore(index);
        const auto to = firstFrom(index);
        if (!from || !to)
            return;
        const TimeRange range{index == 0 ? from->time : std::max(from->time, m_columns[index - 1].range.end),
                              index == m_columns.size() ? to->time : std::min(to->time, m_columns[index].range.begin)};
        if (!range.isEmpty())
            add(range, part(from, to, range));
    }

    void addColumn(std::size_t index)
    {
        const SeriesColumn& column = m_columns[index];
        const auto before = lastBefore(index);
        const auto after = firstFrom(index + 1);
        // If the last point before the column has the time of the column's first point, all growth between them belongs to the column.
        const double head = before && before->time == column.first.time
            ? computeGrowth(m_number, before->value, column.first.value)
            : part(before, column.first, {column.range.begin, column.first.time});
        const double tail = part(column.last, after, {column.last.time, column.range.end});
        const double own = computeGrowth(m_number, column.first.value, column.last.value);
        const bool isKnown = before || after || own != 0;
        if (isKnown && head >= 0 && tail >= 0 && onlyGrows(column, m_number))
            add(column.range, head + own + tail);
    }

    void add(TimeRange range, double growth)
    {
        const double rate = growth / seconds(range.duration());
        if (growth >= 0)
            m_rates.push_back({range, rate, rate, rate});
    }

    std::span<const SeriesColumn> m_columns;
    CounterNumber m_number;
    std::optional<SeriesPoint> m_before;
    std::optional<SeriesPoint> m_after;
    std::vector<RateInterval> m_rates;
};

} // namespace

double computeGrowth(CounterNumber number, CounterValue from, CounterValue to)
{
    if (number == CounterNumber::Real)
        return to.real() - from.real();
    const bool hasGrown = to.integer() >= from.integer();
    const auto a = static_cast<std::uint64_t>(from.integer());
    const auto b = static_cast<std::uint64_t>(to.integer());
    return hasGrown ? double(b - a) : -double(a - b);
}

std::vector<RateInterval> ratesOf(const SeriesColumns& columns, CounterNumber number) { return Rates(columns, number).take(); }

void addExtremes(std::vector<RateInterval>& rates, const SeriesColumns& growth)
{
    // Relative tolerance for rounding errors: the growth series and `rates` contain the same rate, but compute it in different ways.
    constexpr double Rounding = 1e-9;
    const std::vector<SeriesColumn>& columns = growth.columns;
    std::optional<double> held = growth.before ? std::optional(growth.before->value.real()) : std::nullopt;
    std::size_t next = 0; // Index of the first column that ends after the start of the rate's range.
    for (RateInterval& rate : rates) {
        const auto add = [&rate, tolerance = rate.perSecond * Rounding](double value) {
            if (std::abs(value - rate.perSecond) <= tolerance)
                return;
            rate.least = std::min(rate.least, value);
            rate.most = std::max(rate.most, value);
        };
        for (; next < columns.size() && columns[next].range.end <= rate.range.begin; ++next)
            held = columns[next].last.value.real();
        if (held && (next == columns.size() || columns[next].first.time > rate.range.begin))
            add(*held);
        for (std::size_t i = next; i < columns.size() && columns[i].first.time < rate.range.end; ++i) {
            add(columns[i].least.real());
            add(columns[i].most.real());
        }
    }
}

namespace {

/// Returns the points that determine the total's growth, from the point before the range to the point after it; empty if a column shows a
/// reset.
std::vector<SeriesPoint> knownPoints(const SeriesColumns& columns, CounterNumber number)
{
    std::vector<SeriesPoint> points;
    if (columns.before)
        points.push_back(*columns.before);
    for (const SeriesColumn& column : columns.columns) {
        if (!onlyGrows(column, number))
            return {};
        points.insert(points.end(), {column.first, column.last});
    }
    if (columns.after)
        points.push_back(*columns.after);
    return points;
}

/// Returns the mean of the series' values in the range, weighted by time. Returns nullopt if the series has no value at the beginning of
/// the range.
std::optional<double> meanIn(const Timeline& timeline, const ViewSeries& series, TimeRange range)
{
    auto held = pointAt(timeline, series.ref, range.begin);
    if (!held)
        return {};
    double sum = 0;
    Timestamp from = range.begin;
    const auto add = [&](Timestamp until) {
        sum += held->value.number(series.number) * seconds(until - from);
        from = until;
    };
    forEachPoint(timeline, series.ref, range, [&](std::span<const SeriesPoint> points) {
        for (const SeriesPoint& point : points) {
            add(point.time);
            held = point;
        }
    });
    add(range.end);
    return sum / seconds(range.duration());
}

} // namespace

std::optional<double> countInRange(const Timeline& timeline, const ViewSeries& series, TimeRange range)
{
    if (range.isEmpty())
        return {};
    if (series.kind != CounterSeries::Kind::Accumulating)
        return meanIn(timeline, series, range);
    const auto points = knownPoints(seriesColumns(timeline, series.ref, range, range.duration()), series.number);
    if (points.empty() || points.front().time > range.begin || points.back().time < range.end)
        return {};
    double sum = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const TimeRange between{points[i - 1].time, points[i].time};
        const TimeRange inside = between.clippedTo(range);
        if (inside.isEmpty() && !between.isEmpty())
            continue; // No growth inside the range: both points lie at or before its start.
        const double growth = computeGrowth(series.number, points[i - 1].value, points[i].value);
        if (growth < 0)
            return {};
        sum += between.isEmpty() ? growth : growth * seconds(inside.duration()) / seconds(between.duration());
    }
    return sum;
}

bool isShareOfTime(const ViewSeries& series) { return series.kind == CounterSeries::Kind::Accumulating && series.unit == "s"; }

std::map<TrackRef, UtilizationSeries> utilizationSeries(const Timeline& timeline, std::string_view view)
{
    std::map<TrackRef, UtilizationSeries> all;
    for (const ViewSeries& it : viewSeries(timeline, view))
        if (isShareOfTime(it) && it.track.isValid())
            all.emplace(it.track, UtilizationSeries{it.ref, it.number});
    return all;
}

std::optional<double> utilizationInRange(const Timeline& timeline, const UtilizationSeries& series, TimeRange range)
{
    const auto first = nextPoint(timeline, series.ref, Timestamp::min());
    const auto last = pointAt(timeline, series.ref, Timestamp::max());
    if (!first || !last)
        return {};
    const TimeRange known = range.clippedTo({first->time, last->time});
    ViewSeries total;
    total.ref = series.ref;
    total.kind = CounterSeries::Kind::Accumulating;
    total.number = series.number;
    const auto inUse = known.isEmpty() ? std::nullopt : countInRange(timeline, total, known);
    if (!inUse)
        return {};
    return std::clamp(*inUse * 1e9 / double(known.duration().count()), 0.0, 1.0);
}

} // namespace helio
