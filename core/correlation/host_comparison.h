#pragma once

#include "core/clock/fit/host_clocks.h"

#include <cstdint>
#include <vector>

namespace helio {

/// Method by which a host's clock was compared with the reference host's, ordered from worst to best.
enum class ClockMethod : std::uint8_t {
    None, ///< The clock was not compared.
    Reference, ///< The host is the reference host.
    Packets,
    Tsc, ///< Guest and host read the same time stamp counter, with a known offset.
    Hypercalls,
    SameBoot, ///< Both hosts have the same clock.
    Manual, ///< The user or a clock file set the clock.
};

/// Comparison of two hosts' clocks by their messages.
struct HostComparison {
    HostClockPair pair; ///< Its hosts are indices in Timeline::hosts.
    ClockMethod method = ClockMethod::None;
    /// Indices in Correlation::messages of the pair's messages; the fit's outliers are indices into this vector.
    std::vector<std::uint32_t> messages{};
};

} // namespace helio
