#include "core/store/segments/segment_merge.h"

#include "core/store/segments/segment_order.h"

#include <algorithm>

namespace helio {

bool SegmentMerge::isLater(const Open& a, const Open& b) { return segmentComesBefore(b.front(), a.front()); }

bool SegmentMerge::next(std::vector<HostSegment>& part)
{
    part.clear();
    while (part.size() < SegmentBlockSegments) {
        while (m_open.empty() && m_next < m_blocks.size())
            openNext();
        if (m_open.empty())
            break;
        openAllUntil(m_open.front().front().begin);
        takeFront(part);
    }
    return !part.empty();
}

/// Loads all blocks that may contain a segment that begins at `begin` or earlier.
void SegmentMerge::openAllUntil(HostTimestamp begin)
{
    while (m_next < m_blocks.size() && m_blocks[m_next]->firstBegin <= nanoseconds(begin))
        openNext();
}

void SegmentMerge::openNext()
{
    Open open;
    m_load(*m_blocks[m_next++], open.segments);
    if (open.segments.empty())
        return;
    m_open.push_back(std::move(open));
    std::push_heap(m_open.begin(), m_open.end(), isLater);
}

/// Moves segments of the front block to `part`, up to the first segment of another block.
void SegmentMerge::takeFront(std::vector<HostSegment>& part)
{
    std::pop_heap(m_open.begin(), m_open.end(), isLater);
    Open& open = m_open.back();
    const HostSegment* const other = m_open.size() > 1 ? &m_open.front().front() : nullptr;
    const std::int64_t nextBegin = m_next < m_blocks.size() ? m_blocks[m_next]->firstBegin : INT64_MAX;
    do {
        part.push_back(open.segments[open.at++]);
    } while (open.at < open.segments.size() && nanoseconds(open.front().begin) < nextBegin
             && !(other && segmentComesBefore(*other, open.front())));
    if (open.at == open.segments.size())
        m_open.pop_back();
    else
        std::push_heap(m_open.begin(), m_open.end(), isLater);
}

} // namespace helio
