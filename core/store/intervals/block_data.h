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

/// Blocks with their directories. Proves each block by its hash when it is first asked for.
///
/// Threads: any at once.
class BlockData {
public:
    BlockData(BlockIndex blocks, LinkIndex links, FileBytes bytes);

    const BlockIndex& index() const { return m_blocks; }
    const LinkIndex& links() const { return m_links; }

    /// The bytes of a block of intervals, with BlockSlack readable bytes behind them. Empty where they are damaged.
    std::span<const std::byte> bytesOf(const BlockEntry& block) const;
    /// Appends the links of a block; none where it is damaged.
    void load(const LinkBlockEntry& block, std::vector<Link>& out) const;
    /// The same. The last few that were asked for are kept decoded: who goes from one link to the next asks for the same blocks.
    std::shared_ptr<const std::vector<Link>> keptLinksOf(const LinkBlockEntry& block) const;

    bool isDamaged() const { return m_isDamaged.load(std::memory_order_relaxed) || (m_bytes.file && m_bytes.file->wasTruncated()); }
    void setDamaged() const { m_isDamaged.store(true, std::memory_order_relaxed); }

private:
    enum class Check : std::uint8_t { Unknown, Good, Bad };
    using Checks = std::unique_ptr<std::atomic<Check>[]>;

    /// A block of links, decoded.
    struct Kept {
        std::size_t block = 0;
        std::shared_ptr<const std::vector<Link>> links; ///< None yet.
    };
    static constexpr std::size_t KeptBlocks = 32; ///< Some 25 KB each, of each store that is asked.

    std::size_t numberOf(const LinkBlockEntry& block) const { return static_cast<std::size_t>(&block - m_links.blocks().data()); }
    std::span<const std::byte> proven(std::uint64_t offset, std::uint32_t length, std::uint32_t hash, std::atomic<Check>& check) const;

    BlockIndex m_blocks;
    LinkIndex m_links;
    FileBytes m_bytes;
    Checks m_blockChecks;
    Checks m_linkChecks;
    mutable std::atomic<bool> m_isDamaged{false};
    mutable std::mutex m_keeping; ///< Of what follows.
    mutable std::array<Kept, KeptBlocks> m_kept; ///< By their number modulo theirs.
};

} // namespace helio
