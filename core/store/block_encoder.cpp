#include "core/store/block_codec.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace helio {

/// What goes into a node inside a block.
struct BlockEncoder::Sums {
    std::int64_t length = 0;
    std::int64_t longest = 0;
    std::size_t longestItem = 0;
    std::size_t gaps = 0;
    std::uint32_t mask = 0;
    std::array<std::int64_t, 32> times; // only those of the mask are set

    void addTime(std::size_t state, std::int64_t time)
    {
        const std::uint32_t bit = 1u << state;
        times[state] = (mask & bit ? times[state] : 0) + time;
        mask |= bit;
    }

    void offerLongest(std::int64_t candidate, std::size_t item)
    {
        if (candidate <= longest)
            return;
        longest = candidate;
        longestItem = item;
    }

    void add(const BlockItem& item, std::size_t place)
    {
        length += item.length;
        if (item.state == format::GapState) {
            ++gaps;
            return;
        }
        offerLongest(item.length, place);
        addTime(item.state, item.length);
    }

    void add(const Sums& part)
    {
        length += part.length;
        gaps += part.gaps;
        offerLongest(part.longest, part.longestItem);
        for (std::uint32_t states = part.mask; states != 0; states &= states - 1) {
            const auto state = static_cast<std::size_t>(std::countr_zero(states));
            addTime(state, part.times[state]);
        }
    }
};

namespace {

unsigned lengthKind(std::int64_t length)
{
    const auto value = static_cast<std::uint64_t>(length);
    return (value > format::LengthMask[0]) + (value > format::LengthMask[1]) + (value > format::LengthMask[2]);
}

void putNumber(std::uint64_t value, std::size_t bytes, ByteWriter& out)
{
    for (; bytes > 0; --bytes, value >>= 8)
        out.putByte(static_cast<std::uint8_t>(value));
}

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

} // namespace

void BlockEncoder::encode(std::int64_t begin, std::span<const BlockItem> items, ByteWriter& out, BlockFacts& facts)
{
    assert(!items.empty() && items.size() <= format::BlockItems);
    facts = factsOf(begin, items);
    assignCodes(items);
    const unsigned codes = m_pairs.size() == 1 ? 0 : m_pairs.size() <= 16 ? 1 : m_pairs.size() <= 256 ? 2 : 3;
    const unsigned values = valueWidth();
    out.putByte(static_cast<std::uint8_t>(codes | values << 2));
    out.put(items.size());
    out.put(m_pairs.size());
    m_lengths.clear();
    if (items.size() > format::GroupItems) {
        putLevels(items, facts.node.mask, out);
    } else {
        putPairs(values, out);
        putLengths(items);
    }
    putCodes(codes, out);
    out.append(m_lengths.bytes());
}

unsigned BlockEncoder::codeOf(std::uint32_t value, std::uint8_t state)
{
    const std::uint64_t key = static_cast<std::uint64_t>(value) << 8 | state;
    std::size_t at = (key * 0x9e3779b97f4a7c15u) >> 54;
    for (;; at = (at + 1) % m_slots.size()) {
        Slot& slot = m_slots[at];
        if (slot.generation != m_generation) {
            slot = {key, m_generation, static_cast<std::uint32_t>(m_pairs.size())};
            m_pairs.push_back({value, state});
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

unsigned BlockEncoder::valueWidth() const
{
    std::uint32_t all = 0;
    for (const Pair& pair : m_pairs)
        all |= pair.value;
    return all == 0 ? 0 : all <= 0xff ? 1 : all <= 0xffff ? 2 : 3;
}

void BlockEncoder::putPairs(unsigned width, ByteWriter& out) const
{
    for (const Pair& pair : m_pairs) {
        out.putByte(pair.state);
        putNumber(pair.value, format::ValueBytes[width], out);
    }
}

void BlockEncoder::putCodes(unsigned width, ByteWriter& out) const
{
    const std::size_t count = m_codes.size();
    switch (format::CodeBits[width]) {
    case 0: break;
    case 4:
        for (std::size_t i = 0; i < count; i += 2)
            out.putByte(static_cast<std::uint8_t>(m_codes[i] | (i + 1 < count ? m_codes[i + 1] << 4 : 0)));
        break;
    case 8:
        for (const std::uint16_t code : m_codes)
            out.putByte(static_cast<std::uint8_t>(code));
        break;
    default: std::memcpy(out.extend(count * 2), m_codes.data(), count * 2);
    }
}

std::size_t BlockEncoder::putLengths(std::span<const BlockItem> items)
{
    const std::size_t before = m_lengths.size();
    const std::size_t controls = (items.size() + 3) / 4;
    std::byte* const control = m_lengths.extend(controls + 8 * items.size());
    std::byte* at = control + controls;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const unsigned kind = lengthKind(items[i].length);
        control[i / 4] |= static_cast<std::byte>(kind << (2 * (i % 4))); // extend() gives zeros
        std::memcpy(at, &items[i].length, 8);
        at += format::LengthBytes[kind];
    }
    const auto size = static_cast<std::size_t>(at - control);
    m_lengths.shrink(controls + 8 * items.size() - size);
    return m_lengths.size() - before;
}

void BlockEncoder::putNode(const Sums& sums, ByteWriter& out)
{
    auto mask = std::find(m_masks.begin(), m_masks.end(), sums.mask);
    if (mask == m_masks.end())
        mask = m_masks.insert(mask, sums.mask);
    std::array<std::uint8_t, 32> shares;
    roundShares(sums.times.data(), sums.mask, static_cast<double>(sums.length), shares.data());

    const unsigned length = lengthKind(sums.length);
    const unsigned longest = lengthKind(sums.longest);
    out.putByte(static_cast<std::uint8_t>(length | longest << 2));
    putNumber(static_cast<std::uint64_t>(sums.length), format::LengthBytes[length], out);
    putNumber(static_cast<std::uint64_t>(sums.longest), format::LengthBytes[longest], out);
    putNumber(m_codes[sums.longestItem], m_pairs.size() > 256 ? 2 : 1, out);
    out.putByte(static_cast<std::uint8_t>(sums.gaps));
    out.putByte(static_cast<std::uint8_t>(mask - m_masks.begin()));
    const int stored = std::popcount(sums.mask) - (sums.gaps == 0); // without gaps the last one is what is left of 255
    for (int i = 0; i < stored; ++i)
        out.putByte(shares[static_cast<std::size_t>(i)]);
}

void BlockEncoder::putLevels(std::span<const BlockItem> items, std::uint32_t blockMask, ByteWriter& out)
{
    m_masks.clear();
    m_stretchNodes.clear();
    m_groupNodes.clear();
    for (std::size_t first = 0; first < items.size(); first += format::StretchItems) {
        const std::size_t end = std::min(first + format::StretchItems, items.size());
        const std::size_t nodesBefore = m_groupNodes.size();
        const std::size_t lengthsBefore = m_lengths.size();
        Sums stretch;
        for (std::size_t i = first; i < end; i += format::GroupItems) {
            const auto group = items.subspan(i, std::min(format::GroupItems, end - i));
            Sums sums;
            for (std::size_t k = 0; k < group.size(); ++k)
                sums.add(group[k], i + k);
            stretch.add(sums);
            putNode(sums, m_groupNodes);
            putNumber(putLengths(group), 2, m_groupNodes);
        }
        if (items.size() > format::StretchItems) {
            putNode(stretch, m_stretchNodes);
            putNumber(m_lengths.size() - lengthsBefore, 2, m_stretchNodes);
            putNumber(m_groupNodes.size() - nodesBefore, 2, m_stretchNodes);
        }
    }
    out.put(m_masks.size());
    out.put(m_stretchNodes.size());
    out.put(m_groupNodes.size());
    putPairs(valueWidth(), out);
    for (const std::uint32_t mask : m_masks)
        putNumber(mask, (std::bit_width(blockMask) + 7u) / 8u, out);
    out.append(m_stretchNodes.bytes());
    out.append(m_groupNodes.bytes());
}

} // namespace helio
