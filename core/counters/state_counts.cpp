#include "core/counters/state_counts.h"

#include "core/counters/rates.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>
#include <utility>

namespace helio {
namespace {

/// An interval of a thread's state on a CPU, and the index of its sums in m_sums.
struct StateInterval {
    TimeRange range;
    std::size_t sums = 0;
    bool isKnown = true;
};

class ByState {
public:
    ByState(const Timeline& timeline, std::stop_token stop)
        : m_timeline(timeline)
        , m_stop(std::move(stop))
    {
    }

    void add(const RatioRow& row, TimeRange window)
    {
        const Track* cpu = trackOf(m_timeline, row.series.front().track);
        if (!cpu || cpu->cpu < 0 || cpu->tid >= 0)
            return;
        const std::uint32_t host = m_timeline.traces[row.series.front().trace].host;
        for (const Row& it : cpus(m_timeline))
            if (it.host == host && it.cpu == cpu->cpu && collect(it, window))
                break;
        for (const ViewSeries& series : row.series)
            markUnknown(series, window);
        for (std::size_t i = 0; i < row.series.size(); ++i)
            count(row.series[i], i, row.series.size(), window);
        for (const StateInterval& it : std::exchange(m_stateIntervals, {}))
            if (it.isKnown)
                m_sums[it.sums].time += it.range.duration();
    }

    std::vector<StateCounts> take()
    {
        std::vector<StateCounts> all;
        for (const auto& [key, index] : m_index)
            if (m_sums[index].time > Duration())
                all.push_back(std::move(m_sums[index]));
        return all;
    }

private:
    /// Collects the state intervals of a CPU and of the threads on it, in time order. Returns false if the CPU's threads are unknown.
    bool collect(const Row& cpu, TimeRange window)
    {
        const TrackRef threads = attributeOf(m_timeline, cpu.ref, TrackRole::CpuThread);
        if (!threads.isValid())
            return false;
        Row row = cpu;
        row.ref = threads;
        forEachRowInterval(
            m_timeline, row, cpu.life.clippedTo(window),
            [&](const Interval& had) {
                const TrackRef thread{threads.store, TrackId{had.value}};
                const bool isOn = isOnCpu(meaningOf(m_timeline, threads, had.state)) && trackOf(m_timeline, thread);
                const TrackRef of = isOn ? thread : cpu.ref;
                for (const Interval& it : intervals(m_timeline, of, had.range, m_stop))
                    if (const TimeRange range = it.range.clippedTo(had.range); !range.isEmpty())
                        m_stateIntervals.push_back({range, sumsOf(of, it.state)});
            },
            m_stop);
        return true;
    }

    std::size_t sumsOf(TrackRef row, State state)
    {
        const auto [found, isNew] = m_index.try_emplace({row, state}, m_sums.size());
        if (isNew)
            m_sums.push_back({row, state, {}, {}});
        return found->second;
    }

    /// Calls `take(from, to, interval)` for each pair of consecutive points; `interval` is the index of the first state interval that
    /// overlaps the range between the points.
    template <typename Take> void forEachGrowth(const ViewSeries& series, TimeRange window, const Take& take)
    {
        auto before = previousPoint(m_timeline, series.ref, window.begin);
        std::size_t interval = 0;
        const auto add = [&](const SeriesPoint& point) {
            while (before && interval < m_stateIntervals.size() && m_stateIntervals[interval].range.end <= before->time)
                ++interval;
            take(before, point, interval);
            before = point;
        };
        forEachPoint(
            m_timeline, series.ref, window, [&](std::span<const SeriesPoint> points) { std::ranges::for_each(points, add); }, m_stop);
        const auto after = nextPoint(m_timeline, series.ref, window.end - Duration(1));
        if (after)
            add(*after);
        // The growth after the last point is unknown, so it is also unknown for each state interval that ends after that point.
        for (std::size_t i = interval; i < m_stateIntervals.size(); ++i)
            if (!before || m_stateIntervals[i].range.end > before->time)
                m_stateIntervals[i].isKnown = false;
    }

    /// Marks state intervals in which the growth is not known throughout: before the first point, after the last point, and where the total
    /// was reset.
    void markUnknown(const ViewSeries& series, TimeRange window)
    {
        forEachGrowth(series, window, [&](const std::optional<SeriesPoint>& from, const SeriesPoint& to, std::size_t interval) {
            if (from && computeGrowth(series.number, from->value, to.value) >= 0)
                return;
            for (std::size_t i = interval; i < m_stateIntervals.size() && m_stateIntervals[i].range.begin < to.time; ++i)
                m_stateIntervals[i].isKnown = false;
        });
    }

    void count(const ViewSeries& series, std::size_t name, std::size_t names, TimeRange window)
    {
        forEachGrowth(series, window, [&](const std::optional<SeriesPoint>& from, const SeriesPoint& to, std::size_t interval) {
            const double growth = from ? computeGrowth(series.number, from->value, to.value) : 0;
            for (std::size_t i = interval; from && growth > 0 && i < m_stateIntervals.size(); ++i) {
                const TimeRange& range = m_stateIntervals[i].range;
                if (range.begin > to.time || (range.begin == to.time && from->time < to.time))
                    break;
                // If both points have the same time, the interval that contains this time gets all growth.
                const bool isMoment = from->time == to.time;
                const double part = isMoment ? 1 : overlap(range, {from->time, to.time});
                StateCounts& sums = m_sums[m_stateIntervals[i].sums];
                sums.counted.resize(names);
                if (m_stateIntervals[i].isKnown)
                    sums.counted[name] += growth * part;
                if (isMoment)
                    break;
            }
        });
    }

    static double overlap(TimeRange a, TimeRange b)
    {
        const TimeRange both = a.clippedTo(b);
        return both.isEmpty() ? 0 : double(both.duration().count()) / double(b.duration().count());
    }

    const Timeline& m_timeline;
    std::stop_token m_stop;
    std::vector<StateInterval> m_stateIntervals; ///< State intervals of the CPU that is currently processed.
    std::vector<StateCounts> m_sums;
    std::map<std::pair<TrackRef, State>, std::size_t> m_index;
};

} // namespace

std::vector<StateCounts> computeStateCounts(const Timeline& timeline, std::span<const RatioRow> rows, TimeRange window,
                                            std::stop_token stop)
{
    ByState sums(timeline, stop);
    for (const RatioRow& row : rows)
        sums.add(row, row.known.clippedTo(window));
    std::vector<StateCounts> all = sums.take();
    for (StateCounts& it : all)
        it.counted.resize(rows.front().series.size());
    return all;
}

} // namespace helio
