#include "core/store/links/link_encoder.h"

#include <algorithm>
#include <cassert>

namespace helio {

LinkEncoder::Encoded LinkEncoder::encode(std::span<const Link> links)
{
    assert(!links.empty() && links.size() <= format::LinkBlockLinks);
    const LinkBlockEntry block = summed(links);
    std::byte* at = m_bytes.data();
    std::int64_t before = block.firstFrom;
    for (const Link& link : links) {
        const std::int64_t from = nanoseconds(link.fromTime);
        at = putSigned(at, from - before);
        at = putSigned(at, nanoseconds(link.toTime) - from);
        at = putNumber(at, placeOf(link.from) - 1);
        at = putNumber(at, placeOf(link.to) - 1);
        at = putNumber(at, link.cpu);
        at = putNumber(at, static_cast<std::uint32_t>(link.detail));
        if (link.kind == LinkKind::Wakeup) {
            at = putNumber(at, static_cast<std::uint32_t>(link.targetCpu + 1));
            at = putNumber(at, static_cast<std::uint32_t>(link.ranOn + 1));
        }
        before = from;
    }
    for (const std::uint32_t track : m_tracks)
        placeOf(TrackId{track}) = 0;
    return {block, {m_bytes.data(), at}, m_tracks};
}

/// Returns the directory entry that summarizes the links. Also fills m_tracks and sets the position of each track in m_places.
LinkBlockEntry LinkEncoder::summed(std::span<const Link> links)
{
    LinkBlockEntry block;
    block.kind = links.front().kind;
    block.count = static_cast<std::uint32_t>(links.size());
    block.firstFrom = block.begin = block.end = nanoseconds(links.front().fromTime);
    m_tracks.clear();
    for (const Link& link : links) {
        const std::int64_t from = nanoseconds(link.fromTime);
        const std::int64_t to = nanoseconds(link.toTime);
        block.firstFrom = std::min(block.firstFrom, from);
        block.begin = std::min(block.begin, std::min(from, to));
        block.end = std::max(block.end, std::max(from, to));
        touch(link.from);
        touch(link.to);
    }
    std::sort(m_tracks.begin(), m_tracks.end());
    for (std::size_t i = 0; i < m_tracks.size(); ++i)
        placeOf(TrackId{m_tracks[i]}) = static_cast<std::uint32_t>(i + 1);
    return block;
}

/// Adds a track that no earlier link of the block touches.
void LinkEncoder::addTrack(TrackId track)
{
    const std::size_t place = placeIndex(track);
    if (place >= m_places.size())
        m_places.resize(std::max<std::size_t>(place + 1, 2 * m_places.size()));
    m_places[place] = 1;
    m_tracks.push_back(static_cast<std::uint32_t>(track));
}

} // namespace helio
