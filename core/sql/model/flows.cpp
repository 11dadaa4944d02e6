#include "core/sql/model/flows.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace helio::sql {
namespace {

/// Returns the part of sorted flows whose ends are on a row in a time range.
template <typename EndOf>
std::span<const std::uint32_t> partOf(const std::vector<std::uint32_t>& flows, TrackRef row, TimeRange range, const EndOf& endOf)
{
    const auto begin = std::ranges::lower_bound(flows, std::pair(row, range.begin), {}, endOf);
    return {begin, std::ranges::lower_bound(begin, flows.end(), std::pair(row, std::max(range.begin, range.end)), {}, endOf)};
}

} // namespace

void Flows::forEach(TimeRange range, const std::function<void(const Arrow&)>& take, const std::stop_token& stop) const
{
    ArrowWalk walk(m_slices->things().timeline(), LinkIds{"flow"}, range, stop);
    while (walk.next())
        take(walk.arrow());
}

/// Finds the ends of all flows, unless they are known. Returns false after a stop request.
bool Flows::makeIndex(const std::stop_token& stop) const
{
    if (m_isIndexed)
        return true;
    m_ends.clear();
    const auto take = [&](const Arrow& arrow) { m_ends.push_back({arrow.from, arrow.to, arrow.fromTime, arrow.toTime}); };
    forEach({Timestamp::min(), Timestamp::max()}, take, stop);
    if (stop.stop_requested())
        return false;
    m_byBegin.resize(m_ends.size());
    std::iota(m_byBegin.begin(), m_byBegin.end(), 0u);
    m_byEnd = m_byBegin;
    std::ranges::stable_sort(m_byBegin, {}, [this](std::uint32_t i) { return std::pair(m_ends[i].from, m_ends[i].fromTime); });
    std::ranges::stable_sort(m_byEnd, {}, [this](std::uint32_t i) { return std::pair(m_ends[i].to, m_ends[i].toTime); });
    return m_isIndexed = true;
}

std::span<const std::uint32_t> Flows::flowsFrom(TrackRef row, TimeRange range, const std::stop_token& stop) const
{
    if (!makeIndex(stop))
        return {};
    return partOf(m_byBegin, row, range, [this](std::uint32_t i) { return std::pair(m_ends[i].from, m_ends[i].fromTime); });
}

std::span<const std::uint32_t> Flows::flowsTo(TrackRef row, TimeRange range, const std::stop_token& stop) const
{
    if (!makeIndex(stop))
        return {};
    return partOf(m_byEnd, row, range, [this](std::uint32_t i) { return std::pair(m_ends[i].to, m_ends[i].toTime); });
}

const std::vector<TrackRef>& Flows::rowsOfThread(const SliceRow& slice) const
{
    static const std::vector<TrackRef> None;
    const TrackRef own = m_slices->rowOf(slice);
    const Store* const store = storeOf(m_slices->things().timeline(), own);
    if (!store)
        return None;
    const auto [threads, isNew] = m_rowsOfThreads.try_emplace(own.store);
    if (isNew)
        for (std::uint32_t i = 0; i < store->tracks().size(); ++i)
            threads->second[threadTrack(*store, TrackId{i})].push_back({own.store, TrackId{i}});
    return threads->second[threadTrack(*store, own.track)];
}

std::optional<std::int64_t> Flows::sliceAt(TrackRef row, Timestamp at) const
{
    const Timeline& timeline = m_slices->things().timeline();
    auto call = callAt(timeline, row, at);
    if (!call) // Formats may record a flow at the end of its slice.
        call = callAt(timeline, row, at - Duration(1));
    return call ? m_slices->idOf(*call) : std::nullopt;
}

} // namespace helio::sql
