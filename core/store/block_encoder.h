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
/// Cost: some 55 instructions an item, which is looked at three times: for its code, to sum it up, and, once its group of 32 is known, to
/// be copied.
class BlockEncoder {
public:
    /// The block's bytes, until the next call.
    /// Requires: 1 to BlockItems items and the boundary that ends the last one; the first and the last item are no gaps, and no two
    /// neighbours are.
    std::span<const std::byte> encode(std::span<const Boundary> items, BlockFacts& facts);

private:
    struct Run;
    using Totals = std::array<std::int64_t, 32>;

    void assignCodes(std::span<const Boundary> items);
    std::uint16_t findCode(std::uint64_t key, std::size_t slot);
    std::byte* putKeys(std::byte* at) const;
    std::byte* putCodes(std::size_t count, std::byte* at) const;
    void encodeGroups(std::span<const Boundary> items, Run& block);
    Run addItems(const Boundary* items, std::size_t count);
    void putLengths(std::size_t count, unsigned bytes);
    std::byte* putNode(const Run& run, format::Widths widths, Totals& before, std::byte* at) const;
    void tellFacts(std::span<const Boundary> items, const Run& block, BlockFacts& facts) const;

    std::array<StateTime, 33> m_times; ///< Of the block so far, by state; the last is the gaps'.
    Totals m_groupBefore; ///< Totals when the group began.
    Totals m_stretchBefore;
    std::array<std::uint64_t, format::GroupItems> m_groupLengths; ///< Of the group's items.
    std::byte* m_nextLength = nullptr;
    std::byte* m_nextGroup = nullptr;
    std::byte* m_nextStretch = nullptr;

    // Keys by code, and codes by key: a hash table that is never more than half full. A slot has the key above its code.
    static constexpr std::size_t SlotBits = 10;
    static constexpr unsigned CodeBitsOfSlot = 16;
    static constexpr std::uint64_t NoSlot = ~std::uint64_t(0);
    static_assert(std::size_t(1) << SlotBits >= 2 * format::BlockItems);
    std::array<std::uint64_t, std::size_t(1) << SlotBits> m_slots;
    std::array<std::uint64_t, format::BlockItems> m_keys;
    std::size_t m_keyCount = 0;
    std::array<std::uint16_t, format::BlockItems + 4> m_codes; ///< Of the items; then zeros up to a multiple of 4.

    // What is appended is written eight bytes at a time, hence a little more room.
    static constexpr std::size_t MaxNodeBytes = 1 + 8 + 8 + format::MaxKeyBytes + 1 + 4 + 32 + 4;
    static constexpr std::size_t MaxHeadBytes = 16 + format::BlockItems * format::MaxKeyBytes;
    static constexpr std::size_t MaxStretches = format::BlockItems / format::StretchItems;
    std::array<std::byte, format::BlockItems * 8 + 8> m_lengths;
    std::array<std::byte, format::MaxGroups * MaxNodeBytes + 8> m_groups;
    std::array<std::byte, MaxStretches * MaxNodeBytes + 8> m_stretches;
    std::array<std::byte, MaxHeadBytes + format::MaxNodes * MaxNodeBytes + format::BlockItems*(2 + 8) + 8> m_block;
};

} // namespace helio
