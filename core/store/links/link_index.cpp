#include "core/store/links/link_index.h"

#include "core/store/file/byte_codec.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <functional>

namespace helio {
namespace {

constexpr std::size_t LeastLinkBytes = 6;

std::int64_t moved(std::int64_t time, std::int64_t by)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + static_cast<std::uint64_t>(by));
}

/// Decodes a CPU number that is stored plus 1; 0 stands for NoCpu. The result is at least NoCpu, even in a damaged store.
std::int32_t cpuOf(std::uint32_t number) { return static_cast<std::int32_t>(std::min(number, 0x7fffffffu)) - 1; }

} // namespace

bool LinkIndex::decode(const LinkBlockEntry& block, std::span<const std::byte> bytes, std::vector<Link>& out) const
{
    const std::size_t before = out.size();
    const auto tracks = tracksOf(block);
    ByteReader in(bytes);
    std::int64_t from = block.firstFrom;
    bool isGood = true;
    for (std::uint32_t i = 0; i < block.count && isGood; ++i) {
        from = moved(from, in.getSigned());
        const std::int64_t to = moved(from, in.getSigned());
        const std::uint64_t fromTrack = in.get();
        const std::uint64_t toTrack = in.get();
        const std::uint32_t cpu = in.get32();
        const StringId detail{in.get32()};
        const bool hasCpus = block.kind == LinkKind::Wakeup;
        const std::int32_t targetCpu = hasCpus ? cpuOf(in.get32()) : NoCpu;
        const std::int32_t ranOn = hasCpus ? cpuOf(in.get32()) : NoCpu;
        isGood = !in.hasFailed() && fromTrack < tracks.size() && toTrack < tracks.size() && from >= block.firstFrom
            && std::min(from, to) >= block.begin && std::max(from, to) <= block.end;
        if (isGood)
            out.push_back({block.kind, TrackId{tracks[fromTrack]}, TrackId{tracks[toTrack]}, hostTime(from), hostTime(to), cpu, detail,
                           targetCpu, ranOn});
    }
    if (!isGood)
        out.resize(before);
    return isGood;
}

bool LinkIndex::touches(const LinkBlockEntry& block, TrackId track) const
{
    const auto tracks = tracksOf(block);
    return std::binary_search(tracks.begin(), tracks.end(), static_cast<std::uint32_t>(track));
}

std::optional<LinkIndex> LinkIndex::read(LinkDirectoryBytes bytes, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd)
{
    LinkIndex index;
    if (!castEntries(bytes.blocks, index.m_blocks) || !castEntries(bytes.tracks, index.m_tracks))
        return {};
    index.m_owner = std::move(bytes.owner);
    std::int64_t before = -TimeLimit;
    for (const LinkBlockEntry& block : index.m_blocks) {
        if (block.firstFrom < before || !index.isSound(block, trackCount, dataBegin, dataEnd))
            return {};
        before = block.firstFrom;
    }
    index.buildTimeBounds();
    return index;
}

void LinkIndex::buildTimeBounds()
{
    m_earliest.resize(m_blocks.size());
    m_latest.resize(m_blocks.size());
    for (std::size_t i = 0; i < m_blocks.size(); ++i)
        m_latest[i] = i > 0 ? std::max(m_latest[i - 1], m_blocks[i].end) : m_blocks[i].end;
    for (std::size_t i = m_blocks.size(); i-- > 0;)
        m_earliest[i] = i + 1 < m_blocks.size() ? std::min(m_earliest[i + 1], m_blocks[i].begin) : m_blocks[i].begin;
}

std::size_t LinkIndex::firstBlockAfter(std::int64_t time) const
{
    return static_cast<std::size_t>(std::ranges::upper_bound(m_latest, time) - m_latest.begin());
}

std::size_t LinkIndex::endOfBlocksBefore(std::int64_t time) const
{
    return static_cast<std::size_t>(std::ranges::lower_bound(m_earliest, time) - m_earliest.begin());
}

bool LinkIndex::isSound(const LinkBlockEntry& block, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd) const
{
    const bool isInTime =
        block.begin >= -TimeLimit && block.end <= TimeLimit && block.begin <= block.firstFrom && block.firstFrom <= block.end;
    const bool isThere = block.offset >= dataBegin && block.offset <= dataEnd && block.length <= dataEnd - block.offset;
    return isInTime && isThere && static_cast<std::size_t>(block.kind) < MostLinkKinds && block.count >= 1
        && block.count <= format::LinkBlockLinks && block.length / LeastLinkBytes >= block.count && areTracksSound(block, trackCount);
}

bool LinkIndex::areTracksSound(const LinkBlockEntry& block, std::size_t trackCount) const
{
    if (block.firstTrack > m_tracks.size() || block.trackCount > m_tracks.size() - block.firstTrack)
        return false;
    const auto tracks = tracksOf(block);
    return std::adjacent_find(tracks.begin(), tracks.end(), std::greater_equal<>()) == tracks.end()
        && std::all_of(tracks.begin(), tracks.end(), [&](std::uint32_t t) { return t < trackCount || TrackId{t} == NoTrack; });
}

} // namespace helio
