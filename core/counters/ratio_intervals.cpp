#include "core/counters/ratio_intervals.h"

#include "core/counters/ratios.h"

#include <algorithm>

namespace helio {
namespace {

double secondsOf(TimeRange range) { return double(range.duration().count()) / 1e9; }

/// Returns the intervals of a series that does not accumulate, whose value holds until the next point; `perSecond` is the mean value.
std::vector<RateInterval> heldIntervals(const SeriesColumns& all, CounterNumber number, Timestamp end)
{
    std::vector<RateInterval> intervals;
    const auto add = [&](TimeRange range, double value) {
        if (range.begin < range.end)
            intervals.push_back({range, value, value, value});
    };
    std::optional<SeriesPoint> held = all.before;
    Timestamp from = held ? held->time : Timestamp();
    for (const SeriesColumn& column : all.columns) {
        const bool isOne = column.count == 1;
        const Timestamp begin = isOne || !held ? column.first.time : column.range.begin;
        if (held)
            add({from, begin}, held->value.number(number));
        if (!isOne)
            add({begin, column.range.end}, column.mean);
        held = column.last;
        from = isOne ? column.last.time : column.range.end;
    }
    if (held)
        add({from, all.after ? all.after->time : end}, held->value.number(number));
    return intervals;
}

bool isSum(const ViewSeries& series) { return series.kind == CounterSeries::Kind::Accumulating; }

class RatioIntervalFinder {
public:
    RatioIntervalFinder(const Timeline& timeline, const CounterFormula& formula, std::span<const ViewSeries> series)
        : m_timeline(timeline)
        , m_formula(formula)
        , m_series(series)
        , m_known{Timestamp::min(), Timestamp::max()}
    {
        for (const ViewSeries& it : series) {
            m_knownOf.push_back(knownRange(timeline, {&it, 1}));
            m_known = m_known.clippedTo(m_knownOf.back());
        }
    }

    std::vector<RatioInterval> take(TimeRange window, Duration resolution, const std::stop_token& stop)
    {
        for (const ViewSeries& it : m_series) {
            const SeriesColumns columns = seriesColumns(m_timeline, it.ref, window, resolution, stop);
            m_parts.push_back(isSum(it) ? ratesOf(columns, it.number) : heldIntervals(columns, it.number, m_known.end));
        }
        m_next.assign(m_parts.size(), 0);
        // Do not start at m_known.begin: add() needs each range from its own beginning, to see whether it begins before m_known.
        Timestamp at = Timestamp::min();
        while (!stop.stop_requested() && at < m_known.end) {
            const TimeRange common = commonFrom(at);
            if (common.isEmpty() || common.begin >= m_known.end)
                break;
            add(common);
            at = common.end;
        }
        return std::move(m_found);
    }

private:
    /// Returns the first range, at or after `at`, over which every series has a constant value: the common part of one interval of each
    /// series. Empty if there is none.
    TimeRange commonFrom(Timestamp at)
    {
        TimeRange common;
        for (bool isCommon = false; !isCommon;) {
            common = {at, Timestamp::max()};
            for (std::size_t i = 0; i < m_parts.size(); ++i) {
                while (m_next[i] < m_parts[i].size() && m_parts[i][m_next[i]].range.end <= at)
                    ++m_next[i];
                if (m_next[i] == m_parts[i].size())
                    return {};
                const TimeRange& its = m_parts[i][m_next[i]].range;
                common = {std::max(common.begin, its.begin), std::min(common.end, its.end)};
            }
            isCommon = common.begin < common.end;
            at = common.begin;
        }
        return common;
    }

    void add(TimeRange range)
    {
        RatioInterval interval{range.clippedTo(m_known), 0, {}};
        if (interval.range.isEmpty())
            return;
        std::vector<double> rates;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const double length = isSum(m_series[i]) ? secondsOf(interval.range) : 1;
            const auto rate = interval.range == range && isKnownAllOver(i) ? std::optional(m_parts[i][m_next[i]].perSecond) : std::nullopt;
            const auto counted = rate ? std::optional(*rate * length) : countInRange(m_timeline, m_series[i], interval.range);
            if (!counted)
                return;
            interval.counted.push_back(*counted);
            rates.push_back(rate.value_or(*counted / length));
        }
        if (const auto value = m_formula.value(rates)) {
            interval.value = *value;
            m_found.push_back(std::move(interval));
        }
    }

    /// True if the series with the index `part` is known during the whole of its current interval. If it is known in a part only, the
    /// interval's rate is not the rate of this part. Example: the series begins in the middle of a column of pixels.
    bool isKnownAllOver(std::size_t part) const
    {
        const TimeRange& range = m_parts[part][m_next[part]].range;
        return m_knownOf[part].begin <= range.begin && range.end <= m_knownOf[part].end;
    }

    const Timeline& m_timeline;
    const CounterFormula& m_formula;
    std::span<const ViewSeries> m_series;
    std::vector<TimeRange> m_knownOf; ///< Range in which each series is known, by index of the series.
    TimeRange m_known; ///< Range in which all series are known.
    std::vector<std::vector<RateInterval>> m_parts; ///< Intervals of each series, by index of the series.
    /// For each series, the index into its intervals (in m_parts) of the first interval that ends after the current time.
    std::vector<std::size_t> m_next;
    std::vector<RatioInterval> m_found;
};

} // namespace

std::vector<RatioInterval> computeRatioIntervals(const Timeline& timeline, const CounterFormula& formula,
                                                 std::span<const ViewSeries> series, TimeRange window, Duration resolution,
                                                 std::stop_token stop)
{
    return RatioIntervalFinder(timeline, formula, series).take(window, resolution, stop);
}

std::optional<RatioInterval> computeKnownRatio(const Timeline& timeline, const CounterFormula& formula, std::span<const ViewSeries> series,
                                               TimeRange range)
{
    RatioInterval interval{range.clippedTo(knownRange(timeline, series)), 0, {}};
    std::vector<double> rates;
    for (const ViewSeries& it : series) {
        const auto counted = countInRange(timeline, it, interval.range);
        if (!counted)
            return {};
        interval.counted.push_back(*counted);
        rates.push_back(isSum(it) ? *counted / secondsOf(interval.range) : *counted);
    }
    const auto value = formula.value(rates);
    if (!value)
        return {};
    interval.value = *value;
    return interval;
}

} // namespace helio
