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

/// Directory data of one encoded block, before the directory is written. The block's shares and state times follow the record in memory,
/// `moreBytes` bytes in total.
struct BlockRecord {
    BlockEntry entry; ///< Directory entry of the block; firstShare and times are not set.
    std::uint32_t track = 0;
    std::uint32_t moreBytes = 0;
};
static_assert(std::is_trivially_copyable_v<BlockRecord>);

/// Appends the directory record of a block, without its file offset. `bytes` are the bytes of the encoded block.
void putRecord(std::uint32_t track, std::span<const std::byte> bytes, const BlockSummary& facts, ByteWriter& out);

/// Builds the sections of a directory from the records of blocks. Records of different tracks may be in any order, in memory or in a file.
///
/// Cost: 8 bytes of memory per block, plus the levels.
class BlockDirectory {
public:
    using Out = std::function<void(std::span<const std::byte>)>;

    /// `records` follow each other without gaps; no record is partly in the file and partly in memory. Ownership: `records` must outlive
    /// the directory.
    BlockDirectory(const FileBytes& records, std::size_t trackCount);

    void writeCounts(const Out& out) const;
    void writeBlocks(const Out& out) const;
    void writeLevels(const Out& out) const;
    void writeShares(const Out& out) const;
    void writeTimes(const Out& out) const;

    /// Returns all sections of the directory, built in memory.
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
    std::vector<std::uint32_t> m_counts; ///< Number of blocks per track.
    std::vector<std::uint64_t> m_order; ///< Offsets of the records, ordered by track and time.
    std::vector<LevelEntry> m_levels;
    std::vector<std::uint8_t> m_levelShares;
    std::uint64_t m_blockShares = 0;
};

} // namespace helio
