#include "core/analyses/calls/slice_track.h"

#include <algorithm>

namespace helio::calls {

void SliceTrack::begin(HostTimestamp at, std::int64_t nest, const RecordedFunction& slice)
{
    m_now = std::max(m_now, at);
    Nest& open = m_nests[nest];
    if (open.size() >= OpenCalls::MostDepth) {
        ++m_out->misses.tooDeep;
        return;
    }
    const auto free = m_free.lower_bound(open.empty() ? 0 : open.back().level + 1);
    const std::uint32_t level = free != m_free.end() ? *free : m_levelCount++;
    if (free != m_free.end())
        m_free.erase(free);
    if (level == m_levels.size())
        if (const TrackId row = addDepthRow(*m_out, m_row, m_key, level); row != NoTrack)
            m_levels.push_back(row);
    const StackId stack = m_out->sink.stacks().stack(open.empty() ? NoStack : open.back().call.stack, slice.frame);
    if (const TrackId row = rowOf(level); row != NoTrack)
        m_out->sink.beginInterval(m_now, row, Called, static_cast<std::uint32_t>(stack));
    open.push_back({{m_now, {}, stack}, slice.key, level});
}

void SliceTrack::end(HostTimestamp at, std::int64_t nest, bool hasKey, std::uint64_t key)
{
    m_now = std::max(m_now, at);
    const auto found = m_nests.find(nest);
    Nest* const open = found != m_nests.end() ? &found->second : nullptr;
    const auto own = !open ? Nest::reverse_iterator()
                           : std::find_if(open->rbegin(), open->rend(), [&](const OpenSlice& it) { return !hasKey || it.key == key; });
    if (!open || own == open->rend()) {
        ++m_out->misses.orphans;
        return;
    }
    for (auto inner = own - open->rbegin(); inner > 0; --inner)
        pop(*open, m_now, CallEnding::Truncated);
    pop(*open, m_now, CallEnding::Exit);
    if (open->empty())
        m_nests.erase(found);
}

void SliceTrack::closeAll(HostTimestamp at, CallEnding ending)
{
    m_now = std::max(m_now, at);
    for (auto& [nest, open] : m_nests)
        while (!open.empty())
            pop(open, m_now, ending);
    m_nests.clear();
}

TrackId SliceTrack::innermostRow(std::int64_t nest) const
{
    const auto found = m_nests.find(nest);
    const TrackId row = found != m_nests.end() && !found->second.empty() ? rowOf(found->second.back().level) : NoTrack;
    return row != NoTrack ? row : m_row;
}

void SliceTrack::pop(Nest& nest, HostTimestamp at, CallEnding ending)
{
    const OpenSlice slice = nest.back();
    nest.pop_back();
    m_free.insert(slice.level);
    if (!nest.empty())
        nest.back().call.inCallees += at - slice.call.begin;
    writeCallEnd(*m_out, slice.call, rowOf(slice.level), m_row, at, ending);
}

} // namespace helio::calls
