#pragma once

#include "core/clock/fit/clock_fit.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// Known relation of two hosts' clocks.
struct HostClockPair {
    std::uint32_t here = 0; ///< Host of the clock that is compared.
    std::uint32_t there = 0; ///< Host of the clock with which that of `here` is compared.
    ClockFit fit;
    /// True if the user or a file gave the relation for `here`: paths from `here` begin with this pair, even if another pair has a smaller
    /// error.
    bool isGiven = false;
};

/// How a host's clock is converted to the reference host's clock.
struct HostClockPath {
    /// Hosts between the host and the reference, then the reference. Empty if the host is the reference or is not reached.
    std::vector<std::uint32_t> hosts;
    bool isReached = false; ///< True if a path leads to the reference.
    /// Correlation of the host's clock to the reference's, composed of all steps. Counts, span and outliers are those of the first step.
    ClockFit fit;
};

/// Finds for each host the path to the reference with the smallest sum of errors. Pairs whose fit failed are never used; pairs that bound
/// the offset on one side only where no other path exists.
/// Cost: quadratic in the pairs at worst.
std::vector<HostClockPath> findClockPaths(std::uint32_t reference, std::uint32_t hosts, std::span<const HostClockPair> pairs);

/// Returns the fit from the clock of `first` to the clock that `second` leads to; errors add up.
ClockFit composed(const ClockFit& first, const ClockFit& second);

} // namespace helio
