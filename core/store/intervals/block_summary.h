#pragma once

#include "core/store/intervals/level_node.h"

#include <array>
#include <cstdint>

namespace helio {

/// Number of intervals in one state in one block, and their total, shortest and longest time in ns.
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

/// Directory data of a block.
struct BlockSummary {
    LevelNode node;
    StateTimes times; ///< Only the elements of the node's states are set.
};

} // namespace helio
