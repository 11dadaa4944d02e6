#include "core/query/rows/priorities.h"

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio {

std::optional<std::int32_t> priorityAt(const Timeline& timeline, TrackRef thread, Timestamp at)
{
    const TrackRef row = attributeOf(timeline, thread, TrackRole::Priority);
    const auto found = row.isValid() ? intervalAt(timeline, row, at) : std::vector<Interval>();
    return found.empty() ? std::nullopt : std::optional(static_cast<std::int32_t>(found.front().value));
}

std::optional<std::int32_t> PriorityCache::at(TrackRef thread, Timestamp at)
{
    auto known = m_threads.find(thread);
    if (known == m_threads.end())
        known = m_threads.emplace(thread, read(thread)).first;
    const auto after = std::ranges::upper_bound(known->second, at, {}, &From::begin);
    return after == known->second.begin() ? std::nullopt : std::prev(after)->priority;
}

std::vector<PriorityCache::From> PriorityCache::read(TrackRef thread) const
{
    std::vector<From> all;
    const TrackRef priorities = attributeOf(m_timeline, thread, TrackRole::Priority);
    const Track* const track = trackOf(m_timeline, priorities);
    auto row = rowOf(m_timeline, thread);
    if (!track || !row)
        return all;
    row->ref = priorities;
    row->intervals = track->intervals;
    Timestamp end = Timestamp::min();
    forEachRowInterval(m_timeline, *row, {Timestamp::min(), Timestamp::max()}, [&](const Interval& it) {
        if (!all.empty() && end < it.range.begin)
            all.push_back({end, {}});
        all.push_back({it.range.begin, static_cast<std::int32_t>(it.value)});
        end = it.range.end;
    });
    if (!all.empty())
        all.push_back({end, {}});
    return all;
}

bool hasPriorities(const Timeline& timeline)
{
    bool has = false;
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        has = has || std::ranges::find(store.tracks(), TrackRole::Priority, &Track::role) != store.tracks().end();
    });
    return has;
}

} // namespace helio
