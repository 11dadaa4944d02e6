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

/// Blocks of a store and their directories. The hash of a block is checked when the block is first requested.
///
/// Threads: all methods may be called from any thread at once.
class BlockData {
public:
    BlockData(BlockIndex blocks, LinkIndex links, FileBytes bytes);

    const BlockIndex& index() const { return m_blocks; }
    const LinkIndex& links() const { return m_links; }

    /// Returns the bytes of a block of intervals, followed by BlockSlack readable bytes; empty if the block is damaged or not here.
    std::span<const std::byte> bytesOf(const BlockEntry& block) const;
    /// Appends the links of a block to `out`; nothing if the block is damaged or not here.
    void load(const LinkBlockEntry& block, std::vector<Link>& out) const;
    /// Returns the decoded links of a block. The last few results are cached, because a user who steps from link to link requests the same
    /// blocks again.
    std::shared_ptr<const std::vector<Link>> keptLinksOf(const LinkBlockEntry& block) const;

    bool isDamaged() const { return m_isDamaged.load(std::memory_order_relaxed) || (m_bytes.file && m_bytes.file->wasTruncated()); }
    void setDamaged() const { m_isDamaged.store(true, std::memory_order_relaxed); }

private:
    enum class Check : std::uint8_t { Unknown, Good, Bad };
    using Checks = std::unique_ptr<std::atomic<Check>[]>;

    /// Cache entry: a decoded block of links.
    struct CachedLinks {
        std::size_t block = 0;
        std::shared_ptr<const std::vector<Link>> links; ///< Links of the block; nullptr if the entry is empty.
    };
    static constexpr std::size_t KeptBlocks = 32; ///< Number of cache entries per store. A decoded block needs about 25 KB.

    std::size_t numberOf(const LinkBlockEntry& block) const { return static_cast<std::size_t>(&block - m_links.blocks().data()); }
    std::span<const std::byte> verifiedBytes(std::uint64_t offset, std::uint32_t length, std::uint32_t hash,
                                             std::atomic<Check>& check) const;

    BlockIndex m_blocks;
    LinkIndex m_links;
    FileBytes m_bytes;
    Checks m_blockChecks;
    Checks m_linkChecks;
    mutable std::atomic<bool> m_isDamaged{false};
    mutable std::mutex m_keeping; ///< Guards m_linkCache.
    /// Cache of decoded blocks of links. The block with number n can only be in element n % KeptBlocks.
    mutable std::array<CachedLinks, KeptBlocks> m_linkCache;
};

} // namespace helio
