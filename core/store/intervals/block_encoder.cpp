#include "core/store/intervals/block_encoder.h"

#include "core/store/file/byte_codec.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

namespace helio {

using format::Widths;

namespace {

/// Writes the low `bytes` bytes of a number. Always copies 8 bytes; the output that follows overwrites the surplus bytes.
std::byte* put(std::byte* at, std::uint64_t value, unsigned bytes)
{
    std::memcpy(at, &value, 8);
    return at + bytes;
}

std::byte* append(std::byte* at, const std::byte* begin, const std::byte* end)
{
    const auto size = static_cast<std::size_t>(end - begin);
    std::memcpy(at, begin, size);
    return at + size;
}

/// Writes the low bytes of each number of a group, without gaps.
template <unsigned Bytes> std::byte* putLow(const std::uint64_t* numbers, std::size_t count, std::byte* at)
{
    if (count == format::GroupItems) { // Nearly always true. With this constant count, the loop needs only two instructions per number.
#pragma GCC unroll 32
        for (std::size_t i = 0; i < format::GroupItems; ++i)
            std::memcpy(at + i * Bytes, &numbers[i], 8);
    } else {
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(at + i * Bytes, &numbers[i], 8);
    }
    return at + count * Bytes;
}

} // namespace

std::span<const std::byte> BlockEncoder::encode(std::span<const Boundary> items, BlockSummary& facts)
{
    const std::size_t count = items.size() - 1;
    assert(count >= 1 && count <= format::BlockItems);
    m_sums.begin();
    m_nextLength = m_lengths.data();
    m_nextGroup = m_groups.data();
    m_nextStretch = m_stretches.data();
    assignCodes(items);
    std::byte* at = putNumber(m_block.data(), count);
    at = putKeys(at);
    ItemRun block;
    if (count > format::GroupItems) {
        encodeGroups(items, block);
        at = putNumber(at, static_cast<std::size_t>(m_nextStretch - m_stretches.data()));
        at = putNumber(at, static_cast<std::size_t>(m_nextGroup - m_groups.data()));
        at = append(at, m_stretches.data(), m_nextStretch);
        at = append(at, m_groups.data(), m_nextGroup);
    } else {
        block = m_sums.add(items.data(), count);
        putLengths(count, block.widths().length);
        *at++ = static_cast<std::byte>(block.widths().byte());
    }
    at = putCodes(count, at);
    at = append(at, m_lengths.data(), m_nextLength);
    fillFacts(items, block, facts);
    return {m_block.data(), at};
}

void BlockEncoder::assignCodes(std::span<const Boundary> items)
{
    std::fill_n(m_keys.begin(), m_keyCount, NoKey);
    m_keyCount = 0;
    if (++m_blockNumber == 0) {
        m_slots.fill({});
        m_blockNumber = 1;
    }
    std::uint16_t* code = m_codes.data();
    const auto codeOf = [this](std::uint64_t key) {
        // Multiplicative hashing spreads keys, which are small numbers.
        const std::size_t slot = (static_cast<std::uint32_t>(key) * 0x9e3779b1u) >> (32 - SlotBits);
        const std::uint16_t known = m_slots[slot].code;
        return m_keys[known] == key ? known : findCode(key, slot);
    };
    const Boundary* const end = items.data() + items.size() - 1;
#pragma GCC unroll 8
    for (const Boundary* item = items.data(); item < end; ++item, ++code)
        *code = codeOf(item->key);
    std::fill_n(code, CodesAtOnce, std::uint16_t(0));
}

/// Returns the code of a key, which is the key's index in m_keys. Searches the hash table from `slot` on, and adds the key if it is new.
[[gnu::noinline]] std::uint16_t BlockEncoder::findCode(std::uint64_t key, std::size_t slot)
{
    while (m_slots[slot].block == m_blockNumber && m_keys[m_slots[slot].code] != key)
        slot = (slot + 1) % m_slots.size();
    if (m_slots[slot].block != m_blockNumber) {
        m_slots[slot] = {static_cast<std::uint16_t>(m_keyCount), m_blockNumber};
        m_keys[m_keyCount++] = key;
    }
    return m_slots[slot].code;
}

std::byte* BlockEncoder::putKeys(std::byte* at) const
{
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < m_keyCount; ++i)
        all |= m_keys[i];
    const unsigned bytes = format::bytesFor(all);
    at = putNumber(at, m_keyCount);
    *at++ = static_cast<std::byte>(bytes);
    for (std::size_t i = 0; i < m_keyCount; ++i)
        at = put(at, m_keys[i], bytes);
    return at;
}

std::byte* BlockEncoder::putCodes(std::size_t count, std::byte* at) const
{
    const unsigned bits = format::codeBits(m_keyCount);
    // Packs the codes of CodesAtOnce items at a time. The number of items is constant and `packed` is a separate array, so that the
    // compiler can vectorize the loops.
    const auto eachFew = [&]<std::size_t Bytes>(std::array<std::byte, Bytes> packed, auto pack) {
        for (std::size_t i = 0; i < count; i += CodesAtOnce) {
            pack(&m_codes[i], packed);
            std::memcpy(at + i * bits / 8, packed.data(), Bytes);
        }
    };
    if (bits == 4)
        eachFew(std::array<std::byte, CodesAtOnce / 2>(), [](const std::uint16_t* codes, auto& packed) {
            for (std::size_t i = 0; i < packed.size(); ++i) {
                std::uint32_t two = 0;
                std::memcpy(&two, codes + 2 * i, sizeof two);
                packed[i] = static_cast<std::byte>(two | two >> 12);
            }
        });
    else if (bits == 8)
        eachFew(std::array<std::byte, CodesAtOnce>(), [](const std::uint16_t* codes, auto& packed) {
            for (std::size_t i = 0; i < packed.size(); ++i)
                packed[i] = static_cast<std::byte>(codes[i]);
        });
    else if (bits == 16)
        std::memcpy(at, m_codes.data(), count * 2);
    return at + (count * bits + 7) / 8;
}

void BlockEncoder::encodeGroups(std::span<const Boundary> items, ItemRun& block)
{
    const std::size_t count = items.size() - 1;
    m_groupBefore.fill(0);
    m_stretchBefore.fill(0);
    for (std::size_t first = 0; first < count; first += format::StretchItems) {
        const std::size_t end = std::min(first + format::StretchItems, count);
        const std::byte* const groupsBefore = m_nextGroup;
        const std::byte* const lengthsBefore = m_nextLength;
        ItemRun stretch;
        stretch.begin = items[first].begin;
        for (std::size_t i = first; i < end; i += format::GroupItems) {
            const std::size_t size = std::min(format::GroupItems, end - i);
            const ItemRun group = m_sums.add(&items[i], size);
            const Widths widths = group.widths();
            m_nextGroup = putNode(group, widths, m_groupBefore, m_nextGroup);
            putLengths(size, widths.length);
            stretch.append(group);
        }
        if (count > format::StretchItems) {
            m_nextStretch = putNode(stretch, stretch.widths(), m_stretchBefore, m_nextStretch);
            m_nextStretch = put(m_nextStretch, static_cast<std::uint64_t>(m_nextLength - lengthsBefore), 2);
            m_nextStretch = put(m_nextStretch, static_cast<std::uint64_t>(m_nextGroup - groupsBefore), 2);
        }
        block.append(stretch);
    }
}

void BlockEncoder::putLengths(std::size_t count, unsigned bytes)
{
    const std::uint64_t* const lengths = m_sums.lengths();
    switch (bytes) {
    case 1: m_nextLength = putLow<1>(lengths, count, m_nextLength); break;
    case 2: m_nextLength = putLow<2>(lengths, count, m_nextLength); break;
    case 3: m_nextLength = putLow<3>(lengths, count, m_nextLength); break;
    case 4: m_nextLength = putLow<4>(lengths, count, m_nextLength); break;
    case 5: m_nextLength = putLow<5>(lengths, count, m_nextLength); break;
    case 6: m_nextLength = putLow<6>(lengths, count, m_nextLength); break;
    case 7: m_nextLength = putLow<7>(lengths, count, m_nextLength); break;
    default: m_nextLength = putLow<8>(lengths, count, m_nextLength);
    }
}

std::byte* BlockEncoder::putNode(const ItemRun& run, Widths widths, Totals& before, std::byte* at) const
{
    const std::int64_t length = run.end - run.begin;
    *at++ = static_cast<std::byte>(widths.byte());
    at = put(at, static_cast<std::uint64_t>(length), widths.whole());
    at = put(at, static_cast<std::uint64_t>(run.longest), widths.length);
    at = put(at, run.longestKey, widths.key);
    *at++ = static_cast<std::byte>(run.gaps);
    at = put(at, run.mask(), widths.mask);

    const auto timeOf = [&](std::size_t state) {
        const std::int64_t total = m_sums.totalOf(state);
        return total - std::exchange(before[state], total);
    };
    if ((run.states & (run.states - 1)) == 0) { // An ItemRun with a single state has no shares, because the share would always be 255.
        timeOf(static_cast<std::size_t>(std::countr_zero(run.states)));
        return at;
    }
    std::uint8_t* const shares = reinterpret_cast<std::uint8_t*>(at);
    std::uint8_t* const end = roundSharesOf(timeOf, run.mask(), static_cast<double>(length), shares);
    // Without gaps, the shares of the states add up to 255. The reader computes the last share, so it is not stored.
    return at + (end - shares) - (run.gaps == 0);
}

void BlockEncoder::fillFacts(std::span<const Boundary> items, const ItemRun& block, BlockSummary& facts) const
{
    facts.node.begin = items.front().begin;
    facts.node.end = items.back().begin;
    facts.node.longest = block.longest;
    facts.node.value = valueIn(block.longestKey);
    facts.node.state = State(static_cast<std::uint8_t>(stateIn(block.longestKey)));
    facts.node.mask = block.mask();
    facts.node.count = static_cast<std::uint32_t>(items.size() - 1 - block.gaps);
    facts.node.hasGap = block.gaps > 0;
    for (std::uint32_t states = block.mask(); states != 0; states &= states - 1) {
        const auto state = static_cast<std::size_t>(std::countr_zero(states));
        facts.times[state] = m_sums.timeOf(state);
    }
}

} // namespace helio
