#include "core/event_model/cpu_threads.h"

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
    const HostInterval* const it = intervalAt(time);
    return it && isOnCpu(meaningOf(*it)) ? TrackId{it->value} : NoTrack;
}

bool CpuThreads::isIdleAt(HostTimestamp time)
{
    const HostInterval* const it = intervalAt(time);
    return it && meaningOf(*it) == StateCategory::Rests;
}

StateCategory CpuThreads::meaningOf(const HostInterval& interval) const
{
    const auto set = static_cast<std::size_t>(m_store.tracks()[static_cast<std::size_t>(m_row)].states);
    return m_store.stateSets()[set].states[static_cast<std::size_t>(interval.state)].meaning;
}

/// Returns the interval of the CPU's track that contains `time`; nullptr if unknown.
const HostInterval* CpuThreads::intervalAt(HostTimestamp time)
{
    if (m_row == NoTrack)
        return nullptr;
    if (!m_loaded.contains(time))
        load(time);
    if (m_next < m_intervals.size() && time < m_intervals[m_next].range.begin)
        m_next = 0;
    while (m_next < m_intervals.size() && m_intervals[m_next].range.end <= time)
        ++m_next;
    const bool isKnown = m_next < m_intervals.size() && time >= m_intervals[m_next].range.begin;
    return isKnown ? &m_intervals[m_next] : nullptr;
}

void CpuThreads::load(HostTimestamp time)
{
    m_loaded = {time, time > HostTimestamp::max() - m_step ? HostTimestamp::max() : time + m_step};
    m_intervals = m_store.intervals(m_row, m_loaded);
    m_next = 0;
}

} // namespace helio
