#include "core/store/intervals/block_data.h"

#include "core/store/file/xxh3.h"

namespace helio {

BlockData::BlockData(BlockIndex blocks, LinkIndex links, FileBytes bytes)
    : m_blocks(std::move(blocks))
    , m_links(std::move(links))
    , m_bytes(std::move(bytes))
    , m_blockChecks(std::make_unique<std::atomic<Check>[]>(m_blocks.size()))
    , m_linkChecks(std::make_unique<std::atomic<Check>[]>(m_links.blocks().size()))
{
}

std::span<const std::byte> BlockData::verifiedBytes(std::uint64_t offset, std::uint32_t length, std::uint32_t hash,
                                                    std::atomic<Check>& check) const
{
    const std::span bytes(m_bytes.at(offset), length);
    Check known = check.load(std::memory_order_relaxed);
    if (known == Check::Unknown && !m_bytes.require(offset, length))
        return {};
    if (known == Check::Unknown) {
        known = static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size())) == hash ? Check::Good : Check::Bad;
        check.store(known, std::memory_order_relaxed);
        if (known == Check::Bad)
            setDamaged();
    }
    return known == Check::Good ? bytes : std::span<const std::byte>();
}

std::span<const std::byte> BlockData::bytesOf(const BlockEntry& block) const
{
    return verifiedBytes(block.offset, block.length, block.hash, m_blockChecks[static_cast<std::size_t>(&block - &m_blocks[0])]);
}

void BlockData::load(const LinkBlockEntry& block, std::vector<Link>& out) const
{
    const auto bytes = verifiedBytes(block.offset, block.length, block.hash, m_linkChecks[numberOf(block)]);
    if (!bytes.empty() && !m_links.decode(block, bytes, out))
        setDamaged();
}

std::shared_ptr<const std::vector<Link>> BlockData::keptLinksOf(const LinkBlockEntry& block) const
{
    const std::size_t number = numberOf(block);
    CachedLinks& kept = m_linkCache[number % KeptBlocks];
    {
        const std::lock_guard lock(m_keeping);
        if (kept.links && kept.block == number)
            return kept.links;
    }
    auto links = std::make_shared<std::vector<Link>>();
    links->reserve(block.count);
    load(block, *links);
    const std::lock_guard lock(m_keeping);
    if (links->size() == block.count) // Otherwise, the block is damaged, or it is on another machine and may come later.
        kept = {number, links};
    return links;
}

} // namespace helio
