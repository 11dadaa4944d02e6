#include "core/analysis/cpu_threads.h"

#include <algorithm>

namespace helio {

namespace {

TrackId rowOf(const Store& store, std::int32_t cpu)
{
    const auto rows = store.tracksOf(TrackRole::CpuThread, cpu);
    return rows.empty() ? NoTrack : rows.front();
}

} // namespace

CpuThreads::CpuThreads(const Store& store, std::int32_t cpu)
    : m_store(store)
    , m_row(rowOf(store, cpu))
{
    constexpr std::uint64_t AtATime = 4096;
    if (m_row == NoTrack)
        return;
    const Track& track = store.tracks()[static_cast<std::size_t>(m_row)];
    const auto parts = static_cast<std::int64_t>(track.intervals / AtATime + 1);
    m_step = std::max(Duration(1), track.life.duration() / parts);
}

TrackId CpuThreads::at(HostTimestamp time)
{
    if (m_row == NoTrack)
        return NoTrack;
    if (!m_loaded.contains(time))
        load(time);
    if (m_next < m_intervals.size() && time < m_intervals[m_next].range.begin)
        m_next = 0;
    while (m_next < m_intervals.size() && m_intervals[m_next].range.end <= time)
        ++m_next;
    if (m_next == m_intervals.size() || time < m_intervals[m_next].range.begin)
        return NoTrack;
    const HostInterval& it = m_intervals[m_next];
    const auto set = static_cast<std::size_t>(m_store.tracks()[static_cast<std::size_t>(m_row)].states);
    const Meaning meaning = m_store.stateSets()[set].states[static_cast<std::size_t>(it.state)].meaning;
    return isOnCpu(meaning) ? TrackId{it.value} : NoTrack;
}

void CpuThreads::load(HostTimestamp time)
{
    m_loaded = {time, time > HostTimestamp::max() - m_step ? HostTimestamp::max() : time + m_step};
    m_intervals = m_store.intervals(m_row, m_loaded);
    m_next = 0;
}

} // namespace helio
