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

/// Directory entry of a block of links: its position, its time range and the tracks it touches. Stored in this layout.
struct LinkBlockEntry {
    std::int64_t firstFrom = 0; ///< Lowest fromTime of a link.
    std::int64_t begin = 0; ///< Lowest fromTime or toTime of a link.
    std::int64_t end = 0; ///< Highest fromTime or toTime of a link; inclusive.
    std::uint64_t offset = 0; ///< From the start of the file.
    std::uint64_t firstTrack = 0; ///< Index into LinkTracks of the block's tracks, which are sorted and may end with NoTrack.
    std::uint32_t length = 0; ///< Bytes.
    std::uint32_t hash = 0; ///< Low half of the XXH3-64 of the block's bytes.
    std::uint32_t count = 0;
    std::uint32_t trackCount = 0;
    LinkKind kind{}; ///< Kind of all links of the block. The links are in no order.
    std::array<std::uint8_t, 7> reserved{};
};
static_assert(sizeof(LinkBlockEntry) == 64 && std::has_unique_object_representations_v<LinkBlockEntry>);

/// The sections of a directory of links. Each must begin at a multiple of 8.
struct LinkDirectoryBytes {
    std::span<const std::byte> blocks;
    std::span<const std::byte> tracks;
    std::shared_ptr<const void> owner; ///< Keeps the bytes alive.
};

/// All blocks of links, sorted by firstFrom; blocks may overlap in time. A view of a directory's bytes, read in place.
///
/// Threads: all methods may be called from any thread at once.
/// Cost: read() makes one pass over the entries; 16 bytes of memory a block.
class LinkIndex {
public:
    LinkIndex() = default;
    /// Returns nullopt if the bytes are no directory, or if a block does not lie between `dataBegin` and `dataEnd`.
    static std::optional<LinkIndex> read(LinkDirectoryBytes bytes, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd);

    std::span<const LinkBlockEntry> blocks() const { return m_blocks; }
    bool touches(const LinkBlockEntry& block, TrackId track) const;

    /// Returns the lowest time of all links in this block and the blocks behind it.
    std::int64_t earliestFrom(std::size_t block) const { return m_earliest[block]; }
    /// Returns the highest time of all links in this block and the blocks before it.
    std::int64_t latestUpTo(std::size_t block) const { return m_latest[block]; }
    /// Returns the first block for which latestUpTo() is later than `time`; no block before it has a link later than `time`.
    std::size_t firstBlockAfter(std::int64_t time) const;
    /// Returns the end of the blocks for which earliestFrom() is before `time`; no block from it on has a link before `time`.
    std::size_t endOfBlocksBefore(std::int64_t time) const;

    /// Appends the links of a block to `out`. Returns false, without appending, if the bytes do not match the entry.
    bool decode(const LinkBlockEntry& block, std::span<const std::byte> bytes, std::vector<Link>& out) const;

private:
    std::span<const std::uint32_t> tracksOf(const LinkBlockEntry& block) const
    {
        return m_tracks.subspan(block.firstTrack, block.trackCount);
    }
    bool isSound(const LinkBlockEntry& block, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd) const;
    bool areTracksSound(const LinkBlockEntry& block, std::size_t trackCount) const;
    void buildTimeBounds();

    std::shared_ptr<const void> m_owner;
    std::span<const LinkBlockEntry> m_blocks;
    std::span<const std::uint32_t> m_tracks;
    std::vector<std::int64_t> m_earliest; ///< Indexed by block: earliestFrom().
    std::vector<std::int64_t> m_latest;
};

} // namespace helio
