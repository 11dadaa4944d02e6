#pragma once

#include "core/store/block_facts.h"
#include "core/store/byte_codec.h"
#include "core/store/store_format.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// Where a block lies and what it holds.
struct BlockEntry {
    LevelNode node;
    std::uint64_t offset = 0; ///< From the start of the file.
    std::uint64_t times = 0; ///< Where its state times lie in the index.
    std::uint32_t length = 0; ///< Bytes.
    std::uint32_t hash = 0; ///< Low half of the XXH3-64 of its bytes.
    std::uint32_t track = 0;
    std::uint32_t firstShare = 0; ///< In the index.
};

/// All blocks of a store, by track and time, with the levels above them. About 100 bytes a block.
///
/// Filled by one thread; then constant and free for all.
class BlockIndex {
public:
    struct TrackBlocks {
        std::uint32_t first = 0; ///< Index of the first block.
        std::uint32_t count = 0;
        std::uint32_t levels = 0; ///< Above the blocks.
        std::array<std::uint32_t, 8> levelStart{}; ///< Index of the first node of level 1, 2...
    };
    struct Node {
        const LevelNode* node;
        const std::uint8_t* shares;
    };

    /// A new block, in any order of tracks; a track's blocks in time order.
    /// Of a block of one interval the facts tell all: its bytes are not noted.
    void add(std::uint32_t track, std::uint64_t offset, std::span<const std::byte> bytes, const BlockFacts& facts);

    /// Before complete(): moves a block, counted in the order of add().
    void place(std::size_t block, std::uint64_t offset) { m_entries[block].offset = offset; }

    /// Sorts by track and builds the levels; from here on it can be asked.
    void complete(std::size_t trackCount);

    /// A directory section. Deterministic: depends on the blocks alone.
    void write(ByteWriter& out) const;
    /// Nothing where the bytes are no directory whose blocks lie between `dataBegin` and `dataEnd`.
    static std::optional<BlockIndex> read(ByteReader in, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd);

    std::size_t size() const { return m_entries.size(); }
    std::size_t trackCount() const { return m_tracks.size(); }
    const BlockEntry& operator[](std::size_t block) const { return m_entries[block]; }
    const TrackBlocks& of(std::size_t track) const { return m_tracks[track]; }
    std::span<const BlockEntry> blocksOf(std::size_t track) const
    {
        return std::span(m_entries).subspan(m_tracks[track].first, m_tracks[track].count);
    }
    const std::uint8_t* sharesOf(const BlockEntry& entry) const { return m_shares.data() + entry.firstShare; }

    /// Adds the block's times to those of its states.
    void addTimes(const BlockEntry& entry, StateTimes& sums) const;

    /// Level 0 are the blocks. Node i of a level stands above nodes 16 i to 16 i + 15 of the level below.
    static std::size_t nodesAt(const TrackBlocks& track, unsigned level);
    Node nodeAt(const TrackBlocks& track, unsigned level, std::size_t i) const
    {
        if (level == 0) {
            const BlockEntry& entry = m_entries[track.first + i];
            return {&entry.node, sharesOf(entry)};
        }
        const Upper& upper = m_upper[track.levelStart[level - 1] + i];
        return {&upper.node, m_shares.data() + upper.firstShare};
    }

private:
    struct Upper {
        LevelNode node;
        std::uint32_t firstShare = 0;
    };
    using Times = std::array<std::int64_t, 32>;

    std::uint32_t addShares(const Times& times, const LevelNode& node);
    void groupByTrack(std::size_t trackCount);
    void buildLevels(TrackBlocks& track);
    void buildNode(const TrackBlocks& track, unsigned level, std::size_t i, Times& sums);
    bool readEntry(ByteReader& in, BlockEntry& entry);

    std::vector<BlockEntry> m_entries;
    std::vector<TrackBlocks> m_tracks;
    std::vector<Upper> m_upper;
    std::vector<std::uint8_t> m_shares;
    ByteWriter m_times; ///< Per block, as in the directory.
};

} // namespace helio
