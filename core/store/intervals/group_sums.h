#pragma once

#include "core/store/boundary.h"
#include "core/store/intervals/block_summary.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace helio {

/// Sums over consecutive items: over a group, over a stretch (which consists of groups) or over a block (which consists of stretches).
struct ItemRun {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t longest = 0;
    std::uint64_t longestKey = 0;
    std::uint64_t lengths = 0; ///< Bitwise OR of the lengths of all items; its highest bit gives the width of the lengths.
    std::uint64_t states = 0; ///< State mask: bit n is set if state n occurs; bit GapState if a gap occurs.
    std::uint64_t gaps = 0;

    std::uint32_t mask() const { return static_cast<std::uint32_t>(states); }

    /// Appends `part`, whose items directly follow these items in time.
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

struct GroupColumns;

/// Sums up the items of a block, group by group. Full groups of short items are summed eight items at a time if the processor has AVX2: 12
/// instructions per item instead of 24.
class GroupSums {
public:
    explicit GroupSums(bool mayUseAvx2 = true);

    /// Resets the sums for a new block.
    void begin();
    /// Returns the sums of the next `count` items, at most GroupItems; `items` also has the boundary that ends the last item.
    ItemRun add(const Boundary* items, std::size_t count);

    /// Lengths of the items of the last add() call.
    const std::uint64_t* lengths() const { return m_lengths.data(); }
    /// Returns the total time in a state since begin().
    std::int64_t totalOf(std::size_t state) const { return m_times[state].total; }
    StateTime timeOf(std::size_t state) const;

private:
    /// Vector of eight 32-bit numbers. The compiler emulates it on processors without vector registers of that size.
    using Lanes [[gnu::vector_size(32)]] = std::int32_t;
    static constexpr std::size_t LaneCount = 8;
    friend struct GroupColumns;
    /// Sums over the items with one state, for groups of 32 items. Element i of each vector sums up the items i, i + 8, i + 16 and i +
    /// 24 of a group.
    struct StateLanes {
        Lanes count;
        Lanes min;
        Lanes max;
    };

    ItemRun addOneByOne(const Boundary* items, std::size_t count);
    ItemRun addFullGroup(const Boundary* items);
    ItemRun addFullGroupAvx2(const Boundary* items);
    bool addColumns(const Boundary* items, const GroupColumns& parts, ItemRun& run);
    void addState(int state, const GroupColumns& parts);

    bool m_usesAvx2 = false;
    /// Times by state; the last element is for gaps. Totals are complete. Count, min and max do not yet include the items that are summed
    /// in m_lanes.
    std::array<StateTime, 33> m_times;
    std::array<StateLanes, 32> m_lanes;
    std::uint32_t m_laneStates = 0; ///< Bit n is set if m_lanes[n] is in use.
    std::array<std::uint64_t, format::GroupItems> m_lengths;
};

} // namespace helio
