#pragma once

#include "core/clock/fit/clock_fit.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// What is known of two hosts' clocks from each other.
struct HostPair {
    std::uint32_t here = 0; ///< The host whose clock is compared,
    std::uint32_t there = 0; ///< and the one that it is compared with.
    ClockFit fit;
    bool isGiven = false; ///< A person, or a file, says it of `here`: it goes no other way, whichever is better.
};

/// How a host's clock came to the reference's.
struct HostPath {
    /// The hosts in between and the reference, from the host on. Empty: the reference itself, or no way leads to it.
    std::vector<std::uint32_t> hosts;
    bool isReached = false;
    ClockFit fit; ///< From the host's clock to the reference's, all steps together. Counts, span and outliers are those of the first step.
};

/// Finds for each host the way to the reference along which the errors add up to the least; those that failed are never gone, those that
/// bound one side only where there is no other. Cost: of the pairs, squared at worst.
std::vector<HostPath> pathsTo(std::uint32_t reference, std::uint32_t hosts, std::span<const HostPair> pairs);

/// From a clock to a second one, and from that to a third; errors add up.
ClockFit composed(const ClockFit& first, const ClockFit& second);

} // namespace helio
