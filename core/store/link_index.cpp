#include "core/store/link_index.h"

#include "core/store/link_order.h"

#include <algorithm>
#include <tuple>
#include <xxhash.h>

namespace helio {
namespace {

constexpr unsigned KindBits = 3;
constexpr std::uint8_t HasLength = 1u << KindBits;
constexpr std::uint8_t HasDetail = 2u << KindBits;
constexpr std::uint8_t LastKind = static_cast<std::uint8_t>(LinkKind::Packet);
constexpr std::size_t LeastLinkBytes = 5;

std::int64_t moved(std::int64_t time, std::int64_t by)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + static_cast<std::uint64_t>(by));
}

std::size_t placeOf(std::span<const std::uint32_t> tracks, TrackId track)
{
    return static_cast<std::size_t>(std::lower_bound(tracks.begin(), tracks.end(), static_cast<std::uint32_t>(track)) - tracks.begin());
}

} // namespace

void LinkIndex::add(std::span<const Link> links, std::uint64_t offset, ByteWriter& out)
{
    LinkBlockEntry block;
    block.count = static_cast<std::uint32_t>(links.size());
    block.offset = offset;
    block.firstFrom = block.begin = block.end = nanoseconds(links.front().fromTime);
    block.firstTrack = static_cast<std::uint32_t>(m_tracks.size());
    for (const Link& link : links) {
        block.begin = std::min({block.begin, nanoseconds(link.fromTime), nanoseconds(link.toTime)});
        block.end = std::max({block.end, nanoseconds(link.fromTime), nanoseconds(link.toTime)});
        m_tracks.push_back(static_cast<std::uint32_t>(link.from));
        m_tracks.push_back(static_cast<std::uint32_t>(link.to));
    }
    const auto first = m_tracks.begin() + block.firstTrack;
    std::sort(first, m_tracks.end());
    m_tracks.erase(std::unique(first, m_tracks.end()), m_tracks.end());
    block.trackCount = static_cast<std::uint32_t>(m_tracks.size() - block.firstTrack);

    const std::size_t before = out.size();
    encode(links, block, out);
    block.length = static_cast<std::uint32_t>(out.size() - before);
    block.hash = static_cast<std::uint32_t>(XXH3_64bits(out.bytes().data() + before, block.length));
    m_blocks.push_back(block);
}

void LinkIndex::encode(std::span<const Link> links, const LinkBlockEntry& block, ByteWriter& out) const
{
    std::int64_t time = block.firstFrom;
    const auto tracks = tracksOf(block);
    for (const Link& link : links) {
        const std::int64_t from = nanoseconds(link.fromTime);
        const bool hasLength = link.fromTime != link.toTime;
        const bool hasDetail = link.detail != StringId{};
        out.put(static_cast<std::uint64_t>(from - time));
        out.putByte(
            static_cast<std::uint8_t>(static_cast<unsigned>(link.kind) | (hasLength ? HasLength : 0) | (hasDetail ? HasDetail : 0)));
        out.put(placeOf(tracks, link.from));
        out.put(placeOf(tracks, link.to));
        out.put(link.cpu);
        if (hasLength)
            out.putSigned((link.toTime - link.fromTime).count());
        if (hasDetail)
            out.put(static_cast<std::uint64_t>(link.detail));
        time = from;
    }
}

bool LinkIndex::decode(const LinkBlockEntry& block, std::span<const std::byte> bytes, std::vector<Link>& out) const
{
    const std::size_t before = out.size();
    const auto tracks = tracksOf(block);
    ByteReader in(bytes);
    std::int64_t time = block.firstFrom;
    bool isGood = true;
    for (std::uint32_t i = 0; i < block.count && isGood; ++i) {
        time = moved(time, static_cast<std::int64_t>(in.get()));
        const std::uint8_t flags = in.getByte();
        const std::uint64_t from = in.get();
        const std::uint64_t to = in.get();
        const std::uint32_t cpu = in.get32();
        const std::int64_t until = flags & HasLength ? moved(time, in.getSigned()) : time;
        const StringId detail{flags & HasDetail ? in.get32() : 0};
        const unsigned kind = flags & ((1u << KindBits) - 1);
        isGood = !in.hasFailed() && kind <= LastKind && from < tracks.size() && to < tracks.size() && std::min(time, until) >= block.begin
            && std::max(time, until) <= block.end;
        if (isGood)
            out.push_back({LinkKind(kind), TrackId{tracks[from]}, TrackId{tracks[to]}, hostTime(time), hostTime(until), cpu, detail});
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
    const std::size_t count = in.getCount(12);
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
            || block.count > format::LinkBlockLinks || block.length / LeastLinkBytes < block.count)
            return {};
        index.m_blocks.push_back(block);
    }
    if (!in.isAtEnd())
        return {};
    return index;
}

} // namespace helio
