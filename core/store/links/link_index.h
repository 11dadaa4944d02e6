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

/// Directory entry of a block of links: its position, its time range and the tracks of its links. Files contain this layout.
struct LinkBlockEntry {
    std::int64_t firstFrom = 0; ///< Lowest fromTime of the links.
    std::int64_t begin = 0; ///< Lowest fromTime or toTime of the links.
    std::int64_t end = 0; ///< Highest fromTime or toTime of the links; inclusive.
    std::uint64_t offset = 0; ///< Offset of the block in bytes from the start of the file.
    /// Index of the block's first track in LinkTracks. The block's tracks are sorted and may end with NoTrack.
    std::uint64_t firstTrack = 0;
    std::uint32_t length = 0; ///< Size of the block in bytes.
    std::uint32_t hash = 0; ///< Lower half of the XXH3-64 hash of the block's bytes.
    std::uint32_t count = 0;
    std::uint32_t trackCount = 0;
    LinkKind kind{}; ///< Kind of all links in the block. The links in a block are not sorted.
    std::array<std::uint8_t, 7> reserved{};
};
static_assert(sizeof(LinkBlockEntry) == 64 && std::has_unique_object_representations_v<LinkBlockEntry>);

/// Bytes of the sections with a directory of links. Each section must begin at a multiple of 8.
struct LinkDirectoryBytes {
    std::span<const std::byte> blocks;
    std::span<const std::byte> tracks;
    std::shared_ptr<const void> owner; ///< Object that keeps the bytes alive.
};

/// Directory of all blocks of links, sorted by firstFrom; blocks may overlap in time. A view: the bytes are read in place.
///
/// Threads: all methods may be called from any thread at once.
/// Cost: read() makes one pass over the entries; 16 bytes of memory per block.
class LinkIndex {
public:
    LinkIndex() = default;
    /// Returns the directory that the bytes contain; nullopt if they are not a valid directory, or if a block is not between the offsets
    /// `dataBegin` and `dataEnd`.
    static std::optional<LinkIndex> read(LinkDirectoryBytes bytes, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd);

    std::span<const LinkBlockEntry> blocks() const { return m_blocks; }
    bool touches(const LinkBlockEntry& block, TrackId track) const;

    /// Returns the lowest fromTime or toTime, in ns, of all links in this block and all later blocks.
    std::int64_t earliestFrom(std::size_t block) const { return m_earliest[block]; }
    /// Returns the highest fromTime or toTime, in ns, of all links in this block and all earlier blocks.
    std::int64_t latestUpTo(std::size_t block) const { return m_latest[block]; }
    /// Returns the first block for which latestUpTo() is later than `time`. All blocks before it end at or before `time`.
    std::size_t firstBlockAfter(std::int64_t time) const;
    /// Returns the end of the blocks that may have links before `time`. No link of this block or of a later block begins or ends before
    /// `time`.
    std::size_t endOfBlocksBefore(std::int64_t time) const;

    /// Appends the links of a block to `out`. Returns false, without appending anything, if the bytes do not match the entry.
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
    std::vector<std::int64_t> m_earliest; ///< Lowest fromTime or toTime, in ns, in each block and all later blocks; indexed by block.
    std::vector<std::int64_t> m_latest;
};

} // namespace helio
