#pragma once

#include "core/store/boundary.h"
#include "core/store/intervals/block_summary.h"
#include "core/store/intervals/group_sums.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace helio {

/// Encodes blocks of intervals. Its scratch memory is reused for each block.
///
/// Cost: about 35 instructions per item. Each item is visited three times: for its code, for the sums, and to copy its length (once its
/// group of 32 is complete). Full groups are summed eight items at a time if the processor has AVX2.
class BlockEncoder {
public:
    BlockEncoder() { m_keys.fill(NoKey); }

    /// Encodes a block. The returned bytes are valid until the next call. Requires: 1 to BlockItems items, followed by the boundary that
    /// ends the last item. The first and the last item are intervals, and no two successive items are gaps.
    std::span<const std::byte> encode(std::span<const Boundary> items, BlockSummary& facts);

private:
    using Totals = std::array<std::int64_t, 32>;

    void assignCodes(std::span<const Boundary> items);
    std::uint16_t findCode(std::uint64_t key, std::size_t slot);
    std::byte* putKeys(std::byte* at) const;
    std::byte* putCodes(std::size_t count, std::byte* at) const;
    void encodeGroups(std::span<const Boundary> items, ItemRun& block);
    void putLengths(std::size_t count, unsigned bytes);
    std::byte* putNode(const ItemRun& run, format::Widths widths, Totals& before, std::byte* at) const;
    void fillFacts(std::span<const Boundary> items, const ItemRun& block, BlockSummary& facts) const;

    GroupSums m_sums;
    /// Total time per state in the block, up to the current group of items. m_stretchBefore: up to the current stretch, which consists of 4
    /// groups.
    Totals m_groupBefore;
    Totals m_stretchBefore;
    std::byte* m_nextLength = nullptr;
    std::byte* m_nextGroup = nullptr;
    std::byte* m_nextStretch = nullptr;

    // m_keys maps codes to keys. m_slots is a hash table that maps keys to codes; it is at most half full. The table is not cleared for
    // each block: a slot counts as empty if its `block` is not m_blockNumber. A lookup may read the code of a slot without checking
    // `block`, because it compares the key with m_keys[code]. A code that is not used in this block has NoKey there.
    static constexpr std::size_t SlotBits = 10;
    static constexpr std::uint64_t NoKey = ~std::uint64_t(0);
    static_assert(std::size_t(1) << SlotBits >= 2 * format::BlockItems);
    struct Slot {
        std::uint16_t code = 0;
        std::uint16_t block = 0; ///< Number of the block for which this slot of the hash table was filled; 0 if the slot is empty.
    };
    std::array<Slot, std::size_t(1) << SlotBits> m_slots{};
    std::uint16_t m_blockNumber = 0;
    std::array<std::uint64_t, format::BlockItems> m_keys; ///< Key of each code; NoKey beyond m_keyCount.
    std::size_t m_keyCount = 0;
    static constexpr std::size_t CodesAtOnce = 32;
    /// Code of each item, followed by zeros up to a multiple of CodesAtOnce.
    std::array<std::uint16_t, format::BlockItems + CodesAtOnce> m_codes;

    // The buffers are a little larger than their content, because numbers are written 8 bytes at a time and codes CodesAtOnce at a time.
    static constexpr std::size_t MaxNodeBytes = 1 + 8 + 8 + format::MaxKeyBytes + 1 + 4 + 32 + 4;
    static constexpr std::size_t MaxHeadBytes = 16 + format::BlockItems * format::MaxKeyBytes;
    static constexpr std::size_t MaxStretches = format::BlockItems / format::StretchItems;
    std::array<std::byte, format::BlockItems * 8 + 8> m_lengths;
    std::array<std::byte, format::MaxGroups * MaxNodeBytes + 8> m_groups;
    std::array<std::byte, MaxStretches * MaxNodeBytes + 8> m_stretches;
    std::array<std::byte, MaxHeadBytes + format::MaxNodes * MaxNodeBytes + format::BlockItems*(2 + 8) + 2 * CodesAtOnce> m_block;
};

} // namespace helio
