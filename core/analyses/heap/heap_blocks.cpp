#include "core/analyses/heap/heap_blocks.h"

#include <algorithm>

namespace helio::heap {

HeapBlocks::AllocateResult HeapBlocks::allocate(std::uint64_t address, const Block& block, Block& old)
{
    m_freed.erase(address);
    const auto known = m_live.find(address);
    if (known == m_live.end() && m_live.size() >= m_limits.live)
        return AllocateResult::TooMany;
    m_bytes.add(block.bytes);
    if (known == m_live.end()) {
        m_live.emplace(address, block);
        return AllocateResult::Nothing;
    }
    old = known->second;
    m_bytes.remove(old.bytes);
    known->second = block;
    return AllocateResult::Block;
}

HeapBlocks::FreeResult HeapBlocks::free(std::uint64_t address, Block& block)
{
    const auto known = m_live.find(address);
    if (known == m_live.end())
        return m_freed.contains(address) ? FreeResult::Again : FreeResult::Unknown;
    block = known->second;
    m_bytes.remove(block.bytes);
    m_live.erase(known);
    if (m_freed.size() >= m_limits.freed)
        m_freed.clear();
    m_freed.insert(address);
    return FreeResult::Block;
}

std::vector<Block> HeapBlocks::inUse() const
{
    std::vector<Block> all;
    all.reserve(m_live.size());
    for (const auto& [address, block] : m_live)
        all.push_back(block);
    std::ranges::stable_sort(all, {}, &Block::since);
    return all;
}

} // namespace helio::heap
