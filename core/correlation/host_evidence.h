#pragma once

#include "core/clock/fit/host_clocks.h"

#include <cstdint>
#include <vector>

namespace helio {

/// How a host's clock came to be compared with the reference's, best last.
enum class ClockMethod : std::uint8_t {
    None, ///< It was not.
    Reference, ///< It is the one.
    Packets,
    Tsc, ///< Guest and host read one counter, whose offset is known.
    Hypercalls,
    SameBoot, ///< It is the same clock.
    Manual, ///< A person said it.
};

/// What messages say of two hosts' clocks.
struct ComparedHosts {
    HostPair pair; ///< Hosts by their place in Timeline::hosts.
    ClockMethod method = ClockMethod::None;
    std::vector<std::uint32_t> messages{}; ///< The passages' places in Relation::messages, as the pair's outliers count them.
};

} // namespace helio
