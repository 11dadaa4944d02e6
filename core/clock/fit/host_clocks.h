#pragma once

#include "core/clock/fit/clock_fit.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// A pair of hosts for which the relation of the two clocks is known.
struct HostClockPair {
    std::uint32_t here = 0; ///< Index of the host whose clock `fit` converts from.
    std::uint32_t there = 0; ///< Index of the host whose clock `fit` converts to.
    ClockFit fit;
    /// True if the user or a file gave the relation for `here`. Paths from `here` then begin with this pair, even if another pair has a
    /// smaller error.
    bool isGiven = false;
};

/// Conversion of a host's clock to the reference host's clock, in steps from host to host.
struct HostClockPath {
    /// Hosts on the path after the host itself; the reference is last. Empty if the host is the reference or no path exists.
    std::vector<std::uint32_t> hosts;
    bool isReached = false; ///< True if the host is the reference or a path to the reference exists.
    /// Conversion of the host's clock to the reference's clock, composed of the fits of all steps on the path. The numbers of messages, the
    /// span and the outliers are those of the path's first step.
    ClockFit fit;
};

/// Finds for each host the path to the reference with the smallest sum of errors. Pairs with a failed fit are never used. Pairs that bound
/// the offset on one side only are used where no other path exists.
/// Cost: quadratic in the number of pairs at worst.
std::vector<HostClockPath> findClockPaths(std::uint32_t reference, std::uint32_t hosts, std::span<const HostClockPair> pairs);

/// Returns the composition of two fits: from the clock of `first` to the clock that `second` converts to. Errors add up.
ClockFit composed(const ClockFit& first, const ClockFit& second);

} // namespace helio
