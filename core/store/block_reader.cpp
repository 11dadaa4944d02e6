#include "core/store/block_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace helio {

BlockReader::BlockReader(std::span<const std::byte> data, const LevelNode& block, const std::uint8_t* shares)
    : m_nodes(data)
    , m_end(data.data() + data.size())
    , m_block(block)
    , m_blockShares(shares)
    , m_position(block.begin)
{
    if (!readHead())
        m_isDamaged = true;
}

bool BlockReader::readHead()
{
    static constexpr std::array<unsigned, 4> Bits = {0, 4, 8, 16};
    const std::uint8_t width = m_nodes.getByte();
    m_items = m_nodes.get();
    if (width >= Bits.size() || m_items == 0 || m_items > format::BlockItems || !readPairs())
        return false;
    m_codeBits = Bits[width];

    const std::byte* nodesEnd = nullptr;
    if (m_items > format::GroupItems) {
        m_maskCount = m_nodes.get();
        if (m_maskCount > m_masks.size())
            return false;
        for (std::size_t i = 0; i < m_maskCount; ++i)
            m_masks[i] = m_nodes.get32() & m_block.mask;
        const std::size_t size = m_nodes.getCount();
        const auto nodes = m_nodes.getBytes(size);
        const ByteReader after = m_nodes;
        nodesEnd = after.position();
        if (after.hasFailed())
            return false;
        m_nodes = ByteReader(nodes);
    } else {
        nodesEnd = m_nodes.position();
    }
    const std::size_t codes = (m_items * m_codeBits + 7) / 8;
    if (m_nodes.hasFailed() || codes > static_cast<std::size_t>(m_end - nodesEnd))
        return false;
    m_codes = nodesEnd;
    m_lengths = nodesEnd + codes;
    return true;
}

bool BlockReader::readPairs()
{
    m_pairCount = m_nodes.get();
    if (m_pairCount == 0 || m_pairCount > m_pairs.size())
        return false;
    for (std::size_t i = 0; i < m_pairCount; ++i) {
        const std::uint8_t state = m_nodes.getByte();
        m_pairs[i] = {state == format::GapState ? 0 : m_nodes.get32(), state};
        if (state != format::GapState && (state >= 32 || (m_block.mask >> state & 1) == 0))
            return false;
    }
    return !m_nodes.hasFailed();
}

bool BlockReader::next()
{
    m_firstItem += m_groupItems;
    if (m_isDamaged || m_firstItem >= m_items)
        return false;
    m_groupItems = std::min(format::GroupItems, m_items - m_firstItem);
    m_lengths += m_lengthBytes;
    if (m_items > format::GroupItems)
        return readGroup() || damaged();

    m_lengthBytes = static_cast<std::size_t>(m_end - m_lengths);
    m_group.node = m_block;
    std::copy_n(m_blockShares, std::popcount(m_block.mask), m_group.shares.begin());
    m_position = m_block.end;
    return true;
}

bool BlockReader::readGroup()
{
    LevelNode& node = m_group.node;
    const std::uint64_t length = m_nodes.get();
    const unsigned flags = m_nodes.getByte();
    const std::uint64_t longest = m_nodes.get();
    m_lengthBytes = m_nodes.getByte();
    const std::size_t mask = m_nodes.getByte();
    const std::uint64_t room = static_cast<std::uint64_t>(m_block.end) - static_cast<std::uint64_t>(m_position);
    const unsigned gaps = flags >> 4;
    if (m_nodes.hasFailed() || mask >= m_maskCount || length > room || longest > length || gaps >= m_groupItems
        || (flags & 15) >= m_groupItems || m_lengthBytes > static_cast<std::size_t>(m_end - m_lengths))
        return false;
    const std::uint32_t code = codeAt(m_firstItem + (flags & 15));
    if (code >= m_pairCount || m_pairs[code].state == format::GapState)
        return false;
    node.begin = m_position;
    node.end = m_position + static_cast<std::int64_t>(length);
    node.longest = static_cast<std::int64_t>(longest);
    node.state = State(m_pairs[code].state);
    node.value = m_pairs[code].value;
    node.mask = m_masks[mask];
    node.count = static_cast<std::uint32_t>(m_groupItems - gaps);
    node.hasGap = gaps > 0;
    m_position = node.end;
    return readShares();
}

bool BlockReader::readShares()
{
    const int count = std::popcount(m_group.node.mask);
    if (count == 0)
        return false;
    const auto stored = m_nodes.getBytes(static_cast<std::size_t>(count - !m_group.node.hasGap));
    unsigned sum = 0;
    for (std::size_t i = 0; i < stored.size(); ++i) {
        m_group.shares[i] = static_cast<std::uint8_t>(stored[i]);
        sum += m_group.shares[i];
    }
    if (!m_group.node.hasGap && sum <= 255)
        m_group.shares[static_cast<std::size_t>(count) - 1] = static_cast<std::uint8_t>(255 - sum);
    return !m_nodes.hasFailed() && sum <= 255;
}

std::uint32_t BlockReader::codeAt(std::size_t item) const
{
    switch (m_codeBits) {
    case 0: return 0;
    case 4: return static_cast<std::uint32_t>(m_codes[item / 2]) >> (4 * (item % 2)) & 15;
    case 8: return static_cast<std::uint32_t>(m_codes[item]);
    default: {
        std::uint16_t code = 0;
        std::memcpy(&code, m_codes + 2 * item, 2);
        return code;
    }
    }
}

std::span<const BlockReader::Item> BlockReader::items()
{
    const std::size_t controls = (m_groupItems + 3) / 4;
    if (controls > m_lengthBytes) {
        damaged();
        return {};
    }
    // Each step reads 8 bytes from at most m_end + 16 * 8 on: that is what BlockSlack is for.
    const std::byte* at = m_lengths + controls;
    const LevelNode& node = m_group.node;
    auto time = static_cast<std::uint64_t>(node.begin);
    for (std::size_t i = 0; i < m_groupItems; ++i) {
        const unsigned kind = static_cast<unsigned>(m_lengths[i / 4]) >> (2 * (i % 4)) & 3;
        std::uint64_t length = 0;
        std::memcpy(&length, at, 8);
        length &= format::LengthMask[kind];
        at += format::LengthBytes[kind];
        const std::uint32_t code = codeAt(m_firstItem + i);
        if (code >= m_pairCount || length > static_cast<std::uint64_t>(node.end) - time) {
            damaged();
            return {};
        }
        m_decoded[i] = {static_cast<std::int64_t>(time), static_cast<std::int64_t>(time + length), m_pairs[code].value,
                        m_pairs[code].state};
        time += length;
    }
    if (static_cast<std::int64_t>(time) != node.end || at > m_lengths + m_lengthBytes) {
        damaged();
        return {};
    }
    return {m_decoded.data(), m_groupItems};
}

} // namespace helio
