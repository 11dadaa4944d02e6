#pragma once

#include "core/store/intervals/level_node.h"
#include "core/store/store_format.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace helio {

/// Reads one block: its stretches of 128 items, their groups of 32 items, and the items of a group. The bytes are untrusted: reading ends
/// at the first error, and isDamaged() is then true.
///
/// Requires: BlockSlack readable bytes after the end of `data`.
class BlockReader {
public:
    struct Item {
        std::int64_t begin;
        std::int64_t end;
        std::uint32_t value;
        std::uint8_t state; ///< State of the item; GapState for a gap.
    };
    struct Node {
        LevelNode node;
        std::array<std::uint8_t, 32> shares;
    };

    /// `block` is the block's node in the directory. `shares` are the shares of the states in the node's total length.
    BlockReader(std::span<const std::byte> data, const LevelNode& block, const std::uint8_t* shares);

    /// Advances to the next stretch, i.e. quarter of the block's items; the first call advances to the first stretch. Returns false at the
    /// end of the block.
    bool nextStretch();
    const Node& stretch() const { return m_stretch.node; }

    /// Prefetches the items of the current stretch into the caches, before they are read.
    void prefetchItems() const;

    /// Advances to the next group of up to 32 items in the current stretch. Returns false at the end of the stretch.
    bool nextGroup();
    const Node& group() const { return m_group.node; }

    /// Returns the items of the current group. Together they cover the time from the start to the end of the group without gaps.
    std::span<const Item> items();

    bool isDamaged() const { return m_isDamaged; }

private:
    /// Reading position in the nodes of one level, within the block or within one stretch.
    struct Cursor {
        Node node;
        format::Widths widths;
        const std::byte* at = nullptr; ///< Start of the next node.
        const std::byte* lengths = nullptr; ///< Start of the lengths of the node's items.
        std::size_t lengthBytes = 0;
        std::size_t firstItem = 0;
        std::size_t items = 0;
        std::size_t endItem = 0; ///< Index of the item after the last one of the block or stretch.
        std::int64_t endTime = 0;
    };

    bool readHead();
    bool step(Cursor& cursor, std::size_t most);
    bool readNode(Cursor& cursor) const;
    bool readShares(Cursor& cursor, bool hasGap) const;
    void copyBlock(Cursor& cursor) const;
    bool readKeys();
    template <unsigned Bits> bool decodeItems();
    bool damaged()
    {
        m_isDamaged = true;
        return false;
    }

    const std::byte* m_begin;
    const std::byte* m_end;
    const LevelNode& m_block;
    const std::uint8_t* m_blockShares;
    std::size_t m_items = 0;
    /// Nodes of the groups in the stretch that is being read. FORMAT.md describes groups and stretches.
    const std::byte* m_groupNodes = nullptr;
    std::size_t m_groupBytes = 0; ///< Size in bytes of the nodes at m_groupNodes. FORMAT.md describes groups and stretches.
    const std::byte* m_nodesEnd = nullptr;
    std::size_t m_keyCount = 0;
    unsigned m_keyBytes = 0;
    const std::byte* m_keys = nullptr;
    const std::byte* m_codes = nullptr;
    Cursor m_stretch;
    Cursor m_group;
    bool m_isDamaged = false;
    bool m_hasKeys = false; ///< True if m_table has been filled for this block.
    std::array<Item, format::GroupItems> m_decoded;
    struct Pair {
        std::uint32_t value;
        std::uint32_t state;
    };
    std::array<Pair, format::BlockItems> m_table; ///< Value and state of each code; the items of the block are stored as such codes.
};

} // namespace helio
