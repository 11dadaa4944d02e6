#pragma once

#include "core/clock/fit/host_clocks.h"

#include <cstdint>
#include <vector>

namespace helio {

/// Method by which a host's clock was compared with the reference host's clock. The order is from the least to the most trusted method: if
/// several methods give a result, the last one in this order is used.
enum class ClockMethod : std::uint8_t {
    None, ///< The host's clock was not compared.
    Reference, ///< The host is the reference host.
    Packets,
    Tsc, ///< Guest and host read the same time stamp counter; the guest's TSC offset is known.
    Hypercalls,
    SameBoot, ///< Both hosts use the same clock, because they are the same boot of a kernel.
    Manual, ///< The user or a clock file set the host's clock.
};

/// Comparison of two hosts' clocks by the messages between these hosts.
struct HostComparison {
    HostClockPair pair; ///< The two hosts, as indices in Timeline::hosts, and the fitted relation of their clocks.
    ClockMethod method = ClockMethod::None;
    /// Indices in Correlation::messages of the messages between the two hosts. The fit's outliers are indices into this vector.
    std::vector<std::uint32_t> messages{};
};

} // namespace helio
