#include "core/store/intervals/block_reader.h"

#include "core/store/boundary.h"
#include "core/store/file/byte_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace helio {

using format::Widths;

namespace {

/// Returns a mask for the lowest `bytes` bytes of a number; `bytes` is 1 to 8.
std::uint64_t maskOf(unsigned bytes) { return ~std::uint64_t(0) >> (64 - 8 * bytes); }

/// Loads 8 bytes and returns the bits in `mask`. The load may exceed the data, hence BlockSlack.
std::uint64_t loadMasked(const std::byte* at, std::uint64_t mask)
{
    std::uint64_t value = 0;
    std::memcpy(&value, at, 8);
    return value & mask;
}

std::uint64_t load(const std::byte* at, unsigned bytes) { return loadMasked(at, maskOf(bytes)); }

constexpr std::uint64_t KeyMask = (std::uint64_t(1) << (32 + format::KeyStateBits)) - 1;

} // namespace

BlockReader::BlockReader(std::span<const std::byte> data, const LevelNode& block, const std::uint8_t* shares)
    : m_begin(data.data())
    , m_end(data.data() + data.size())
    , m_block(block)
    , m_blockShares(shares)
{
    // Prefetch the bytes that are read first, because each first access to a cache line waits for memory.
    for (std::size_t i = 1; i < 4; ++i)
        __builtin_prefetch(m_begin + 64 * i);
    if (!readHead())
        m_isDamaged = true;
}

void BlockReader::prefetchItems() const
{
    __builtin_prefetch(m_codes + m_stretch.firstItem / 2);
    for (std::size_t i = 0; i < 4; ++i)
        __builtin_prefetch(m_stretch.lengths + 64 * i);
}

bool BlockReader::readHead()
{
    ByteReader in(std::span(m_begin, m_end));
    m_items = in.get();
    m_keyCount = in.get();
    m_keyBytes = in.getByte();
    if (m_items == 0 || m_items > format::BlockItems || m_keyCount == 0 || m_keyCount > m_items || m_keyBytes == 0
        || m_keyBytes > format::MaxKeyBytes)
        return false;
    m_keys = in.getBytes(m_keyCount * m_keyBytes).data();
    if (m_items > format::GroupItems) {
        const std::size_t stretchBytes = in.getCount();
        m_groupBytes = in.getCount();
        m_stretch.at = in.getBytes(stretchBytes).data();
        m_groupNodes = in.getBytes(m_groupBytes).data();
    } else {
        m_group.widths = Widths::of(in.getByte());
    }
    m_nodesEnd = in.position();
    m_codes = in.getBytes((m_items * format::codeBits(m_keyCount) + 7) / 8).data();
    m_stretch.lengths = in.position();
    m_stretch.endItem = m_items;
    m_stretch.node.node.end = m_block.begin;
    m_stretch.endTime = m_block.end;
    return !in.hasFailed();
}

bool BlockReader::nextStretch()
{
    if (m_stretch.firstItem + m_stretch.items > 0)
        m_groupNodes += m_groupBytes;
    if (m_isDamaged || !step(m_stretch, format::StretchItems))
        return false;
    if (m_items > format::StretchItems) {
        if (!readNode(m_stretch))
            return damaged();
        m_stretch.lengthBytes = load(m_stretch.at, 2);
        m_groupBytes = load(m_stretch.at + 2, 2);
        m_stretch.at += 4;
        if (m_groupBytes > static_cast<std::size_t>(m_nodesEnd - m_groupNodes) || m_stretch.at > m_nodesEnd
            || m_stretch.lengthBytes > static_cast<std::size_t>(m_end - m_stretch.lengths))
            return damaged();
    } else {
        copyBlock(m_stretch);
        m_stretch.lengthBytes = static_cast<std::size_t>(m_end - m_stretch.lengths);
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
    if (m_items > format::GroupItems) {
        if (!readNode(m_group) || m_group.at > m_nodesEnd)
            return damaged();
    } else {
        copyBlock(m_group);
    }
    m_group.lengthBytes = m_group.items * m_group.widths.length;
    return m_group.lengthBytes <= static_cast<std::size_t>(m_end - m_group.lengths) || damaged();
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
}

bool BlockReader::readNode(Cursor& cursor) const
{
    // Read without a check. The caller checks later whether the node extends beyond m_nodesEnd; BlockSlack bytes after the block are
    // readable.
    const std::byte* at = cursor.at;
    if (at >= m_nodesEnd)
        return false;
    const Widths widths = Widths::of(static_cast<std::uint8_t>(*at++));
    const std::uint64_t length = load(at, widths.whole());
    at += widths.whole();
    const std::uint64_t longest = load(at, widths.length);
    at += widths.length;
    const std::uint64_t key = load(at, widths.key) & KeyMask;
    at += widths.key;
    const auto gaps = static_cast<std::size_t>(*at++);
    const auto mask = static_cast<std::uint32_t>(load(at, widths.mask));
    at += widths.mask;

    LevelNode& node = cursor.node.node;
    const std::uint64_t room = static_cast<std::uint64_t>(cursor.endTime) - static_cast<std::uint64_t>(node.end);
    if (widths.key > format::MaxKeyBytes || length > room || longest > length || gaps >= cursor.items
        || (std::uint64_t(m_block.mask) >> stateIn(key) & 1) == 0)
        return false;
    node.begin = node.end;
    node.end += static_cast<std::int64_t>(length);
    node.longest = static_cast<std::int64_t>(longest);
    node.state = State(static_cast<std::uint8_t>(stateIn(key)));
    node.value = valueIn(key);
    node.mask = mask & m_block.mask;
    node.count = static_cast<std::uint32_t>(cursor.items - gaps);
    node.hasGap = gaps > 0;
    cursor.widths = widths;
    cursor.at = at;
    return readShares(cursor, gaps > 0);
}

bool BlockReader::readShares(Cursor& cursor, bool hasGap) const
{
    unsigned left = 255;
    const std::uint32_t mask = cursor.node.node.mask;
    const std::byte* at = cursor.at;
    std::uint8_t* share = cursor.node.shares.data();
    for (std::uint32_t states = hasGap ? mask : mask & (mask - 1); states != 0; states &= states - 1) {
        const auto value = static_cast<unsigned>(*at++);
        if (value > left)
            return false;
        *share++ = static_cast<std::uint8_t>(value);
        left -= value;
    }
    if (!hasGap)
        *share = static_cast<std::uint8_t>(left);
    cursor.at = at;
    return mask != 0;
}

bool BlockReader::readKeys()
{
    const std::uint64_t keyMask = maskOf(m_keyBytes) & KeyMask;
    const std::uint64_t states = m_block.mask | std::uint64_t(1) << format::GapState;
    for (std::size_t i = 0; i < m_keyCount; ++i) {
        const std::uint64_t key = loadMasked(m_keys + i * m_keyBytes, keyMask);
        if ((states >> stateIn(key) & 1) == 0)
            return false;
        m_table[i] = {valueIn(key), static_cast<std::uint32_t>(stateIn(key))};
    }
    m_hasKeys = true;
    return true;
}

template <unsigned Bits> bool BlockReader::decodeItems()
{
    // loadMasked() always reads 8 bytes, even for shorter lengths. The last read can thus extend up to 7 bytes beyond the block, where
    // BlockSlack bytes are readable.
    const unsigned bytes = m_group.widths.length;
    const std::uint64_t lengthMask = maskOf(bytes);
    const std::byte* at = m_group.lengths;
    const std::byte* codes = m_codes + m_group.firstItem * Bits / 8;
    std::int64_t time = m_group.node.node.begin;
    auto room = static_cast<std::uint64_t>(m_group.node.node.length());
    for (std::size_t i = 0; i < m_group.items; ++i, at += bytes) {
        const std::uint64_t length = loadMasked(at, lengthMask);
        std::size_t code = 0;
        if constexpr (Bits == 4)
            code = static_cast<std::size_t>(codes[i / 2]) >> (i % 2 * 4) & 15;
        else if constexpr (Bits == 8)
            code = static_cast<std::size_t>(codes[i]);
        else if constexpr (Bits == 16)
            code = static_cast<std::size_t>(codes[2 * i]) | static_cast<std::size_t>(codes[2 * i + 1]) << 8;
        if (length > room || code >= m_keyCount)
            return false;
        room -= length;
        const std::int64_t begin = time;
        time += static_cast<std::int64_t>(length);
        m_decoded[i] = {begin, time, m_table[code].value, static_cast<std::uint8_t>(m_table[code].state)};
    }
    return room == 0;
}

std::span<const BlockReader::Item> BlockReader::items()
{
    bool isGood = !m_isDamaged && (m_hasKeys || readKeys());
    if (isGood) {
        switch (format::codeBits(m_keyCount)) {
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
