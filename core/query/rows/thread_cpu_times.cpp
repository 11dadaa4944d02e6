#include "core/query/rows/thread_cpu_times.h"

#include "core/query/rows/event_threads.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio {

std::set<std::uint32_t> tracesWithCpuTimes(const Timeline& timeline)
{
    std::set<std::uint32_t> found;
    for (const Row& row : threads(timeline)) {
        const std::uint32_t trace = traceOf(timeline, row.ref.store);
        const auto isTimeOnCpu = [&](const StateTotal& it) {
            return it.total > Duration(0) && isOnCpu(meaningOf(timeline, row.ref, it.state));
        };
        if (!found.contains(trace) && std::ranges::any_of(totals(timeline, row.ref, row.life), isTimeOnCpu))
            found.insert(trace);
    }
    return found;
}

ThreadCpuTimes::ThreadCpuTimes(const Timeline& timeline, TimeRange window, std::stop_token stop, Stolen stolen)
    : m_timeline(timeline)
    , m_window(window)
    , m_stop(std::move(stop))
{
    for (const Row& row : threads(timeline)) {
        const auto isKnown = [](const StateKind& state) { return isOnCpu(state.meaning); };
        if (const std::int32_t tid = hostTidOf(timeline, row.ref);
            tid >= 0 && std::ranges::any_of(statesOf(timeline, row.ref).states, isKnown))
            m_rows[{row.host, tid}].push_back({row.life, row.ref});
    }
    for (auto& [thread, lives] : m_rows)
        std::ranges::sort(lives, {}, [](const Life& life) { return life.range.begin; });
    if (stolen == Stolen::LeftOut)
        for (const auto& [recorded, shown] : guestRowPairs(timeline))
            m_knowing.emplace(recorded, shown);
}

const ThreadCpuTimes::Life* ThreadCpuTimes::lifeOf(TrackRef of, TimeRange range) const
{
    const std::int32_t tid = hostTidOf(m_timeline, of);
    if (tid < 0)
        return nullptr;
    const auto found = m_rows.find({m_timeline.traces[traceOf(m_timeline, of.store)].host, tid});
    if (found == m_rows.end())
        return nullptr;
    const auto& lives = found->second;
    auto life = std::ranges::upper_bound(lives, range.begin, {}, [](const Life& it) { return it.range.begin; });
    if (life != lives.begin() && (life - 1)->range.end >= range.begin)
        --life;
    return life != lives.end() && life->range.begin <= range.end ? &*life : nullptr;
}

TrackRef ThreadCpuTimes::rowOf(TrackRef of, TimeRange range) const
{
    const Life* const life = lifeOf(of, range);
    return life ? life->row : TrackRef();
}

TrackRef ThreadCpuTimes::rowThroughout(TrackRef of, TimeRange range) const
{
    const Life* const life = lifeOf(of, range);
    return life && life->range.begin <= range.begin && range.end <= life->range.end ? life->row : TrackRef();
}

TrackRef ThreadCpuTimes::stateRowOf(TrackRef row) const
{
    const auto found = m_knowing.find(row);
    return found == m_knowing.end() ? row : found->second;
}

const std::vector<ThreadCpuTimes::OnCpuInterval>& ThreadCpuTimes::clockOf(TrackRef row)
{
    const auto [it, isNew] = m_clocks.try_emplace(row);
    if (!isNew)
        return it->second;
    Duration sum{};
    const TrackRef asked = stateRowOf(row);
    for (const Interval& interval : intervals(m_timeline, asked, m_window, m_stop)) {
        if (!isOnCpu(meaningOf(m_timeline, asked, interval.state)))
            continue;
        const TimeRange inside{std::max(interval.range.begin, m_window.begin), std::min(interval.range.end, m_window.end)};
        it->second.push_back({inside.begin, sum, inside.duration()});
        sum += inside.duration();
    }
    return it->second;
}

Duration ThreadCpuTimes::until(const std::vector<OnCpuInterval>& clock, Timestamp at) const
{
    const auto after = std::ranges::upper_bound(clock, at, {}, &OnCpuInterval::begin);
    if (after == clock.begin())
        return {};
    const OnCpuInterval& interval = *(after - 1);
    return interval.before + std::min(interval.length, at - interval.begin);
}

bool ThreadCpuTimes::hasCpuTimes(TrackRef row)
{
    if (!m_tracesWithCpuTimes)
        m_tracesWithCpuTimes = tracesWithCpuTimes(m_timeline);
    return m_tracesWithCpuTimes->contains(traceOf(m_timeline, row.store));
}

Duration ThreadCpuTimes::onCpu(TrackRef row, TimeRange range)
{
    const auto& clock = clockOf(row);
    return until(clock, range.end) - until(clock, range.begin);
}

} // namespace helio
