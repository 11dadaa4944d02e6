#include "core/store/block_codec.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace helio {
namespace {

/// What goes into a node of level 1: the sums over one group.
struct GroupSums {
    std::int64_t length = 0;
    std::int64_t longest = 0;
    unsigned longestIndex = 0;
    unsigned gaps = 0;
    std::uint32_t mask = 0;
    std::array<std::int64_t, 32> times; // only those of the mask are set

    explicit GroupSums(std::span<const BlockItem> items)
    {
        for (std::size_t i = 0; i < items.size(); ++i) {
            const BlockItem& item = items[i];
            length += item.length;
            if (item.state == format::GapState) {
                ++gaps;
                continue;
            }
            if (item.length > longest) {
                longest = item.length;
                longestIndex = static_cast<unsigned>(i);
            }
            const std::uint32_t bit = 1u << item.state;
            times[item.state] = (mask & bit ? times[item.state] : 0) + item.length;
            mask |= bit;
        }
    }
};

BlockFacts factsOf(std::int64_t begin, std::span<const BlockItem> items)
{
    BlockFacts facts;
    LevelNode& node = facts.node;
    node.begin = begin;
    node.end = begin;
    for (const BlockItem& item : items) {
        node.end += item.length;
        if (item.state == format::GapState) {
            node.hasGap = true;
            continue;
        }
        ++node.count;
        node.mask |= 1u << item.state;
        facts.times[item.state].add(item.length);
        if (item.length > node.longest) {
            node.longest = item.length;
            node.value = item.value;
            node.state = State(item.state);
        }
    }
    return facts;
}

std::span<const BlockItem> groupOf(std::span<const BlockItem> items, std::size_t first)
{
    return items.subspan(first, std::min(format::GroupItems, items.size() - first));
}

} // namespace

void BlockEncoder::encode(std::int64_t begin, std::span<const BlockItem> items, ByteWriter& out, BlockFacts& facts)
{
    assert(!items.empty() && items.size() <= format::BlockItems);
    facts = factsOf(begin, items);
    assignCodes(items);
    putLengths(items);

    const unsigned width = m_pairs.size() == 1 ? 0 : m_pairs.size() <= 16 ? 1 : m_pairs.size() <= 256 ? 2 : 3;
    out.putByte(static_cast<std::uint8_t>(width));
    out.put(items.size());
    putPairs(out);
    if (items.size() > format::GroupItems)
        putGroups(items, out);
    putCodes(out);
    out.append(m_lengths);
}

unsigned BlockEncoder::codeOf(std::uint32_t value, std::uint8_t state)
{
    const std::uint64_t key = static_cast<std::uint64_t>(value) << 8 | state;
    std::size_t at = (key * 0x9e3779b97f4a7c15u) >> 54;
    for (;; at = (at + 1) % m_slots.size()) {
        Slot& slot = m_slots[at];
        if (slot.generation != m_generation) {
            slot = {key, m_generation, static_cast<std::uint32_t>(m_pairs.size())};
            m_pairs.push_back({0, value, state});
        }
        if (slot.key == key)
            return slot.code;
    }
}

void BlockEncoder::assignCodes(std::span<const BlockItem> items)
{
    if (++m_generation == 0) {
        m_slots = {};
        m_generation = 1;
    }
    m_pairs.clear();
    m_codes.clear();
    for (const BlockItem& item : items)
        m_codes.push_back(static_cast<std::uint16_t>(codeOf(item.state == format::GapState ? 0 : item.value, item.state)));
}

void BlockEncoder::putPairs(ByteWriter& out) const
{
    out.put(m_pairs.size());
    for (const BlockItem& pair : m_pairs) {
        out.putByte(pair.state);
        if (pair.state != format::GapState)
            out.put(pair.value);
    }
}

void BlockEncoder::putCodes(ByteWriter& out) const
{
    const std::size_t count = m_codes.size();
    if (m_pairs.size() == 1)
        return;
    if (m_pairs.size() <= 16) {
        for (std::size_t i = 0; i < count; i += 2)
            out.putByte(static_cast<std::uint8_t>(m_codes[i] | (i + 1 < count ? m_codes[i + 1] << 4 : 0)));
    } else if (m_pairs.size() <= 256) {
        for (const std::uint16_t code : m_codes)
            out.putByte(static_cast<std::uint8_t>(code));
    } else {
        std::memcpy(out.extend(count * 2), m_codes.data(), count * 2);
    }
}

void BlockEncoder::putLengths(std::span<const BlockItem> items)
{
    m_lengths.clear();
    for (std::size_t first = 0; first < items.size(); first += format::GroupItems) {
        const auto group = groupOf(items, first);
        const std::size_t controls = (group.size() + 3) / 4;
        const std::size_t before = m_lengths.size();
        m_lengths.resize(before + controls + 8 * group.size(), std::byte{});
        std::byte* at = m_lengths.data() + before + controls;
        for (std::size_t i = 0; i < group.size(); ++i) {
            const auto length = static_cast<std::uint64_t>(group[i].length);
            const unsigned kind = (length > format::LengthMask[0]) + (length > format::LengthMask[1]) + (length > format::LengthMask[2]);
            m_lengths[before + i / 4] |= static_cast<std::byte>(kind << (2 * (i % 4)));
            std::memcpy(at, &length, 8);
            at += format::LengthBytes[kind];
        }
        const auto size = static_cast<std::size_t>(at - m_lengths.data()) - before;
        m_lengths.resize(before + size);
        m_lengthBytes[first / format::GroupItems] = static_cast<std::uint8_t>(size);
    }
}

void BlockEncoder::putGroups(std::span<const BlockItem> items, ByteWriter& out)
{
    std::array<std::uint32_t, format::MaxGroups> masks;
    std::size_t maskCount = 0;
    ByteWriter nodes;
    for (std::size_t first = 0; first < items.size(); first += format::GroupItems) {
        const GroupSums sums(groupOf(items, first));
        const auto mask = std::find(masks.begin(), masks.begin() + maskCount, sums.mask);
        if (mask == masks.begin() + maskCount)
            masks[maskCount++] = sums.mask;
        std::array<std::uint8_t, 32> shares;
        roundShares(sums.times.data(), sums.mask, static_cast<double>(sums.length), shares.data());

        nodes.put(static_cast<std::uint64_t>(sums.length));
        nodes.putByte(static_cast<std::uint8_t>(sums.longestIndex | sums.gaps << 4));
        nodes.put(static_cast<std::uint64_t>(sums.longest));
        nodes.putByte(m_lengthBytes[first / format::GroupItems]);
        nodes.putByte(static_cast<std::uint8_t>(mask - masks.begin()));
        const int stored = std::popcount(sums.mask) - (sums.gaps == 0); // without gaps the last one is what is left of 255
        for (int i = 0; i < stored; ++i)
            nodes.putByte(shares[static_cast<std::size_t>(i)]);
    }
    out.put(maskCount);
    for (std::size_t i = 0; i < maskCount; ++i)
        out.put(masks[i]);
    out.put(nodes.size());
    out.append(nodes.bytes());
}

} // namespace helio
