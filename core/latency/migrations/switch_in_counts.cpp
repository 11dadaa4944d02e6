#include "core/latency/migrations/switch_in_counts.h"

#include "core/counters/rates.h"
#include "core/counters/ratios.h"
#include "core/query/rows/event_threads.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace helio {
namespace {

/// A switch-in for which counts are computed.
struct Wanted {
    TimeRange window;
    std::size_t thread = 0; ///< Index of the thread in the vector of ThreadSwitchIns.
    std::size_t index = 0; ///< Index of the switch-in in ThreadSwitchIns::all.
};

/// Points of a series around a time: the last point at or before the time, and the first point at or after it. `resetsBefore` and
/// `resetsAfter` are the numbers of times that the counter was reset up to these points.
struct Around {
    std::optional<SeriesPoint> before;
    std::optional<SeriesPoint> after;
    std::uint64_t resetsBefore = 0;
    std::uint64_t resetsAfter = 0;

    bool isWithin(Duration most) const { return before && after && after->time - before->time <= most; }
};

/// Points of a series around the start and around the end of a time range.
struct Readings {
    Around begin;
    Around end;

    /// Returns true if the counter was reset in the time range, so that its growth is unknown.
    bool hasFallen() const { return begin.resetsBefore != end.resetsAfter; }
};

/// Finds the points of a series around given times in one pass over times and points, both in time order.
class AroundFinder {
public:
    AroundFinder(std::vector<std::pair<Timestamp, Around*>> times, CounterNumber number, std::optional<SeriesPoint> previous)
        : m_times(std::move(times))
        , m_number(number)
        , m_previous(previous)
    {
        std::ranges::stable_sort(m_times, {}, [](const auto& it) { return it.first; });
    }

    void take(const SeriesPoint& point)
    {
        const std::uint64_t before = m_falls;
        m_falls += m_previous && computeGrowth(m_number, m_previous->value, point.value) < 0;
        for (; m_next < m_times.size() && m_times[m_next].first <= point.time; ++m_next)
            *m_times[m_next].second =
                m_times[m_next].first == point.time ? Around{point, point, m_falls, m_falls} : Around{m_previous, point, before, m_falls};
        m_previous = point;
    }
    /// Handles the times after the last point that was passed to take(). For these times, Around::before becomes that last point.
    /// Around::after becomes `after`: the series' first point after the times; nullopt if there is none.
    void finish(const std::optional<SeriesPoint>& after)
    {
        const bool falls = m_previous && after && computeGrowth(m_number, m_previous->value, after->value) < 0;
        for (; m_next < m_times.size(); ++m_next)
            *m_times[m_next].second = {m_previous, after, m_falls, m_falls + falls};
    }

private:
    std::vector<std::pair<Timestamp, Around*>> m_times;
    std::size_t m_next = 0;
    CounterNumber m_number;
    std::optional<SeriesPoint> m_previous;
    std::uint64_t m_falls = 0;
};

/// Returns for each window the points of a series around the window's start and around its end. Requires: `windows` is not empty and
/// sorted by start.
std::vector<Readings> readingsOf(const Timeline& timeline, const ViewSeries& series, std::span<const Wanted> windows,
                                 const std::stop_token& stop)
{
    std::vector<Readings> all(windows.size());
    std::vector<std::pair<Timestamp, Around*>> times;
    TimeRange range = windows.front().window;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        times.emplace_back(windows[i].window.begin, &all[i].begin);
        times.emplace_back(windows[i].window.end, &all[i].end);
        range.end = std::max(range.end, windows[i].window.end);
    }
    ++range.end;
    AroundFinder finder(std::move(times), series.number, previousPoint(timeline, series.ref, range.begin));
    forEachPoint(
        timeline, series.ref, range,
        [&](std::span<const SeriesPoint> points) {
            for (const SeriesPoint& it : points)
                finder.take(it);
        },
        stop);
    finder.finish(nextPoint(timeline, series.ref, range.end - Duration(1)));
    return all;
}

bool isTime(const std::string& name) { return name == TimeName; }

class Counting {
public:
    Counting(const Timeline& timeline, std::vector<RatioRow> rows, const CounterFormula& formula, Duration first)
        : m_timeline(timeline)
        , m_rows(std::move(rows))
        , m_names(formula.names())
        , m_wanted(m_rows.size())
        , m_first(first)
    {
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const ViewSeries& series = m_rows[i].series.front();
            const Track* const track = trackOf(timeline, series.track);
            const bool isCounted =
                std::ranges::all_of(m_rows[i].series, [](const ViewSeries& it) { return it.kind == CounterSeries::Kind::Accumulating; });
            if (!track || !isCounted)
                continue;
            const std::uint32_t host = timeline.traces[series.trace].host;
            if (const std::int32_t tid = hostTidOf(timeline, series.track); tid >= 0)
                m_ofThreads[{host, tid}].push_back(i);
            else if (track->tid < 0 && track->cpu >= 0)
                m_ofCpus[{host, track->cpu}].push_back(i);
        }
    }

    void want(std::span<const ThreadSwitchIns> moves)
    {
        for (std::size_t thread = 0; thread < moves.size(); ++thread) {
            m_all.emplace_back(moves[thread].all.size());
            const auto row = rowOf(m_timeline, moves[thread].thread);
            for (std::size_t i = 0; row && i < moves[thread].all.size(); ++i) {
                const SwitchIn& it = moves[thread].all[i];
                const Wanted wanted{{it.run.begin, it.run.begin + std::min(it.run.duration(), m_first)}, thread, i};
                want(wanted, m_ofCpus, {row->host, it.cpu});
                want(wanted, m_ofThreads, {row->host, row->tid});
            }
        }
    }

    std::vector<SwitchInCounts> take(const std::stop_token& stop)
    {
        for (const RowsByOwner* const owners : {&m_ofCpus, &m_ofThreads})
            for (const auto& [owner, rows] : *owners)
                for (const std::size_t i : rows)
                    count(m_rows[i], std::exchange(m_wanted[i], {}), stop);
        return std::move(m_all);
    }

private:
    /// Indices of rows, keyed by host and by CPU or TID. One key may have several rows: one for each trace of the host, and one for each
    /// thread if the TID was reused.
    using RowsByOwner = std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<std::size_t>>;

    void want(const Wanted& wanted, const RowsByOwner& owners, const RowsByOwner::key_type& owner)
    {
        if (const auto rows = owners.find(owner); rows != owners.end())
            for (const std::size_t i : rows->second)
                m_wanted[i].push_back(wanted);
    }

    /// Sets the counts of the switch-ins in `wanted` from the counters of `row`. Skips a switch-in if an earlier call has already set
    /// its counts.
    void count(const RatioRow& row, std::vector<Wanted> wanted, const std::stop_token& stop)
    {
        std::erase_if(wanted, [this](const Wanted& it) { return !m_all[it.thread][it.index].empty(); });
        if (wanted.empty())
            return;
        std::ranges::stable_sort(wanted, {}, [](const Wanted& it) { return it.window.begin; });
        std::vector<std::vector<Readings>> readings;
        for (const ViewSeries& series : row.series)
            readings.push_back(readingsOf(m_timeline, series, wanted, stop));
        for (std::size_t i = 0; i < wanted.size(); ++i)
            m_all[wanted[i].thread][wanted[i].index] = countsOf(row, readings, i, wanted[i].window).value_or(std::vector<double>());
    }

    /// Returns the counts in `window`, or in the part of `window` between points of all counters of the row. Returns nullopt if this part
    /// is shorter than m_first / 2, or if a counter was reset in it.
    std::optional<std::vector<double>> countsOf(const RatioRow& row, const std::vector<std::vector<Readings>>& readings, std::size_t i,
                                                TimeRange window) const
    {
        TimeRange read = window;
        for (const std::vector<Readings>& its : readings) {
            const auto& [begin, end] = its[i];
            if (!begin.after || !end.before)
                return {};
            read = read.clippedTo({begin.isWithin(maxPointDistance()) ? window.begin : begin.after->time,
                                   end.isWithin(maxPointDistance()) ? window.end : end.before->time});
        }
        if (read.isEmpty() || read.duration() * 2 < m_first)
            return {};
        std::vector<double> counts;
        for (std::size_t name = 0, series = 0; name < m_names.size(); ++name) {
            if (isTime(m_names[name])) {
                counts.push_back(std::chrono::duration<double>(read.duration()).count());
                continue;
            }
            const auto counted = countedBetween(row.series[series], readings[series][i], window, read);
            if (!counted)
                return {};
            counts.push_back(*counted);
            ++series;
        }
        return counts;
    }

    std::optional<double> countedBetween(const ViewSeries& series, const Readings& it, TimeRange window, TimeRange read) const
    {
        const Around begin = read.begin == window.begin ? it.begin : aroundOf(series, it, read.begin);
        const Around end = read.end == window.end ? it.end : aroundOf(series, it, read.end);
        if (it.hasFallen() || !begin.isWithin(maxPointDistance()) || !end.isWithin(maxPointDistance()))
            return {};
        const SeriesPoint& base = *begin.before;
        const auto since = [&](const Around& around, Timestamp at) {
            const double from = computeGrowth(series.number, base.value, around.before->value);
            const double to = computeGrowth(series.number, base.value, around.after->value);
            const Duration length = around.after->time - around.before->time;
            return length > Duration(0) ? from + (to - from) * double((at - around.before->time).count()) / double(length.count()) : from;
        };
        return since(end, read.end) - since(begin, read.begin);
    }

    /// Returns the points around `at`, a time in the time range of `known`. Usually `known` contains a point at this time, so that no
    /// lookup is needed.
    Around aroundOf(const ViewSeries& series, const Readings& known, Timestamp at) const
    {
        for (const auto* const point : {&known.begin.after, &known.end.before})
            if (*point && (*point)->time == at)
                return {*point, *point};
        const auto before = pointAt(m_timeline, series.ref, at);
        return before && before->time == at ? Around{before, before} : Around{before, nextPoint(m_timeline, series.ref, at)};
    }

    /// Returns the maximum time between two points of a counter for which the counter is assumed to grow evenly between these points.
    Duration maxPointDistance() const { return m_first / 4; }

    const Timeline& m_timeline;
    std::vector<RatioRow> m_rows;
    const std::vector<std::string>& m_names;
    RowsByOwner m_ofThreads;
    RowsByOwner m_ofCpus;
    std::vector<std::vector<Wanted>> m_wanted; ///< Switch-ins to count, indexed by row.
    std::vector<SwitchInCounts> m_all;
    Duration m_first;
};

} // namespace

std::vector<std::string> counterNames(const CounterFormula& formula)
{
    std::vector<std::string> names;
    std::ranges::remove_copy_if(formula.names(), std::back_inserter(names), isTime);
    return names;
}

std::vector<SwitchInCounts> countAfterSwitchIns(const Timeline& timeline, std::span<const std::string> views, const CounterFormula& formula,
                                                std::span<const ThreadSwitchIns> moves, Duration first, std::stop_token stop)
{
    Counting counting(timeline, ratioRows(timeline, views, counterNames(formula)), formula, first);
    counting.want(moves);
    return counting.take(stop);
}

} // namespace helio
