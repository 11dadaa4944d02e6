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
    void assignCodes(std::span<const BlockItem> items);
    unsigned codeOf(std::uint32_t value, std::uint8_t state);
    void putPairs(ByteWriter& out) const;
    void putCodes(ByteWriter& out) const;
    void putGroups(std::span<const BlockItem> items, ByteWriter& out);
    void putLengths(std::span<const BlockItem> items);

    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t generation = 0;
        std::uint32_t code = 0;
    };
    std::array<Slot, 1024> m_slots{};
    std::uint32_t m_generation = 0;
    std::vector<BlockItem> m_pairs; ///< Their lengths mean nothing.
    std::vector<std::uint16_t> m_codes;
    std::vector<std::byte> m_lengths;
    std::array<std::uint8_t, format::MaxGroups> m_lengthBytes{};
};

/// Reads one block, group by group. Its bytes may be anything: what does not fit ends it, and isDamaged() says so.
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
    struct Group {
        LevelNode node;
        std::array<std::uint8_t, 32> shares;
    };

    /// `block` is the directory's node, `shares` its shares.
    BlockReader(std::span<const std::byte> data, const LevelNode& block, const std::uint8_t* shares);

    /// Steps to the next group, at first to the first. False: the end.
    bool next();
    const Group& group() const { return m_group; }

    /// The current group's items, back to back from its begin to its end.
    std::span<const Item> items();

    bool isDamaged() const { return m_isDamaged; }

private:
    struct Pair {
        std::uint32_t value;
        std::uint8_t state;
    };
    bool readHead();
    bool readPairs();
    bool readGroup();
    bool readShares();
    std::uint32_t codeAt(std::size_t item) const;
    bool damaged()
    {
        m_isDamaged = true;
        return false;
    }

    ByteReader m_nodes; ///< At the next group's node.
    const std::byte* m_end; ///< Of the block.
    const LevelNode& m_block;
    const std::uint8_t* m_blockShares;
    std::size_t m_items = 0;
    std::size_t m_pairCount = 0;
    std::size_t m_maskCount = 0;
    unsigned m_codeBits = 0;
    const std::byte* m_codes = nullptr;
    const std::byte* m_lengths = nullptr; ///< Of the current group.
    std::size_t m_lengthBytes = 0; ///< Of the current group.
    std::size_t m_firstItem = 0; ///< Of the current group.
    std::size_t m_groupItems = 0;
    std::int64_t m_position = 0; ///< The current group's end.
    bool m_isDamaged = false;
    std::array<std::uint32_t, format::MaxGroups> m_masks;
    Group m_group;
    std::array<Item, format::GroupItems> m_decoded;
    std::array<Pair, format::BlockItems> m_pairs;
};

} // namespace helio
