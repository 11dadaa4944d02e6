#pragma once

#include "core/clock/fit/corridor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// Bound on the offset between two clocks at x, implied by one message.
struct OffsetBound {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::uint32_t message = 0; ///< Index of the message.
    bool isCeiling = false; ///< True if the offset is at most y; false if it is at least y.
};

/// Corridor that most bounds leave open, and the few messages that contradict them.
struct Consensus {
    Corridor corridor;
    std::vector<std::uint32_t> outliers; ///< Messages that contradict the other messages, ascending.
    bool isOpen = false; ///< False if more than `most` messages contradict each other, or if one side has no bound.
};

/// Leaves out bounds that close the corridor, one by one, at most `most`. Among the bounds at the tightest point it leaves out the bound
/// without which the remaining bounds fit together best.
/// Cost: a sort if the bounds agree; else some passes over all bounds, plus little for each bound that is left out.
Consensus findConsensus(std::span<const OffsetBound> bounds, std::size_t most, const std::stop_token& stop = {});

/// Line that violates the bounds least: the middle line after ceilings and floors are moved apart until exactly one line fits.
struct LeastViolatedLine {
    long double slope = 0;
    std::int64_t x = 0;
    std::int64_t y = 0;
};
LeastViolatedLine findLeastViolatedLine(std::span<const OffsetBound> bounds);

} // namespace helio
