#pragma once

#include "core/store/byte_codec.h"
#include "core/store/level_node.h"
#include "core/store/store_format.h"
#include "core/store/time_limits.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// An interval, or a gap between two, on its way into a block.
struct BlockItem {
    std::int64_t length = 0;
    std::uint32_t value = 0;
    std::uint8_t state = 0; ///< GapState: a gap.
};

/// The times spent in one state in one block.
struct StateTime {
    std::uint64_t count = 0;
    std::int64_t total = 0;
    std::int64_t min = 0;
    std::int64_t max = 0;

    void add(std::int64_t length)
    {
        min = count == 0 || length < min ? length : min;
        max = length > max ? length : max;
        total += length;
        ++count;
    }
    void add(const StateTime& other)
    {
        if (other.count == 0)
            return;
        min = count == 0 || other.min < min ? other.min : min;
        max = other.max > max ? other.max : max;
        total += other.total;
        count += other.count;
    }
};
using StateTimes = std::array<StateTime, 32>;

/// What the directory tells of a block.
struct BlockFacts {
    LevelNode node;
    StateTimes times; ///< Of the node's states; the others are not touched.
};

/// Writes blocks. Keeps its scratch memory from one to the next.
class BlockEncoder {
public:
    /// Requires: 1 to BlockItems items; the first and the last are no gaps, and no two neighbours are.
    void encode(std::int64_t begin, std::span<const BlockItem> items, ByteWriter& out, BlockFacts& facts);

private:
    struct Sums;
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t generation = 0;
        std::uint32_t code = 0;
    };
    struct Pair {
        std::uint32_t value;
        std::uint8_t state;
    };

    void assignCodes(std::span<const BlockItem> items);
    unsigned codeOf(std::uint32_t value, std::uint8_t state);
    unsigned valueWidth() const;
    void putPairs(unsigned width, ByteWriter& out) const;
    void putCodes(unsigned width, ByteWriter& out) const;
    void putLevels(std::span<const BlockItem> items, std::uint32_t blockMask, ByteWriter& out);
    void putNode(const Sums& sums, ByteWriter& out);
    std::size_t putLengths(std::span<const BlockItem> items);

    std::array<Slot, 1024> m_slots{};
    std::uint32_t m_generation = 0;
    std::vector<Pair> m_pairs;
    std::vector<std::uint16_t> m_codes;
    std::vector<std::uint32_t> m_masks; ///< Of the nodes.
    ByteWriter m_lengths;
    ByteWriter m_stretchNodes;
    ByteWriter m_groupNodes;
};

/// Reads one block: its stretches of 64 items, their groups of 16, the items of a group. Its bytes may be anything: what does
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
    bool readNode(Cursor& cursor);
    void copyBlock(Cursor& cursor) const;
    bool readPairs();
    template <unsigned Bits> bool decodeItems();
    bool readLongest(std::size_t code, LevelNode& node) const;
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
    std::size_t m_pairCount = 0;
    std::size_t m_maskCount = 0;
    std::size_t m_valueBytes = 0;
    std::size_t m_maskBytes = 0;
    std::uint32_t m_valueMask = 0; ///< The bits that so many bytes have.
    std::uint32_t m_maskMask = 0;
    unsigned m_codeBits = 0;
    const std::byte* m_pairs = nullptr;
    const std::byte* m_masks = nullptr;
    const std::byte* m_groupNodes = nullptr; ///< Of the current stretch.
    std::size_t m_groupBytes = 0; ///< Of the current stretch.
    const std::byte* m_nodesEnd = nullptr;
    const std::byte* m_codes = nullptr;
    Cursor m_stretch;
    Cursor m_group;
    bool m_isDamaged = false;
    bool m_hasPairs = false; ///< m_table is filled.
    struct Pair {
        std::uint32_t value;
        std::uint32_t state;
    };
    std::array<Item, format::GroupItems> m_decoded;
    std::array<Pair, format::BlockItems> m_table;
};

} // namespace helio
