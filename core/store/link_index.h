#pragma once

#include "core/store/byte_codec.h"
#include "core/store/store_format.h"
#include "core/store/track.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// Where a block of links lies, when they happened and which tracks they touch.
struct LinkBlockEntry {
    std::int64_t firstFrom = 0; ///< Lowest fromTime.
    std::int64_t begin = 0; ///< Lowest of all from and to times.
    std::int64_t end = 0; ///< Highest of all; a link may lie there.
    std::uint64_t offset = 0; ///< From the start of the file.
    std::uint32_t length = 0; ///< Bytes.
    std::uint32_t hash = 0; ///< Low half of the XXH3-64 of its bytes.
    std::uint32_t count = 0;
    std::uint32_t firstTrack = 0; ///< In the index; these are sorted and may end with NoTrack.
    std::uint32_t trackCount = 0;
    LinkKind kind{}; ///< Of all of them. They are in no order.
};

/// All blocks of links by firstFrom. They may overlap.
class LinkIndex {
public:
    /// A new block, in any order. `tracks`: those it touches, ascending.
    void add(LinkBlockEntry block, std::uint64_t offset, std::span<const std::byte> bytes, std::span<const std::uint32_t> tracks);
    /// Sorts; from here on it can be asked.
    void complete();

    void write(ByteWriter& out) const;
    static std::optional<LinkIndex> read(ByteReader in, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd);

    std::span<const LinkBlockEntry> blocks() const { return m_blocks; }
    bool touches(const LinkBlockEntry& block, TrackId track) const;

    /// Appends the block's links to `out`. False (and none appended) where the bytes are not what the entry says.
    bool decode(const LinkBlockEntry& block, std::span<const std::byte> bytes, std::vector<Link>& out) const;

private:
    std::span<const std::uint32_t> tracksOf(const LinkBlockEntry& block) const
    {
        return std::span(m_tracks).subspan(block.firstTrack, block.trackCount);
    }

    std::vector<LinkBlockEntry> m_blocks;
    std::vector<std::uint32_t> m_tracks;
};

} // namespace helio
