#include "core/waits/path/cpu_occupancy.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <unordered_map>

namespace helio {

const CpuOccupancy::CpuRows& CpuOccupancy::rowsOf(std::uint32_t trace)
{
    const auto [it, isNew] = m_rows.try_emplace(trace);
    if (isNew)
        forEachStoreOf(m_timeline, trace, [&, rows = &it->second](StoreIndex index, const Store& store) {
            forEachTrack(index, store, TrackRole::CpuThread, [&](TrackRef ref, const Track& track) { rows->emplace_back(track.cpu, ref); });
        });
    return it->second;
}

std::int32_t CpuOccupancy::cpuOf(TrackRef thread, Timestamp at)
{
    if (m_last.thread == thread && m_last.range.contains(at))
        return m_last.cpu;
    for (const auto& [cpu, row] : rowsOf(traceOf(m_timeline, thread))) {
        if (row.store != thread.store)
            continue;
        const auto found = intervalAt(m_timeline, row, at);
        if (!found.empty() && TrackId{found.front().value} == thread.track && isOnCpu(meaningOf(m_timeline, row, found.front().state))) {
            m_last = {thread, found.front().range, cpu};
            return cpu;
        }
    }
    return NoCpu;
}

std::vector<CpuOccupancy::Occupant> CpuOccupancy::on(std::uint32_t trace, std::int32_t cpu, TimeRange range)
{
    // Key that stands for idle time in the sums by thread; an invalid TrackRef stands for unknown threads.
    constexpr TrackRef IdleKey{StoreIndex{1}, NoTrack};
    std::vector<Occupant> holders;
    std::unordered_map<TrackRef, std::size_t, TrackRefHash> places;
    for (const auto& [number, row] : rowsOf(trace)) {
        if (number != cpu)
            continue;
        for (const Interval& it : intervals(m_timeline, row, range)) {
            const StateCategory meaning = meaningOf(m_timeline, row, it.state);
            const TrackRef thread = isOnCpu(meaning) ? TrackRef{row.store, TrackId{it.value}} : TrackRef();
            const bool isIdle = !thread.isValid() && meaning != StateCategory::Unknown;
            const auto [place, isNew] = places.try_emplace(isIdle ? IdleKey : thread, holders.size());
            if (isNew)
                holders.push_back({thread, isIdle, {}});
            holders[place->second].total += it.range.clippedTo(range).duration();
        }
    }
    std::ranges::stable_sort(holders, std::greater(), &Occupant::total);
    return holders;
}

} // namespace helio
