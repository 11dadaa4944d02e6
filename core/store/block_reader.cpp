#include "core/store/block_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace helio {
namespace {

/// A number of 1 to 8 bytes. Always reads 8: see BlockSlack.
std::uint64_t load(const std::byte* at, std::size_t bytes)
{
    std::uint64_t value = 0;
    std::memcpy(&value, at, 8);
    return bytes == 0 ? 0 : value & (~std::uint64_t(0) >> (64 - 8 * bytes));
}

} // namespace

BlockReader::BlockReader(std::span<const std::byte> data, const LevelNode& block, const std::uint8_t* shares)
    : m_begin(data.data())
    , m_end(data.data() + data.size())
    , m_block(block)
    , m_blockShares(shares)
{
    if (!readHead())
        m_isDamaged = true;
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
        m_groupBytes = load(m_stretch.at, 2);
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
    std::size_t bytes = format::LengthBytes[kinds & 3];
    const std::uint64_t length = load(at, bytes);
    at += bytes;
    bytes = format::LengthBytes[kinds >> 2 & 3];
    const std::uint64_t longest = load(at, bytes);
    at += bytes;
    const auto longestIndex = static_cast<std::size_t>(at[0]);
    const auto gaps = static_cast<std::size_t>(at[1]);
    const auto mask = static_cast<std::size_t>(at[2]);
    at += 3;

    LevelNode& node = cursor.node.node;
    const std::uint64_t room = static_cast<std::uint64_t>(cursor.endTime) - static_cast<std::uint64_t>(node.end);
    std::uint8_t state = 0;
    if (length > room || longest > length || gaps >= cursor.items || longestIndex >= cursor.items || mask >= m_maskCount
        || !pairAt(cursor.firstItem + longestIndex, node.value, state) || state == format::GapState)
        return false;
    node.begin = node.end;
    node.end += static_cast<std::int64_t>(length);
    node.longest = static_cast<std::int64_t>(longest);
    node.state = State(state);
    node.mask = static_cast<std::uint32_t>(load(m_masks + mask * m_maskBytes, m_maskBytes)) & m_block.mask;
    node.count = static_cast<std::uint32_t>(cursor.items - gaps);
    node.hasGap = gaps > 0;

    unsigned left = 255;
    std::size_t share = 0;
    for (std::uint32_t states = node.mask; states != 0; states &= states - 1) {
        const bool isLast = (states & (states - 1)) == 0 && gaps == 0;
        const unsigned value = isLast ? left : static_cast<unsigned>(*at++);
        if (value > left)
            return false;
        cursor.node.shares[share++] = static_cast<std::uint8_t>(value);
        left -= value;
    }
    cursor.lengthBytes = load(at, 2);
    cursor.at = at + 2;
    return share > 0 && cursor.lengthBytes <= static_cast<std::size_t>(m_end - cursor.lengths);
}

std::uint32_t BlockReader::codeAt(std::size_t item) const
{
    switch (m_codeBits) {
    case 0: return 0;
    case 4: return static_cast<std::uint32_t>(m_codes[item / 2]) >> (4 * (item % 2)) & 15;
    case 8: return static_cast<std::uint32_t>(m_codes[item]);
    default: return static_cast<std::uint32_t>(load(m_codes + 2 * item, 2));
    }
}

bool BlockReader::pairAt(std::size_t item, std::uint32_t& value, std::uint8_t& state) const
{
    const std::uint32_t code = codeAt(item);
    const std::byte* pair = m_pairs + code * (1 + m_valueBytes);
    if (code >= m_pairCount)
        return false;
    state = static_cast<std::uint8_t>(*pair);
    value = static_cast<std::uint32_t>(load(pair + 1, m_valueBytes));
    return state == format::GapState || (state < 32 && (m_block.mask >> state & 1) != 0);
}

std::span<const BlockReader::Item> BlockReader::items()
{
    const LevelNode& node = m_group.node.node;
    const std::size_t controls = (m_group.items + 3) / 4;
    if (m_isDamaged || controls > m_group.lengthBytes) {
        damaged();
        return {};
    }
    // Each step reads 8 bytes, the last from at most 16 * 8 behind the block's end on: that is what BlockSlack is for.
    const std::byte* at = m_group.lengths + controls;
    auto time = static_cast<std::uint64_t>(node.begin);
    for (std::size_t i = 0; i < m_group.items; ++i) {
        const unsigned kind = static_cast<unsigned>(m_group.lengths[i / 4]) >> (2 * (i % 4)) & 3;
        std::uint64_t length = 0;
        std::memcpy(&length, at, 8);
        length &= format::LengthMask[kind];
        at += format::LengthBytes[kind];
        Item& item = m_decoded[i];
        if (length > static_cast<std::uint64_t>(node.end) - time || !pairAt(m_group.firstItem + i, item.value, item.state)) {
            damaged();
            return {};
        }
        item.begin = static_cast<std::int64_t>(time);
        time += length;
        item.end = static_cast<std::int64_t>(time);
    }
    if (static_cast<std::int64_t>(time) != node.end || at > m_group.lengths + m_group.lengthBytes) {
        damaged();
        return {};
    }
    return {m_decoded.data(), m_group.items};
}

} // namespace helio
