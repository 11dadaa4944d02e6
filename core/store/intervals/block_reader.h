#pragma once

#include "core/store/intervals/level_node.h"
#include "core/store/store_format.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace helio {

/// Reads one block: its stretches of 128 items, their groups of 32, the items of a group. Its bytes may be anything: what does
/// not fit ends it, and isDamaged() says so.
///
/// `data` must be followed by BlockSlack readable bytes.
class BlockReader {
public:
    struct Item {
        std::int64_t begin;
        std::int64_t end;
        std::uint32_t value;
        std::uint8_t state; ///< GapState: a gap.
    };
    struct Node {
        LevelNode node;
        std::array<std::uint8_t, 32> shares;
    };

    /// `block` is the directory's node, `shares` its shares.
    BlockReader(std::span<const std::byte> data, const LevelNode& block, const std::uint8_t* shares);

    /// Steps to the next stretch, at first to the first. False: the end.
    bool nextStretch();
    const Node& stretch() const { return m_stretch.node; }

    /// The current stretch's items will be read.
    void prefetchItems() const;

    /// Steps to the current stretch's next group. False: the end of the stretch.
    bool nextGroup();
    const Node& group() const { return m_group.node; }

    /// The current group's items, back to back from its begin to its end.
    std::span<const Item> items();

    bool isDamaged() const { return m_isDamaged; }

private:
    /// A walk over the nodes of one level, in one piece of the block.
    struct Cursor {
        Node node;
        format::Widths widths;
        const std::byte* at = nullptr; ///< The next node.
        const std::byte* lengths = nullptr; ///< Of the node's items.
        std::size_t lengthBytes = 0;
        std::size_t firstItem = 0;
        std::size_t items = 0;
        std::size_t endItem = 0; ///< Of the piece.
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
    const std::byte* m_groupNodes = nullptr; ///< Of the current stretch.
    std::size_t m_groupBytes = 0; ///< Of the current stretch.
    const std::byte* m_nodesEnd = nullptr;
    std::size_t m_keyCount = 0;
    unsigned m_keyBytes = 0;
    const std::byte* m_keys = nullptr;
    const std::byte* m_codes = nullptr;
    Cursor m_stretch;
    Cursor m_group;
    bool m_isDamaged = false;
    bool m_hasKeys = false; ///< m_table is filled.
    std::array<Item, format::GroupItems> m_decoded;
    struct Pair {
        std::uint32_t value;
        std::uint32_t state;
    };
    std::array<Pair, format::BlockItems> m_table; ///< By code.
};

} // namespace helio
