#pragma once

#include "core/store/file/file_bytes.h"
#include "core/store/intervals/block_index.h"
#include "core/store/links/link_index.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace helio {

/// The blocks of a store with their directories. Checks the hash of each block when the block is first requested.
///
/// Threads: all methods may be called from any thread at once.
class BlockData {
public:
    BlockData(BlockIndex blocks, LinkIndex links, FileBytes bytes);

    const BlockIndex& index() const { return m_blocks; }
    const LinkIndex& links() const { return m_links; }

    /// Returns the bytes of a block of intervals, followed by BlockSlack readable bytes; empty if the block is damaged.
    std::span<const std::byte> bytesOf(const BlockEntry& block) const;
    /// Appends the links of a block; none if the block is damaged.
    void load(const LinkBlockEntry& block, std::vector<Link>& out) const;
    /// Returns the links of a block, decoded. The last few results are cached, because stepping from link to link requests the same blocks
    /// again.
    std::shared_ptr<const std::vector<Link>> keptLinksOf(const LinkBlockEntry& block) const;

    bool isDamaged() const { return m_isDamaged.load(std::memory_order_relaxed) || (m_bytes.file && m_bytes.file->wasTruncated()); }
    void setDamaged() const { m_isDamaged.store(true, std::memory_order_relaxed); }

private:
    enum class Check : std::uint8_t { Unknown, Good, Bad };
    using Checks = std::unique_ptr<std::atomic<Check>[]>;

    /// A decoded block of links.
    struct Kept {
        std::size_t block = 0;
        std::shared_ptr<const std::vector<Link>> links; ///< nullptr if nothing is cached yet.
    };
    static constexpr std::size_t KeptBlocks = 32; ///< Size of the cache, for each store. A decoded block takes about 25 KB.

    std::size_t numberOf(const LinkBlockEntry& block) const { return static_cast<std::size_t>(&block - m_links.blocks().data()); }
    std::span<const std::byte> verifiedBytes(std::uint64_t offset, std::uint32_t length, std::uint32_t hash,
                                             std::atomic<Check>& check) const;

    BlockIndex m_blocks;
    LinkIndex m_links;
    FileBytes m_bytes;
    Checks m_blockChecks;
    Checks m_linkChecks;
    mutable std::atomic<bool> m_isDamaged{false};
    mutable std::mutex m_keeping; ///< Guards m_kept.
    mutable std::array<Kept, KeptBlocks> m_kept; ///< Cache, indexed by block number modulo KeptBlocks.
};

} // namespace helio
