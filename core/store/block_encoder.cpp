#include "core/store/block_encoder.h"

#include "core/store/byte_codec.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

namespace helio {

using format::Widths;

/// A group, a stretch or the block while its items are summed up.
struct BlockEncoder::Run {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t longest = 0;
    std::uint64_t longestKey = 0;
    std::uint64_t lengths = 0; ///< All bits of all lengths...
    std::uint64_t keys = 0; ///< ...and keys.
    std::uint64_t states = 0; ///< Bit n: state n is present; GapState: a gap.
    std::uint64_t gaps = 0;

    std::uint32_t mask() const { return static_cast<std::uint32_t>(states); }

    /// Takes in the next part in time.
    void append(const Run& part)
    {
        end = part.end;
        lengths |= part.lengths;
        keys |= part.keys;
        states |= part.states;
        gaps += part.gaps;
        if (part.longest > longest) {
            longest = part.longest;
            longestKey = part.longestKey;
        }
    }

    Widths widths() const { return {format::bytesFor(lengths), format::bytesFor(keys), format::bytesFor(mask())}; }
};

namespace {

/// Appends the number's low bytes; what is written behind them is overwritten by what comes next.
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

/// Appends the low bytes of a group's numbers, of every `Stride`th that lies there.
template <std::size_t Stride, unsigned Bytes> std::byte* putLow(const std::uint64_t* numbers, std::size_t count, std::byte* at)
{
    if (count == format::GroupItems) { // mostly: two instructions a number
#pragma GCC unroll 16
        for (std::size_t i = 0; i < format::GroupItems; ++i)
            std::memcpy(at + i * Bytes, &numbers[i * Stride], 8);
    } else {
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(at + i * Bytes, &numbers[i * Stride], 8);
    }
    return at + count * Bytes;
}

template <std::size_t Stride> std::byte* putColumn(const std::uint64_t* numbers, std::size_t count, unsigned bytes, std::byte* at)
{
    switch (bytes) {
    case 1: return putLow<Stride, 1>(numbers, count, at);
    case 2: return putLow<Stride, 2>(numbers, count, at);
    case 3: return putLow<Stride, 3>(numbers, count, at);
    case 4: return putLow<Stride, 4>(numbers, count, at);
    case 5: return putLow<Stride, 5>(numbers, count, at);
    case 6: return putLow<Stride, 6>(numbers, count, at);
    case 7: return putLow<Stride, 7>(numbers, count, at);
    default: return putLow<Stride, 8>(numbers, count, at);
    }
}

constexpr auto StateBits = [] {
    std::array<std::uint64_t, format::GapState + 1> bits{};
    for (std::size_t i = 0; i < bits.size(); ++i)
        bits[i] = std::uint64_t(1) << i;
    return bits;
}();

} // namespace

std::span<const std::byte> BlockEncoder::encode(std::span<const Boundary> items, BlockFacts& facts)
{
    const std::size_t count = items.size() - 1;
    assert(count >= 1 && count <= format::BlockItems);
    m_times.fill({0, 0, std::numeric_limits<std::int64_t>::max(), 0});
    m_nextItem = m_items.data();
    m_nextGroup = m_groups.data();
    m_nextStretch = m_stretches.data();
    Run block;
    std::byte* at = putNumber(m_block.data(), count);
    if (count > format::GroupItems) {
        encodeGroups(items, block);
        at = putNumber(at, static_cast<std::size_t>(m_nextStretch - m_stretches.data()));
        at = putNumber(at, static_cast<std::size_t>(m_nextGroup - m_groups.data()));
        at = append(at, m_stretches.data(), m_nextStretch);
        at = append(at, m_groups.data(), m_nextGroup);
    } else {
        block = addItems(items.data(), count);
        putItems(items.data(), count, block.widths());
        *at++ = static_cast<std::byte>(block.widths().byte());
    }
    at = append(at, m_items.data(), m_nextItem);
    tellFacts(items, block, facts);
    return {m_block.data(), at};
}

void BlockEncoder::encodeGroups(std::span<const Boundary> items, Run& block)
{
    const std::size_t count = items.size() - 1;
    m_groupBefore.fill(0);
    m_stretchBefore.fill(0);
    for (std::size_t first = 0; first < count; first += format::StretchItems) {
        const std::size_t end = std::min(first + format::StretchItems, count);
        const std::byte* const groupsBefore = m_nextGroup;
        const std::byte* const itemsBefore = m_nextItem;
        Run stretch;
        stretch.begin = items[first].begin;
        for (std::size_t i = first; i < end; i += format::GroupItems) {
            const std::size_t size = std::min(format::GroupItems, end - i);
            const Run group = addItems(&items[i], size);
            const Widths widths = group.widths();
            m_nextGroup = putNode(group, widths, m_groupBefore, m_nextGroup);
            putItems(&items[i], size, widths);
            stretch.append(group);
        }
        if (count > format::StretchItems) {
            m_nextStretch = putNode(stretch, stretch.widths(), m_stretchBefore, m_nextStretch);
            m_nextStretch = put(m_nextStretch, static_cast<std::uint64_t>(m_nextItem - itemsBefore), 2);
            m_nextStretch = put(m_nextStretch, static_cast<std::uint64_t>(m_nextGroup - groupsBefore), 2);
        }
        block.append(stretch);
    }
}

BlockEncoder::Run BlockEncoder::addItems(const Boundary* items, std::size_t count)
{
    // The hottest loop of indexing: 24 instructions an item.
    StateTime* const times = m_times.data();
    const std::uint64_t gapsBefore = times[format::GapState].count;
    std::uint64_t lengths = 0;
    std::uint64_t keys = 0;
    std::uint64_t states = 0;
    std::int64_t longest = 0;
    std::uint64_t longestKey = 0;
    std::int64_t begin = items[0].begin;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t end = items[i + 1].begin;
        const std::int64_t length = end - begin;
        begin = end;
        const std::uint64_t key = items[i].key;
        const std::size_t state = stateIn(key);
        m_lengths[i] = static_cast<std::uint64_t>(length);
        lengths |= static_cast<std::uint64_t>(length);
        keys |= key;
        states |= StateBits[state];
        StateTime& time = times[state];
        ++time.count;
        time.total += length;
        if (length < time.min)
            time.min = length;
        if (length > time.max)
            time.max = length;
        if (length > longest && key != GapKey) {
            longest = length;
            longestKey = key;
        }
    }
    return {items[0].begin, begin, longest, longestKey, lengths, keys, states, times[format::GapState].count - gapsBefore};
}

void BlockEncoder::putItems(const Boundary* items, std::size_t count, Widths widths)
{
    m_nextItem = putColumn<1>(m_lengths.data(), count, widths.length, m_nextItem);
    m_nextItem = putColumn<sizeof(Boundary) / sizeof items->key>(&items->key, count, widths.key, m_nextItem);
}

std::byte* BlockEncoder::putNode(const Run& run, Widths widths, Totals& before, std::byte* at) const
{
    const std::int64_t length = run.end - run.begin;
    *at++ = static_cast<std::byte>(widths.byte());
    at = put(at, static_cast<std::uint64_t>(length), widths.whole());
    at = put(at, static_cast<std::uint64_t>(run.longest), widths.length);
    at = put(at, run.longestKey, widths.key);
    *at++ = static_cast<std::byte>(run.gaps);
    at = put(at, run.mask(), widths.mask);

    const auto timeOf = [&](std::size_t state) {
        const std::int64_t total = m_times[state].total;
        return total - std::exchange(before[state], total);
    };
    if ((run.states & (run.states - 1)) == 0) { // all of it is one state's
        timeOf(static_cast<std::size_t>(std::countr_zero(run.states)));
        return at;
    }
    std::uint8_t* const shares = reinterpret_cast<std::uint8_t*>(at);
    std::uint8_t* const end = roundSharesOf(timeOf, run.mask(), static_cast<double>(length), shares);
    return at + (end - shares) - (run.gaps == 0); // without gaps the last one is what is left of 255
}

void BlockEncoder::tellFacts(std::span<const Boundary> items, const Run& block, BlockFacts& facts) const
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
        facts.times[state] = m_times[state];
    }
}

} // namespace helio
