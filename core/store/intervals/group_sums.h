#pragma once

#include "core/store/boundary.h"
#include "core/store/intervals/block_summary.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace helio {

/// The running sums of a group, a stretch or a block.
struct ItemRun {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t longest = 0;
    std::uint64_t longestKey = 0;
    std::uint64_t lengths = 0; ///< Bitwise or of the lengths of all items.
    std::uint64_t states = 0; ///< Bit n is set if state n is present; bit GapState if there is a gap.
    std::uint64_t gaps = 0;

    std::uint32_t mask() const { return static_cast<std::uint32_t>(states); }

    /// Adds the run that follows in time.
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

/// Sums up the items of a block, group by group. Full groups of short items are summed up eight items at a time if the processor has AVX2:
/// 12 instructions an item instead of 24.
class GroupSums {
public:
    explicit GroupSums(bool mayUseAvx2 = true);

    /// Resets the sums for a new block.
    void begin();
    /// Adds the next `count` items, at most GroupItems, followed by the boundary that ends the last one.
    ItemRun add(const Boundary* items, std::size_t count);

    /// Lengths of the items of the last add().
    const std::uint64_t* lengths() const { return m_lengths.data(); }
    /// Total time in a state since begin().
    std::int64_t totalOf(std::size_t state) const { return m_times[state].total; }
    StateTime timeOf(std::size_t state) const;

private:
    /// Eight 32-bit numbers in one register. The compiler emulates it on processors without such registers.
    using Lanes [[gnu::vector_size(32)]] = std::int32_t;
    static constexpr std::size_t LaneCount = 8;
    friend struct GroupColumns;
    /// Sums of one state's items in full groups. Each lane sums up every eighth item.
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
    /// Indexed by state; the last element is for gaps. Totals are complete; count, min and max lack the items that are counted in m_lanes.
    std::array<StateTime, 33> m_times;
    std::array<StateLanes, 32> m_lanes;
    std::uint32_t m_laneStates = 0; ///< Bit n is set if m_lanes[n] is in use.
    std::array<std::uint64_t, format::GroupItems> m_lengths;
};

} // namespace helio
