#pragma once

#include "core/store/block_facts.h"
#include "core/store/boundary.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace helio {

/// Writes blocks. Keeps its scratch memory from one to the next.
///
/// Cost: 40 instructions an item. Each item is looked at twice: to sum it up, and, once its group of 16 is known, to be copied.
class BlockEncoder {
public:
    /// The block's bytes, until the next call.
    /// Requires: 1 to BlockItems items and the boundary that ends the last one; the first and the last item are no gaps, and no two
    /// neighbours are.
    std::span<const std::byte> encode(std::span<const Boundary> items, BlockFacts& facts);

private:
    struct Run;
    using Totals = std::array<std::int64_t, 32>;

    void encodeGroups(std::span<const Boundary> items, Run& block);
    Run addItems(const Boundary* items, std::size_t count);
    void putItems(const Boundary* items, std::size_t count, format::Widths widths);
    std::byte* putNode(const Run& run, format::Widths widths, Totals& before, std::byte* at) const;
    void tellFacts(std::span<const Boundary> items, const Run& block, BlockFacts& facts) const;

    std::array<StateTime, 33> m_times; ///< Of the block so far, by state; the last is the gaps'.
    Totals m_groupBefore; ///< Totals when the group began.
    Totals m_stretchBefore;
    std::array<std::uint64_t, format::GroupItems> m_lengths; ///< Of the group's items.
    std::byte* m_nextItem = nullptr;
    std::byte* m_nextGroup = nullptr;
    std::byte* m_nextStretch = nullptr;

    // What is appended is written eight bytes at a time, hence a little more room.
    static constexpr std::size_t MaxNodeBytes = 1 + 8 + 8 + format::MaxKeyBytes + 1 + 4 + 32 + 4;
    static constexpr std::size_t MaxHeadBytes = 16;
    static constexpr std::size_t MaxStretches = format::BlockItems / format::StretchItems;
    std::array<std::byte, format::BlockItems*(8 + format::MaxKeyBytes) + 8> m_items;
    std::array<std::byte, format::MaxGroups * MaxNodeBytes + 8> m_groups;
    std::array<std::byte, MaxStretches * MaxNodeBytes + 8> m_stretches;
    std::array<std::byte, MaxHeadBytes + format::MaxNodes * MaxNodeBytes + format::BlockItems*(8 + format::MaxKeyBytes)> m_block;
};

} // namespace helio
