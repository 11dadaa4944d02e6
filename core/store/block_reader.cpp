#include "core/store/block_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace helio {
namespace {

/// A number of up to 8 bytes, those that the mask has. Always reads 8: see BlockSlack.
std::uint64_t load(const std::byte* at, std::uint64_t mask)
{
    std::uint64_t value = 0;
    std::memcpy(&value, at, 8);
    return value & mask;
}

std::uint64_t loadLength(const std::byte* at, unsigned kind) { return load(at, format::LengthMask[kind]); }

/// Of a number of at most 4 bytes.
std::uint32_t maskOf(std::size_t bytes) { return static_cast<std::uint32_t>((std::uint64_t(1) << 8 * bytes) - 1); }

} // namespace

BlockReader::BlockReader(std::span<const std::byte> data, const LevelNode& block, const std::uint8_t* shares)
    : m_begin(data.data())
    , m_end(data.data() + data.size())
    , m_block(block)
    , m_blockShares(shares)
{
    // What is read soon, at once: each first touch of a block waits for memory.
    for (std::size_t i = 1; i < 4; ++i)
        __builtin_prefetch(m_begin + 64 * i);
    if (!readHead())
        m_isDamaged = true;
}

void BlockReader::prefetchItems() const
{
    __builtin_prefetch(m_codes + m_stretch.firstItem * m_codeBits / 8);
    for (std::size_t i = 0; i < 3; ++i)
        __builtin_prefetch(m_stretch.lengths + 64 * i);
}

bool BlockReader::readHead()
{
    ByteReader in(std::span(m_begin, m_end));
    const std::uint8_t widths = in.getByte();
    m_items = in.get();
    m_pairCount = in.get();
    if (widths >= 16 || m_items == 0 || m_items > format::BlockItems || m_pairCount == 0 || m_pairCount > m_items)
        return false;
    std::size_t stretchBytes = 0;
    std::size_t groupBytes = 0;
    if (m_items > format::GroupItems) {
        m_maskCount = in.get();
        stretchBytes = in.getCount();
        groupBytes = in.getCount();
    }
    if (m_maskCount > format::MaxNodes)
        return false;
    m_codeBits = format::CodeBits[widths & 3];
    m_valueBytes = format::ValueBytes[widths >> 2];
    m_maskBytes = (std::bit_width(m_block.mask) + 7u) / 8u;
    m_valueMask = maskOf(m_valueBytes);
    m_maskMask = maskOf(m_maskBytes);
    m_pairs = in.getBytes(m_pairCount * (1 + m_valueBytes)).data();
    m_masks = in.getBytes(m_maskCount * m_maskBytes).data();
    m_stretch.at = in.getBytes(stretchBytes).data();
    m_groupNodes = in.getBytes(groupBytes).data();
    m_groupBytes = groupBytes;
    m_codes = in.getBytes((m_items * m_codeBits + 7) / 8).data();
    m_stretch.lengths = in.position();
    m_stretch.lengthBytes = 0;
    m_stretch.endItem = m_items;
    m_stretch.node.node.end = m_block.begin;
    m_stretch.endTime = m_block.end;
    m_nodesEnd = m_codes;
    return !in.hasFailed();
}

bool BlockReader::nextStretch()
{
    if (m_items > format::StretchItems)
        m_groupNodes += m_stretch.firstItem + m_stretch.items > 0 ? m_groupBytes : 0;
    if (m_isDamaged || !step(m_stretch, format::StretchItems))
        return false;
    if (m_items > format::StretchItems) {
        if (!readNode(m_stretch))
            return damaged();
        m_groupBytes = load(m_stretch.at, 0xffff);
        m_stretch.at += 2;
        if (m_groupBytes > static_cast<std::size_t>(m_nodesEnd - m_groupNodes) || m_stretch.at > m_nodesEnd)
            return damaged();
    } else {
        copyBlock(m_stretch);
    }
    m_group.at = m_groupNodes;
    m_group.lengths = m_stretch.lengths;
    m_group.lengthBytes = 0;
    m_group.firstItem = m_stretch.firstItem;
    m_group.items = 0;
    m_group.endItem = m_stretch.firstItem + m_stretch.items;
    m_group.node.node.end = m_stretch.node.node.begin;
    m_group.endTime = m_stretch.node.node.end;
    return true;
}

bool BlockReader::nextGroup()
{
    if (m_isDamaged || !step(m_group, format::GroupItems))
        return false;
    if (m_items > format::GroupItems)
        return (readNode(m_group) && m_group.at <= m_nodesEnd) || damaged();
    copyBlock(m_group);
    return true;
}

bool BlockReader::step(Cursor& cursor, std::size_t most)
{
    cursor.firstItem += cursor.items;
    cursor.lengths += cursor.lengthBytes;
    cursor.items = std::min(most, cursor.endItem - cursor.firstItem);
    return cursor.items > 0;
}

void BlockReader::copyBlock(Cursor& cursor) const
{
    cursor.node.node = m_block;
    std::copy_n(m_blockShares, std::popcount(m_block.mask), cursor.node.shares.begin());
    cursor.lengthBytes = static_cast<std::size_t>(m_end - cursor.lengths);
}

bool BlockReader::readNode(Cursor& cursor)
{
    // A node that runs over the end of the nodes is seen by its reader afterwards: until then BlockSlack makes reading safe.
    const std::byte* at = cursor.at;
    if (at >= m_nodesEnd)
        return false;
    const auto kinds = static_cast<unsigned>(*at++);
    const std::uint64_t length = loadLength(at, kinds & 3);
    at += format::LengthBytes[kinds & 3];
    const std::uint64_t longest = loadLength(at, kinds >> 2 & 3);
    at += format::LengthBytes[kinds >> 2 & 3];
    const bool isWide = m_codeBits == 16;
    const std::size_t code = static_cast<std::size_t>(at[0]) | (isWide ? static_cast<std::size_t>(at[1]) << 8 : 0);
    at += isWide ? 2 : 1;
    const auto gaps = static_cast<std::size_t>(at[0]);
    const auto mask = static_cast<std::size_t>(at[1]);
    at += 2;

    LevelNode& node = cursor.node.node;
    const std::uint64_t room = static_cast<std::uint64_t>(cursor.endTime) - static_cast<std::uint64_t>(node.end);
    if (length > room || longest > length || gaps >= cursor.items || mask >= m_maskCount || !readLongest(code, node))
        return false;
    node.begin = node.end;
    node.end += static_cast<std::int64_t>(length);
    node.longest = static_cast<std::int64_t>(longest);
    node.mask = static_cast<std::uint32_t>(load(m_masks + mask * m_maskBytes, m_maskMask)) & m_block.mask;
    node.count = static_cast<std::uint32_t>(cursor.items - gaps);
    node.hasGap = gaps > 0;
    if (node.mask == 0)
        return false;

    unsigned left = 255;
    std::uint8_t* share = cursor.node.shares.data();
    for (std::uint32_t states = gaps > 0 ? node.mask : node.mask & (node.mask - 1); states != 0; states &= states - 1) {
        const auto value = static_cast<unsigned>(*at++);
        if (value > left)
            return false;
        *share++ = static_cast<std::uint8_t>(value);
        left -= value;
    }
    if (gaps == 0)
        *share = static_cast<std::uint8_t>(left);
    cursor.lengthBytes = load(at, 0xffff);
    cursor.at = at + 2;
    return cursor.lengthBytes <= static_cast<std::size_t>(m_end - cursor.lengths);
}

/// Only the pair that is asked for: most nodes need no other.
bool BlockReader::readLongest(std::size_t code, LevelNode& node) const
{
    if (code >= m_pairCount)
        return false;
    const std::byte* pair = m_pairs + code * (1 + m_valueBytes);
    const auto state = static_cast<unsigned>(*pair);
    node.state = State(static_cast<std::uint8_t>(state));
    node.value = static_cast<std::uint32_t>(load(pair + 1, m_valueMask));
    return state < 32 && (m_block.mask >> state & 1) != 0;
}

/// All pairs at once, for reading many items.
bool BlockReader::readPairs()
{
    const std::size_t stride = 1 + m_valueBytes;
    for (std::size_t i = 0; i < m_pairCount; ++i) {
        const std::byte* pair = m_pairs + i * stride;
        const auto state = static_cast<std::uint32_t>(*pair);
        if (state != format::GapState && (state >= 32 || (m_block.mask >> state & 1) == 0))
            return false;
        m_table[i] = {static_cast<std::uint32_t>(load(pair + 1, m_valueMask)), state};
    }
    m_hasPairs = true;
    return true;
}

template <unsigned Bits> bool BlockReader::decodeItems()
{
    // Each step reads 8 bytes, the last from at most 16 * 8 behind the block's end on: that is what BlockSlack is for.
    const std::size_t count = m_group.items;
    const std::byte* at = m_group.lengths + (count + 3) / 4;
    std::uint32_t kinds = 0;
    std::memcpy(&kinds, m_group.lengths, 4);
    const std::byte* codes = m_codes + m_group.firstItem * Bits / 8;
    std::uint64_t nibbles = 0;
    if constexpr (Bits == 4)
        std::memcpy(&nibbles, codes, 8);
    std::int64_t time = m_group.node.node.begin;
    auto room = static_cast<std::uint64_t>(m_group.node.node.length());
    for (std::size_t i = 0; i < count; ++i, kinds >>= 2, nibbles >>= 4) {
        std::uint64_t length = 0;
        std::memcpy(&length, at, 8);
        length &= format::LengthMask[kinds & 3];
        at += format::LengthBytes[kinds & 3];
        std::size_t code = 0;
        if constexpr (Bits == 4)
            code = nibbles & 15;
        else if constexpr (Bits == 8)
            code = static_cast<std::size_t>(codes[i]);
        else if constexpr (Bits == 16)
            code = static_cast<std::size_t>(codes[2 * i]) | static_cast<std::size_t>(codes[2 * i + 1]) << 8;
        if (length > room || code >= m_pairCount)
            return false;
        room -= length;
        const std::int64_t begin = time;
        time += static_cast<std::int64_t>(length);
        m_decoded[i] = {begin, time, m_table[code].value, static_cast<std::uint8_t>(m_table[code].state)};
    }
    return room == 0 && at <= m_group.lengths + m_group.lengthBytes;
}

std::span<const BlockReader::Item> BlockReader::items()
{
    bool isGood = !m_isDamaged && (m_group.items + 3) / 4 <= m_group.lengthBytes && (m_hasPairs || readPairs());
    if (isGood) {
        switch (m_codeBits) {
        case 0: isGood = decodeItems<0>(); break;
        case 4: isGood = decodeItems<4>(); break;
        case 8: isGood = decodeItems<8>(); break;
        default: isGood = decodeItems<16>();
        }
    }
    if (!isGood) {
        damaged();
        return {};
    }
    return {m_decoded.data(), m_group.items};
}

} // namespace helio
