#include "core/sql/row_locator.h"

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"

#include <utility>

namespace helio::sql {

RowLocator::RowLocator(std::shared_ptr<const Timeline> timeline)
    : m_things(std::make_shared<const RecordedThings>(std::move(timeline)))
    , m_slices(std::make_shared<const Slices>(m_things))
    , m_counters(counterTracks(*m_things, m_slices->trackIdEnd()))
{
}

TrackRef RowLocator::threadRow(std::int64_t utid) const
{
    const auto& threads = m_things->threads();
    return utid >= 0 && static_cast<std::uint64_t>(utid) < threads.size() ? threads[static_cast<std::size_t>(utid)].row : TrackRef();
}

TrackRef RowLocator::cpuRow(std::int64_t ucpu) const
{
    for (const CpuEntry& cpu : m_things->cpus())
        if (cpuId(cpu.host, cpu.cpu) == ucpu)
            return cpu.row;
    return {};
}

TrackRef RowLocator::trackRow(std::int64_t trackId) const
{
    if (trackId < m_slices->trackIdEnd())
        return m_slices->rowOfTrack(trackId);
    const auto number = static_cast<std::uint64_t>(trackId - m_slices->trackIdEnd());
    if (number >= m_counters.size())
        return {};
    const CounterTrack& track = m_counters[static_cast<std::size_t>(number)];
    if (track.thread)
        return threadRow(*track.thread);
    const CpuEntry* const cpu = track.cpu >= 0 ? m_things->findCpu(track.host, track.cpu) : nullptr;
    return cpu ? cpu->row : TrackRef();
}

} // namespace helio::sql
