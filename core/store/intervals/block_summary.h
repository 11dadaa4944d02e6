#pragma once

#include "core/store/intervals/level_node.h"

#include <array>
#include <cstdint>

namespace helio {

/// Intervals of one block in one state: their number, and their total, shortest and longest time in ns.
struct StateTime {
    std::uint64_t count = 0;
    std::int64_t total = 0;
    std::int64_t min = 0;
    std::int64_t max = 0;

    void add(std::int64_t length)
    {
        min = count == 0 || length < min ? length : min;
        max = length > max ? length : max;
        total += length;
        ++count;
    }
    void add(const StateTime& other)
    {
        if (other.count == 0)
            return;
        min = count == 0 || other.min < min ? other.min : min;
        max = other.max > max ? other.max : max;
        total += other.total;
        count += other.count;
    }
};
using StateTimes = std::array<StateTime, 32>;

/// Data of a block for the directory.
struct BlockSummary {
    LevelNode node;
    StateTimes times; ///< Times by state; only the elements of states in the node's mask are set.
};

} // namespace helio
