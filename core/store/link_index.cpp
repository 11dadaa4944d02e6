#include "core/store/link_index.h"

#include "core/store/time_limits.h"

#include <algorithm>
#include <xxhash.h>

namespace helio {
namespace {

constexpr std::uint8_t LastKind = static_cast<std::uint8_t>(LinkKind::Packet);
constexpr std::size_t LeastLinkBytes = 6;

std::int64_t moved(std::int64_t time, std::int64_t by)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + static_cast<std::uint64_t>(by));
}

} // namespace

void LinkIndex::add(LinkBlockEntry block, std::uint64_t offset, std::span<const std::byte> bytes, std::span<const std::uint32_t> tracks)
{
    block.offset = offset;
    block.length = static_cast<std::uint32_t>(bytes.size());
    block.hash = static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
    block.firstTrack = static_cast<std::uint32_t>(m_tracks.size());
    block.trackCount = static_cast<std::uint32_t>(tracks.size());
    m_tracks.insert(m_tracks.end(), tracks.begin(), tracks.end());
    m_blocks.push_back(block);
}

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
        isGood = !in.hasFailed() && fromTrack < tracks.size() && toTrack < tracks.size() && from >= block.firstFrom
            && std::min(from, to) >= block.begin && std::max(from, to) <= block.end;
        if (isGood)
            out.push_back({block.kind, TrackId{tracks[fromTrack]}, TrackId{tracks[toTrack]}, hostTime(from), hostTime(to), cpu, detail});
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

void LinkIndex::complete()
{
    std::stable_sort(m_blocks.begin(), m_blocks.end(),
                     [](const LinkBlockEntry& a, const LinkBlockEntry& b) { return a.firstFrom < b.firstFrom; });
}

void LinkIndex::write(ByteWriter& out) const
{
    std::int64_t time = 0;
    std::uint64_t offset = 0;
    out.put(m_blocks.size());
    for (const LinkBlockEntry& block : m_blocks) {
        out.put(static_cast<std::uint64_t>(block.firstFrom - time)); // wraps for the first one only, back when it is read
        out.put(static_cast<std::uint64_t>(block.firstFrom - block.begin));
        out.put(static_cast<std::uint64_t>(block.end - block.begin));
        out.putSigned(static_cast<std::int64_t>(block.offset - offset));
        out.put(block.length);
        out.putFixed32(block.hash);
        out.putByte(static_cast<std::uint8_t>(block.kind));
        out.put(block.count);
        out.put(block.trackCount);
        std::uint32_t track = 0;
        for (const std::uint32_t next : tracksOf(block)) {
            out.put(std::uint32_t(next - track));
            track = next;
        }
        time = block.firstFrom;
        offset = block.offset + block.length;
    }
}

std::optional<LinkIndex> LinkIndex::read(ByteReader in, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd)
{
    LinkIndex index;
    const std::size_t count = in.getCount(13);
    LinkBlockEntry block;
    const auto within = [](std::int64_t time) { return time >= -TimeLimit && time <= TimeLimit; };
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t before = block.firstFrom;
        block.firstFrom = moved(before, static_cast<std::int64_t>(in.get()));
        block.begin = moved(block.firstFrom, -static_cast<std::int64_t>(in.get() & ~(std::uint64_t(1) << 63)));
        block.end = moved(block.begin, static_cast<std::int64_t>(in.get()));
        block.offset = block.offset + block.length + static_cast<std::uint64_t>(in.getSigned());
        block.length = in.get32();
        block.hash = in.getFixed32();
        block.kind = LinkKind(in.getByte());
        block.count = in.get32();
        block.firstTrack = static_cast<std::uint32_t>(index.m_tracks.size());
        block.trackCount = static_cast<std::uint32_t>(in.getCount());
        std::uint32_t track = 0;
        for (std::uint32_t t = 0; t < block.trackCount; ++t) {
            track += in.get32();
            const bool isKnown = track < trackCount || TrackId{track} == NoTrack;
            if (!isKnown || (t > 0 && track <= index.m_tracks.back()))
                return {};
            index.m_tracks.push_back(track);
        }
        const bool isInOrder = (i == 0 || block.firstFrom >= before) && block.begin <= block.firstFrom && block.firstFrom <= block.end;
        const bool isThere = block.offset >= dataBegin && block.offset <= dataEnd && block.length <= dataEnd - block.offset;
        if (in.hasFailed() || !within(block.begin) || !within(block.end) || !isInOrder || !isThere || block.count == 0
            || block.count > format::LinkBlockLinks || static_cast<std::uint8_t>(block.kind) > LastKind || block.length / LeastLinkBytes < block.count)
            return {};
        index.m_blocks.push_back(block);
    }
    if (!in.isAtEnd())
        return {};
    return index;
}

} // namespace helio
