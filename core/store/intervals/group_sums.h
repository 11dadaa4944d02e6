#pragma once

#include "core/store/boundary.h"
#include "core/store/intervals/block_facts.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace helio {

/// A group, a stretch or the block while its items are summed up.
struct ItemRun {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t longest = 0;
    std::uint64_t longestKey = 0;
    std::uint64_t lengths = 0; ///< All bits of all of them.
    std::uint64_t states = 0; ///< Bit n: state n is present; GapState: a gap.
    std::uint64_t gaps = 0;

    std::uint32_t mask() const { return static_cast<std::uint32_t>(states); }

    /// Takes in the next part in time.
    void append(const ItemRun& part)
    {
        end = part.end;
        lengths |= part.lengths;
        states |= part.states;
        gaps += part.gaps;
        if (part.longest > longest) {
            longest = part.longest;
            longestKey = part.longestKey;
        }
    }

    format::Widths widths() const { return {format::bytesFor(lengths), format::bytesFor(longestKey), format::bytesFor(mask())}; }
};

struct GroupParts;

/// Sums up a block's items, group by group. Full groups of short items are summed up eight items at a time where the processor can: 12
/// instructions an item instead of 24.
class GroupSums {
public:
    explicit GroupSums(bool mayUseAvx2 = true);

    /// Forgets the block before.
    void begin();
    /// Takes in the next items, at most GroupItems and the boundary that ends the last.
    ItemRun add(const Boundary* items, std::size_t count);

    /// Of the items that were last taken in.
    const std::uint64_t* lengths() const { return m_lengths.data(); }
    /// What was spent in a state since begin().
    std::int64_t totalOf(std::size_t state) const { return m_times[state].total; }
    StateTime timeOf(std::size_t state) const;

private:
    /// Eight numbers at once; where the processor has no such registers, the compiler makes do.
    using Lanes [[gnu::vector_size(32)]] = std::int32_t;
    static constexpr std::size_t LaneCount = 8;
    friend struct GroupParts;
    /// One state's items in full groups: each lane has every eighth of them.
    struct StateLanes {
        Lanes count;
        Lanes min;
        Lanes max;
    };

    ItemRun addOneByOne(const Boundary* items, std::size_t count);
    ItemRun addFullGroup(const Boundary* items);
    ItemRun addFullGroupAvx2(const Boundary* items);
    bool addParts(const Boundary* items, const GroupParts& parts, ItemRun& run);
    void addState(int state, const GroupParts& parts);

    bool m_usesAvx2 = false;
    std::array<StateTime, 33> m_times; ///< By state; the last is the gaps'. All of each state's total; the rest without what is in lanes.
    std::array<StateLanes, 32> m_lanes;
    std::uint32_t m_laneStates = 0; ///< Those that have any.
    std::array<std::uint64_t, format::GroupItems> m_lengths;
};

} // namespace helio
