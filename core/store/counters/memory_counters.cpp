#include "core/store/counters/memory_counters.h"

#include "core/store/counters/counter_numbers.h"
#include "core/store/picture_columns.h"

#include <algorithm>

namespace helio {
namespace {

using Points = std::vector<CounterPoint>;

class MemoryCounterSet final : public CounterSet {
public:
    MemoryCounterSet(std::vector<CounterSeries> series, std::vector<Points> points)
        : m_series(std::move(series))
        , m_points(std::move(points))
    {
    }

    std::span<const CounterSeries> series() const override { return m_series; }
    std::uint64_t count(CounterSeriesId series) const override { return of(series).size(); }
    bool isDamaged() const override { return false; }

    void visit(CounterSeriesId series, HostRange range, const Take& take, std::stop_token stop) const override
    {
        const Points all = in(series, range);
        if (!all.empty() && !stop.stop_requested())
            take(all);
    }

    CounterColumns spans(CounterSeriesId series, HostRange window, Duration resolution, std::stop_token) const override
    {
        CounterColumns result;
        if (window.isEmpty())
            return result;
        result.before = previous(series, window.begin);
        const Points all = in(series, window);
        for (auto it = all.begin(); it != all.end();) {
            const auto end = std::find_if(
                it, all.end(), [&](const CounterPoint& p) { return columnOf(p.time, resolution) != columnOf(it->time, resolution); });
            const auto held = it != all.begin() ? std::optional(*std::prev(it)) : result.before;
            result.columns.push_back(columnOfPoints({it, end}, held, series, window, resolution));
            it = end;
        }
        return result;
    }

    std::optional<CounterPoint> valueAt(CounterSeriesId series, HostTimestamp at) const override
    {
        return last(series, [at](const CounterPoint& point) { return point.time <= at; });
    }
    std::optional<CounterPoint> previous(CounterSeriesId series, HostTimestamp at) const override
    {
        return last(series, [at](const CounterPoint& point) { return point.time < at; });
    }
    std::optional<CounterPoint> next(CounterSeriesId series, HostTimestamp at) const override
    {
        const Points& all = of(series);
        const auto it = std::ranges::find_if(all, [at](const CounterPoint& point) { return point.time > at; });
        return it != all.end() ? std::optional(*it) : std::nullopt;
    }

private:
    const Points& of(CounterSeriesId series) const
    {
        static const Points none;
        return static_cast<std::size_t>(series) < m_points.size() ? m_points[static_cast<std::size_t>(series)] : none;
    }
    Points in(CounterSeriesId series, HostRange range) const
    {
        Points result;
        std::ranges::copy_if(of(series), std::back_inserter(result), [range](const CounterPoint& p) { return range.contains(p.time); });
        return result;
    }
    template <typename Is> std::optional<CounterPoint> last(CounterSeriesId series, Is is) const
    {
        const Points& all = of(series);
        const auto it = std::find_if(all.rbegin(), all.rend(), is);
        return it != all.rend() ? std::optional(*it) : std::nullopt;
    }

    /// Summarizes points as a column. `before`: the point before `points`, if there is one.
    CounterColumn columnOfPoints(std::span<const CounterPoint> points, std::optional<CounterPoint> before, CounterSeriesId series,
                                 HostRange window, Duration resolution) const
    {
        const CounterNumber number = m_series[static_cast<std::size_t>(series)].number;
        const auto [least, most] = std::ranges::minmax_element(
            points, [number](CounterValue a, CounterValue b) { return isLess(a, b, number); }, &CounterPoint::value);
        CounterColumn column{
            columnBegin(points.front().time, resolution), points.size(), points.front(), points.back(), least->value, most->value};
        // The mean covers the part of the column inside the window in which the counter has a value.
        const HostTimestamp end = columnEnd(column.begin, resolution, window.end);
        CounterPoint held = points.front();
        if (before)
            held = {std::max(column.begin, window.begin), before->value};
        const HostTimestamp begin = held.time;
        long double sum = 0;
        const auto hold = [&](HostTimestamp until) {
            sum += static_cast<long double>(held.value.number(number)) * static_cast<long double>((until - held.time).count());
        };
        for (const CounterPoint& point : points) {
            hold(point.time);
            held = point;
        }
        hold(end);
        column.mean = static_cast<double>(sum / static_cast<long double>((end - begin).count()));
        return column;
    }

    std::vector<CounterSeries> m_series;
    std::vector<Points> m_points; ///< Indexed by series.
};

} // namespace

void MemoryCounters::take(CounterSeriesId series, const CounterPoint& point)
{
    m_points.resize(m_list.all().size());
    m_points[static_cast<std::size_t>(series)].push_back(point);
}

std::shared_ptr<const CounterSet> MemoryCounters::picture() const
{
    if (m_list.all().empty())
        return nullptr;
    std::vector<Points> points = m_points;
    points.resize(m_list.all().size());
    return std::make_shared<MemoryCounterSet>(m_list.all(), std::move(points));
}

} // namespace helio
