#pragma once

#include "core/clock/fit/corridor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// Upper or lower bound `y` of the offset between two clocks at time `x`, implied by one message.
struct OffsetBound {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::uint32_t message = 0; ///< Index of the message that implies the bound.
    bool isCeiling = false; ///< True if the offset is at most y; false if it is at least y.
};

/// Result of findConsensus(). The corridor lies between the ceilings and floors of most messages. The outliers are the few messages whose
/// bounds contradict this corridor.
struct Consensus {
    Corridor corridor;
    std::vector<std::uint32_t> outliers; ///< Messages that contradict the other messages, ascending.
    /// True if a line fits between the ceilings and floors of the corridor. False if more than `most` messages (see findConsensus())
    /// contradict each other, or if there are only ceilings or only floors.
    bool isOpen = false;
};

/// Finds a corridor after removing at most `most` contradicting bounds, one at a time. Some bounds determine the gap between ceilings and
/// floors; of these, the function removes the bound without which the gap is widest.
/// Cost: a sort if no bounds contradict each other; else several passes over all bounds, plus a little for each removed bound.
Consensus findConsensus(std::span<const OffsetBound> bounds, std::size_t most, const std::stop_token& stop = {});

/// Line that violates the bounds least. It is found by moving ceilings and floors apart until a line fits between them.
struct LeastViolatedLine {
    long double slope = 0;
    std::int64_t x = 0;
    std::int64_t y = 0;
};
LeastViolatedLine findLeastViolatedLine(std::span<const OffsetBound> bounds);

} // namespace helio
