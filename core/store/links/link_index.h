#pragma once

#include "core/store/links.h"
#include "core/store/store_format.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

/// Where a block of links lies, when they happened and which tracks they touch. As it stands in the file.
struct LinkBlockEntry {
    std::int64_t firstFrom = 0; ///< Lowest fromTime.
    std::int64_t begin = 0; ///< Lowest of all from and to times.
    std::int64_t end = 0; ///< Highest of all; a link may lie there.
    std::uint64_t offset = 0; ///< From the start of the file.
    std::uint64_t firstTrack = 0; ///< In LinkTracks; these are sorted and may end with NoTrack.
    std::uint32_t length = 0; ///< Bytes.
    std::uint32_t hash = 0; ///< Low half of the XXH3-64 of its bytes.
    std::uint32_t count = 0;
    std::uint32_t trackCount = 0;
    LinkKind kind{}; ///< Of all of them. They are in no order.
    std::array<std::uint8_t, 7> reserved{};
};
static_assert(sizeof(LinkBlockEntry) == 64 && std::has_unique_object_representations_v<LinkBlockEntry>);

/// The sections that make a directory of links. Each at a multiple of 8.
struct LinkDirectoryBytes {
    std::span<const std::byte> blocks;
    std::span<const std::byte> tracks;
    std::shared_ptr<const void> owner; ///< Of the bytes.
};

/// All blocks of links by firstFrom. They may overlap. A view of a directory's bytes, read in place.
///
/// Threads: any at once. Cost: a pass over the entries when it is made, which keeps 16 bytes a block.
class LinkIndex {
public:
    LinkIndex() = default;
    /// Nothing where the bytes are no directory whose blocks lie between `dataBegin` and `dataEnd`.
    static std::optional<LinkIndex> read(LinkDirectoryBytes bytes, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd);

    std::span<const LinkBlockEntry> blocks() const { return m_blocks; }
    bool touches(const LinkBlockEntry& block, TrackId track) const;

    /// All links of this block and of those behind it begin and end at that time or later.
    std::int64_t earliestFrom(std::size_t block) const { return m_earliest[block]; }
    /// All links of this block and of those before it begin and end at that time or sooner.
    std::int64_t latestUpTo(std::size_t block) const { return m_latest[block]; }
    std::size_t firstLaterThan(std::int64_t time) const; ///< All blocks before this one are not later.
    std::size_t endOfSoonerThan(std::int64_t time) const; ///< All blocks from this one on are not sooner.

    /// Appends the block's links to `out`. False (and none appended) where the bytes are not what the entry says.
    bool decode(const LinkBlockEntry& block, std::span<const std::byte> bytes, std::vector<Link>& out) const;

private:
    std::span<const std::uint32_t> tracksOf(const LinkBlockEntry& block) const
    {
        return m_tracks.subspan(block.firstTrack, block.trackCount);
    }
    bool isSound(const LinkBlockEntry& block, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd) const;
    bool areTracksSound(const LinkBlockEntry& block, std::size_t trackCount) const;
    void lookUpTimes();

    std::shared_ptr<const void> m_owner;
    std::span<const LinkBlockEntry> m_blocks;
    std::span<const std::uint32_t> m_tracks;
    std::vector<std::int64_t> m_earliest; ///< By block.
    std::vector<std::int64_t> m_latest;
};

} // namespace helio
