#include "core/store/intervals/group_sums.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace helio {

/// Durations (in ns) and states of the intervals of a full group, as separate arrays.
struct GroupColumns {
    using Lanes = GroupSums::Lanes;
    static constexpr std::size_t LaneCount = GroupSums::LaneCount;

    std::array<Lanes, format::GroupItems / LaneCount> lengths; ///< Low 32 bits of the items' lengths.
    std::array<Lanes, format::GroupItems / LaneCount> states;
    std::uint64_t allLengths = 0; ///< Bitwise OR of the complete lengths (64 bits), which tells whether the 32 bits in `lengths` suffice.
};

namespace {

/// Maximum width of the lengths in a group, in bits (of ns), for which the group is summed up in 32-bit numbers.
constexpr unsigned ShortBits = 26;
static_assert((std::uint64_t(format::GroupItems) << ShortBits) <= (std::uint64_t(1) << 31));

[[gnu::always_inline]] inline void splitIntoColumns(const Boundary* items, GroupColumns& parts, std::uint64_t* lengths)
{
    for (std::size_t i = 0; i < format::GroupItems; ++i) {
        lengths[i] = static_cast<std::uint64_t>(items[i + 1].begin - items[i].begin);
        parts.allLengths |= lengths[i];
        parts.lengths[i / 8][i % 8] = static_cast<std::int32_t>(lengths[i]);
        parts.states[i / 8][i % 8] = static_cast<std::int32_t>(stateIn(items[i].key));
    }
}

#if defined(__x86_64__)
[[gnu::always_inline, gnu::target("avx2")]] inline __m256i load(const Boundary* two)
{
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(two));
}

/// Returns the lower halves of eight 64-bit numbers.
[[gnu::always_inline, gnu::target("avx2")]] inline __m256i lowHalves(__m256i first, __m256i second)
{
    const __m256 mixed = _mm256_shuffle_ps(_mm256_castsi256_ps(first), _mm256_castsi256_ps(second), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xd8);
}

/// AVX2 version of splitIntoColumns(): 4 instructions per item instead of 10. Compilers do not generate this code by themselves.
[[gnu::always_inline, gnu::target("avx2")]] inline void splitIntoColumnsAvx2(const Boundary* items, GroupColumns& parts,
                                                                             std::uint64_t* lengths)
{
    static_assert(sizeof(Boundary) == 16 && offsetof(Boundary, key) == 8);
    const __m256i stateBits = _mm256_set1_epi32((1 << format::KeyStateBits) - 1);
    __m256i all = _mm256_setzero_si256();
#pragma GCC unroll 4
    for (std::size_t i = 0; i < format::GroupItems; i += 8) {
        __m256i own[2];
        __m256i keys[2];
#pragma GCC unroll 2
        for (std::size_t j = 0; j < 2; ++j) {
            const Boundary* const at = items + i + 4 * j;
            const __m256i two = load(at); // Contents of the register: begin, key, begin and key of two consecutive boundaries.
            const __m256i twoMore = load(at + 2);
            const __m256i first = _mm256_sub_epi64(load(at + 1), two);
            const __m256i second = _mm256_sub_epi64(load(at + 3), twoMore);
            own[j] = _mm256_permute4x64_epi64(_mm256_unpacklo_epi64(first, second), 0xd8);
            keys[j] = _mm256_permute4x64_epi64(_mm256_unpackhi_epi64(two, twoMore), 0xd8);
            all = _mm256_or_si256(all, own[j]);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(lengths + i + 4 * j), own[j]);
        }
        _mm256_store_si256(reinterpret_cast<__m256i*>(&parts.lengths[i / 8]), lowHalves(own[0], own[1]));
        _mm256_store_si256(reinterpret_cast<__m256i*>(&parts.states[i / 8]), _mm256_and_si256(lowHalves(keys[0], keys[1]), stateBits));
    }
    const __m128i half = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    parts.allLengths = static_cast<std::uint64_t>(_mm_cvtsi128_si64(half) | _mm_extract_epi64(half, 1));
}
#endif

/// Combines all lanes with `join`. Parameters are references, because passing vectors by value would require one register size in all
/// builds.
template <typename Lanes, typename Join> [[gnu::always_inline]] inline std::int32_t reduced(const Lanes& all, Join join)
{
    Lanes lanes = all;
    join(lanes, __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 4, 5, 6, 7));
    join(lanes, __builtin_shufflevector(lanes, lanes, 2, 3, 2, 3, 2, 3, 2, 3));
    join(lanes, __builtin_shufflevector(lanes, lanes, 1, 1, 1, 1, 1, 1, 1, 1));
    return lanes[0];
}

constexpr auto addUp = [](auto& a, const auto& b) __attribute__((always_inline)) { a += b; };

} // namespace

GroupSums::GroupSums([[maybe_unused]] bool mayUseAvx2)
{
#if defined(__x86_64__)
    m_usesAvx2 = mayUseAvx2 && __builtin_cpu_supports("avx2");
#endif
}

void GroupSums::begin()
{
    m_times.fill({0, 0, std::numeric_limits<std::int64_t>::max(), 0});
    m_laneStates = 0;
}

StateTime GroupSums::timeOf(std::size_t state) const
{
    StateTime time = m_times[state];
    if ((m_laneStates >> state & 1) == 0)
        return time;
    const StateLanes& lanes = m_lanes[state];
    for (std::size_t i = 0; i < LaneCount; ++i) {
        time.count += static_cast<std::uint64_t>(lanes.count[i]);
        time.min = std::min<std::int64_t>(time.min, lanes.min[i]);
        time.max = std::max<std::int64_t>(time.max, lanes.max[i]);
    }
    return time;
}

ItemRun GroupSums::add(const Boundary* items, std::size_t count)
{
    if (count < format::GroupItems)
        return addOneByOne(items, count);
    return m_usesAvx2 ? addFullGroupAvx2(items) : addFullGroup(items);
}

ItemRun GroupSums::addFullGroup(const Boundary* items)
{
    GroupColumns parts;
    splitIntoColumns(items, parts, m_lengths.data());
    ItemRun run;
    return addColumns(items, parts, run) ? run : addOneByOne(items, format::GroupItems);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] ItemRun GroupSums::addFullGroupAvx2(const Boundary* items)
{
    GroupColumns parts;
    splitIntoColumnsAvx2(items, parts, m_lengths.data());
    ItemRun run;
    return addColumns(items, parts, run) ? run : addOneByOne(items, format::GroupItems);
}
#else
ItemRun GroupSums::addFullGroupAvx2(const Boundary* items) { return addFullGroup(items); }
#endif

/// Sums up a group in 32-bit numbers. Returns false, without adding anything, if an item of the group is longer than ShortBits bits can
/// express.
[[gnu::always_inline]] inline bool GroupSums::addColumns(const Boundary* items, const GroupColumns& parts, ItemRun& run)
{
    static_assert(format::GroupItems == 32 && format::GapState == 32);
    constexpr Lanes One = Lanes{} + 1;
    Lanes gaps = {};
    Lanes all = {};
    // Each element contains an item's length and, in the low 5 bits, the number of items after it. The maximum is thus the longest item,
    // and the first one if several items are equally long.
    Lanes longest = {};
    Lanes following = {31, 30, 29, 28, 27, 26, 25, 24};
#pragma GCC unroll 4
    for (std::size_t i = 0; i < parts.states.size(); ++i, following -= int(LaneCount)) {
        const Lanes isGap = parts.states[i] == int(format::GapState);
        gaps -= isGap;
        all |= One << (parts.states[i] & 31) & ~isGap;
        const Lanes length = (parts.lengths[i] << 5 | following) & ~isGap;
        longest = length > longest ? length : longest;
    }
    const auto either = [](Lanes & a, const Lanes& b) __attribute__((always_inline)) { a |= b; };
    const auto more = [](Lanes & a, const Lanes& b) __attribute__((always_inline)) { a = a > b ? a : b; };
    if (parts.allLengths >> ShortBits != 0)
        return false;
    const auto states = static_cast<std::uint32_t>(reduced(all, either));
    for (std::uint32_t left = states; left != 0; left &= left - 1)
        addState(std::countr_zero(left), parts);
    const auto most = static_cast<std::uint32_t>(reduced(longest, more));
    const std::size_t place = format::GroupItems - 1 - most % 32;
    const auto gapCount = static_cast<std::uint64_t>(reduced(gaps, addUp));
    const std::uint64_t present = states | std::uint64_t(gapCount > 0) << format::GapState;
    run = {items[0].begin, items[format::GroupItems].begin, most >> 5, items[place].key, parts.allLengths, present, gapCount};
    return true;
}

/// Adds the items in `state` to the sums of that state.
[[gnu::always_inline]] inline void GroupSums::addState(int state, const GroupColumns& parts)
{
    constexpr Lanes Most = Lanes{} + std::numeric_limits<std::int32_t>::max();
    StateLanes& known = m_lanes[static_cast<std::size_t>(state)];
    const std::uint32_t bit = std::uint32_t(1) << state;
    if ((m_laneStates & bit) == 0)
        known = {Lanes{}, Most, Lanes{}};
    m_laneStates |= bit;
    StateLanes lanes = known;
    Lanes total = {};
#pragma GCC unroll 4
    for (std::size_t i = 0; i < parts.states.size(); ++i) {
        const Lanes own = parts.states[i] == state;
        const Lanes length = parts.lengths[i] & own;
        const Lanes lengthOrMost = own ? parts.lengths[i] : Most;
        total += length;
        lanes.count -= own;
        lanes.max = length > lanes.max ? length : lanes.max;
        lanes.min = lengthOrMost < lanes.min ? lengthOrMost : lanes.min;
    }
    known = lanes;
    m_times[static_cast<std::size_t>(state)].total += reduced(total, addUp);
}

ItemRun GroupSums::addOneByOne(const Boundary* items, std::size_t count)
{
    StateTime* const times = m_times.data();
    const std::uint64_t gapsBefore = times[format::GapState].count;
    std::uint64_t lengths = 0;
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
        states |= std::uint64_t(1) << state;
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
    return {items[0].begin, begin, longest, longestKey, lengths, states, times[format::GapState].count - gapsBefore};
}

} // namespace helio
