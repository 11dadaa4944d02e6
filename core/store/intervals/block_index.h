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

/// Directory entry of a block of intervals: its position and its summary. Files contain this layout.
struct BlockEntry {
    LevelNode node;
    std::uint64_t offset = 0; ///< Offset of the block in bytes from the start of the file; 0 if the block has no bytes (a single interval).
    /// Index in the section Shares of the block's first share; there is one share of time for each state that occurs in the block.
    std::uint64_t firstShare = 0;
    std::uint64_t times = 0; ///< Offset of the block's state times in the section Times.
    std::uint32_t length = 0; ///< Size of the block in bytes.
    std::uint32_t hash = 0; ///< Lower half of the XXH3-64 hash of the block's bytes.
};
static_assert(sizeof(BlockEntry) == 72 && std::has_unique_object_representations_v<BlockEntry>);

/// Node of a level, which summarizes 16 nodes of the level below. Files contain this layout.
struct LevelEntry {
    LevelNode node;
    std::uint64_t firstShare = 0;
};
static_assert(sizeof(LevelEntry) == 48 && std::has_unique_object_representations_v<LevelEntry>);

/// Bytes of the sections with a directory of blocks. Each section must begin at a multiple of 8.
struct DirectoryBytes {
    std::span<const std::byte> counts;
    std::span<const std::byte> blocks;
    std::span<const std::byte> levels;
    std::span<const std::byte> shares;
    std::span<const std::byte> times;
    std::shared_ptr<const void> owner; ///< Object that keeps the bytes alive.
};

/// Directory of all blocks of a store, by track and time, with the levels above. A view: the bytes are read in place.
///
/// Threads: all methods may be called from any thread at once.
/// Cost: read() makes one pass over the entries; 50 bytes of memory per track.
class BlockIndex {
public:
    struct TrackBlocks {
        std::uint64_t first = 0; ///< Index of the track's first block.
        std::uint32_t count = 0;
        std::uint32_t levels = 0; ///< Number of levels above the blocks.
        std::array<std::uint32_t, 8> levelStart{}; ///< Index of the first node of each level; element 0 is level 1.
    };
    struct Node {
        const LevelNode* node;
        const std::uint8_t* shares;
    };

    BlockIndex() = default;
    /// Returns the directory that the bytes contain; nullopt if they are not a valid directory, or if a block is not between the offsets
    /// `dataBegin` and `dataEnd`.
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

    /// Adds the state times of a block to `sums`. Returns false if the state times are damaged.
    bool addTimes(const BlockEntry& entry, StateTimes& sums) const;

    /// Returns the number of nodes in a level. Level 0 contains the blocks. Node i of a level summarizes the nodes 16 i to 16 i + 15 of the
    /// level below.
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

    /// Computes the positions of all tracks' blocks and levels from the tracks' numbers of blocks. `levelNodes` receives the total
    /// number of nodes above the blocks.
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
