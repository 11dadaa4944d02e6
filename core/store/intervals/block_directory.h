#pragma once

#include "core/store/file/file_bytes.h"
#include "core/store/intervals/block_index.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

/// What the directory will keep of one block, from the time it was encoded. Its shares and its times follow, `moreBytes` in all.
struct BlockRecord {
    BlockEntry entry; ///< Without firstShare and times.
    std::uint32_t track = 0;
    std::uint32_t moreBytes = 0;
};
static_assert(std::is_trivially_copyable_v<BlockRecord>);

/// Appends the record of a block to `out`, its place still unknown. `bytes` are the block's.
void putRecord(std::uint32_t track, std::span<const std::byte> bytes, const BlockFacts& facts, ByteWriter& out);

/// Makes the sections of a directory from records, in whatever order of tracks they came.
///
/// Records may lie in a file; in memory are 8 bytes a block, and the levels.
class BlockDirectory {
public:
    using Out = std::function<void(std::span<const std::byte>)>;

    /// `records`: back to back, none across the border of file and memory; they outlive it.
    BlockDirectory(const FileBytes& records, std::size_t trackCount);

    void writeCounts(const Out& out) const;
    void writeBlocks(const Out& out) const;
    void writeLevels(const Out& out) const;
    void writeShares(const Out& out) const;
    void writeTimes(const Out& out) const;

    /// All of them, in memory.
    DirectoryBytes inMemory() const;

private:
    using Totals = std::array<std::int64_t, 32>;

    BlockRecord record(std::uint64_t offset) const;
    std::span<const std::byte> sharesOf(std::uint64_t offset, const BlockRecord& record) const;
    std::span<const std::byte> timesOf(std::uint64_t offset, const BlockRecord& record) const;
    void sortByTrack();
    void buildLevels(const BlockIndex::TrackBlocks& track);
    LevelNode buildNode(const BlockIndex::TrackBlocks& track, unsigned level, std::size_t i, Totals& sums);
    LevelNode readBlock(std::uint64_t offset, Totals& sums) const;

    const FileBytes& m_records;
    std::vector<std::uint32_t> m_counts; ///< By track.
    std::vector<std::uint64_t> m_order; ///< Where the records lie, by track and time.
    std::vector<LevelEntry> m_levels;
    std::vector<std::uint8_t> m_levelShares;
    std::uint64_t m_blockShares = 0;
};

} // namespace helio
