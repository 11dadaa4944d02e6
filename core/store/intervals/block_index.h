#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/intervals/block_facts.h"
#include "core/store/store_format.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

/// Where a block lies and what it holds. As it stands in the file.
struct BlockEntry {
    LevelNode node;
    std::uint64_t offset = 0; ///< From the start of the file. 0 where length is 0: a block of one interval.
    std::uint64_t firstShare = 0; ///< In Shares.
    std::uint64_t times = 0; ///< Where its state times lie in Times.
    std::uint32_t length = 0; ///< Bytes.
    std::uint32_t hash = 0; ///< Low half of the XXH3-64 of its bytes.
};
static_assert(sizeof(BlockEntry) == 72 && std::has_unique_object_representations_v<BlockEntry>);

/// Stands above 16 nodes of the level below. As it stands in the file.
struct LevelEntry {
    LevelNode node;
    std::uint64_t firstShare = 0;
};
static_assert(sizeof(LevelEntry) == 48 && std::has_unique_object_representations_v<LevelEntry>);

/// The sections that make a directory of blocks. Each at a multiple of 8.
struct DirectoryBytes {
    std::span<const std::byte> counts;
    std::span<const std::byte> blocks;
    std::span<const std::byte> levels;
    std::span<const std::byte> shares;
    std::span<const std::byte> times;
    std::shared_ptr<const void> owner; ///< Of the bytes.
};

/// All blocks of a store, by track and time, with the levels above them: a view of a directory's bytes, read in place.
///
/// Threads: any at once. Cost: a pass over the entries when it is made; 50 bytes of memory a track.
class BlockIndex {
public:
    struct TrackBlocks {
        std::uint64_t first = 0; ///< Index of the first block.
        std::uint32_t count = 0;
        std::uint32_t levels = 0; ///< Above the blocks.
        std::array<std::uint32_t, 8> levelStart{}; ///< Index of the first node of level 1, 2...
    };
    struct Node {
        const LevelNode* node;
        const std::uint8_t* shares;
    };

    BlockIndex() = default;
    /// Nothing where the bytes are no directory whose blocks lie between `dataBegin` and `dataEnd`.
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

    /// Adds the block's times to those of its states. False where they are damaged.
    bool addTimes(const BlockEntry& entry, StateTimes& sums) const;

    /// Level 0 are the blocks. Node i of a level stands above nodes 16 i to 16 i + 15 of the level below.
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

    /// What follows from how many blocks each track has. `levelNodes` gets how many nodes there are above blocks.
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
