#pragma once

#include "core/clock/fit/corridor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// What one message says of the offset between two clocks at x.
struct OffsetBound {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::uint32_t message = 0; ///< Its number.
    bool isCeiling = false; ///< The offset is not above y; else not below.
};

/// The corridor that most bounds leave open, and the few that contradict them.
struct Consensus {
    Corridor corridor;
    std::vector<std::uint32_t> outliers; ///< Messages, in order.
    bool isOpen = false; ///< False: they contradict each other more than `most` times, or one side has no bound.
};

/// Leaves out the bounds that close the corridor, one by one: of those that are nearest to each other's way, the one without which the
/// others fit together best. Cost: of bounds that agree, a sort's; else some passes over all of them, and little for each one left out.
Consensus consensusOf(std::span<const OffsetBound> bounds, std::size_t most, const std::stop_token& stop = {});

/// The line that breaks the bounds least: the middle one, where they are moved apart by so much that one line is left.
struct LeastBroken {
    long double slope = 0;
    std::int64_t x = 0;
    std::int64_t y = 0;
};
LeastBroken leastBroken(std::span<const OffsetBound> bounds);

} // namespace helio
