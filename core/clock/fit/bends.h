#pragma once

#include "core/clock/fit/conflicts.h"
#include "core/clock/fit/corridor.h"

#include <cstdint>
#include <span>
#include <vector>

namespace helio {

constexpr std::int64_t LeastStep = 10'000; ///< ns: points are not nearer to each other.

/// A stretch of which nothing says that two clocks do not run evenly beside each other in it.
struct EvenStretch {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    const Corridor* corridor = nullptr; ///< Of the messages in it; open.
};

/// Where the offset is at x, and what it is right within: between two of these, too, on a straight line.
struct BentPoint {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t error = 0;
};

/// Points through the offset in all of the stretches, as many as its bends need. Nobody knows where the drift changes, and a clock that
/// changed it once may do it anywhere: the drift is only taken to stay near the least and the most of all stretches. A message then says of
/// other moments as much as the offset cannot have gone by then; and a straight line between two points is off by what a bend between them
/// can be. `bounds`: those that are obeyed, by x. Cost: some 50 ns a bound, and 5 us a point.
/// None: they contradict each other, or all are of one side.
struct Bends {
    std::vector<BentPoint> points;
    long double drift = 0; ///< How much it can change beyond them.
};
Bends bendsOf(std::span<const EvenStretch> stretches, std::span<const OffsetBound> bounds);

/// Whether a bound can hold beside others, if only the clocks' drift changes, by as much as clocks are slewed: 0.1 %. By x. Cost: some us.
bool isPossibleBeside(const OffsetBound& bound, std::span<const OffsetBound> bounds);

} // namespace helio
