#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/intervals/block_summary.h"
#include "core/store/store_format.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

/// Directory entry of a block of intervals: its position and its summary. Stored in this layout.
struct BlockEntry {
    LevelNode node;
    std::uint64_t offset = 0; ///< From the start of the file; 0 if `length` is 0 (a block of one interval).
    std::uint64_t firstShare = 0; ///< Index into Shares.
    std::uint64_t times = 0; ///< Offset in Times of the block's state times.
    std::uint32_t length = 0; ///< Bytes.
    std::uint32_t hash = 0; ///< Low half of the XXH3-64 of the block's bytes.
};
static_assert(sizeof(BlockEntry) == 72 && std::has_unique_object_representations_v<BlockEntry>);

/// Node of a level, which sums up 16 nodes of the level below. Stored in this layout.
struct LevelEntry {
    LevelNode node;
    std::uint64_t firstShare = 0;
};
static_assert(sizeof(LevelEntry) == 48 && std::has_unique_object_representations_v<LevelEntry>);

/// The sections of a directory of blocks. Each must begin at a multiple of 8.
struct DirectoryBytes {
    std::span<const std::byte> counts;
    std::span<const std::byte> blocks;
    std::span<const std::byte> levels;
    std::span<const std::byte> shares;
    std::span<const std::byte> times;
    std::shared_ptr<const void> owner; ///< Keeps the bytes alive.
};

/// All blocks of a store by track and time, with the levels above them: a view of a directory's bytes, read in place.
///
/// Threads: all methods may be called from any thread at once.
/// Cost: read() makes one pass over the entries; 50 bytes of memory a track.
class BlockIndex {
public:
    struct TrackBlocks {
        std::uint64_t first = 0; ///< Index of the first block.
        std::uint32_t count = 0;
        std::uint32_t levels = 0; ///< Number of levels above the blocks.
        std::array<std::uint32_t, 8> levelStart{}; ///< Index of the first node of each level, from level 1 on.
    };
    struct Node {
        const LevelNode* node;
        const std::uint8_t* shares;
    };

    BlockIndex() = default;
    /// Returns nullopt if the bytes are no directory, or if a block does not lie between `dataBegin` and `dataEnd`.
    static std::optional<BlockIndex> read(DirectoryBytes bytes, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd);

    std::size_t size() const { return m_entries.size(); }
    std::size_t trackCount() const { return m_tracks.size(); }
    const BlockEntry& operator[](std::size_t block) const { return m_entries[block]; }
    const TrackBlocks& of(std::size_t track) const { return m_tracks[track]; }
    std::span<const BlockEntry> blocksOf(std::size_t track) const
    {
        return m_entries.subspan(m_tracks[track].first, m_tracks[track].count);
    }
    const std::uint8_t* sharesOf(const BlockEntry& entry) const { return m_shares.data() + entry.firstShare; }

    /// Adds the state times of a block to `sums`. Returns false if they are damaged.
    bool addTimes(const BlockEntry& entry, StateTimes& sums) const;

    /// Returns the number of nodes of a level. Level 0 is the blocks. Node i of a level sums up nodes 16 i to 16 i + 15 of the level below.
    static std::size_t nodesAt(const TrackBlocks& track, unsigned level);
    Node nodeAt(const TrackBlocks& track, unsigned level, std::size_t i) const
    {
        if (level == 0) {
            const BlockEntry& entry = m_entries[track.first + i];
            return {&entry.node, sharesOf(entry)};
        }
        const LevelEntry& upper = m_levels[track.levelStart[level - 1] + i];
        return {&upper.node, m_shares.data() + upper.firstShare};
    }

    /// Computes the positions of all tracks' blocks and levels from their numbers of blocks. `levelNodes` receives the number of all nodes
    /// above blocks.
    static std::vector<TrackBlocks> layOut(std::span<const std::uint32_t> counts, std::uint64_t& levelNodes);

private:
    bool isSound(const LevelNode& node, std::uint64_t firstShare) const;
    bool isSound(const BlockEntry& entry, std::uint64_t dataBegin, std::uint64_t dataEnd) const;
    bool areBlocksSound(const TrackBlocks& track, std::uint64_t dataBegin, std::uint64_t dataEnd) const;
    bool areLevelsSound(const TrackBlocks& track) const;

    std::shared_ptr<const void> m_owner;
    std::vector<TrackBlocks> m_tracks;
    std::span<const BlockEntry> m_entries;
    std::span<const LevelEntry> m_levels;
    std::span<const std::uint8_t> m_shares;
    std::span<const std::byte> m_times;
};

} // namespace helio
