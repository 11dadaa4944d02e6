#pragma once

#include "core/correlation/transmissions.h"
#include "core/experiment/timeline.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// One message between a host and the host that its clock is compared with. A residual says how far the message is from taking no time, by
/// the current clocks.
struct Residual {
    Timestamp at{}; ///< Time at the host, on the experiment's clock.
    Duration distance{}; ///< The other end's time minus this host's time: positive for departures, negative for arrivals.
    bool isArrival = false; ///< True if the message arrived at the host; false if it left the host.
    bool isOutlier = false; ///< True if it contradicts most messages.
    std::uint32_t transmission = 0; ///< Index into Transmissions::all of Residuals::relation.
};

/// Error bound of the clock at one time.
struct ResidualBound {
    Timestamp at{};
    Duration error{}; ///< The error is at most this much in either direction.
};

/// The messages that a host's clock was computed from. For a clock set by hand, the messages that can check it.
struct Residuals {
    std::uint32_t host = 0;
    std::uint32_t neighbour = 0; ///< Index of the host that it is compared with: the previous host on its path if possible.
    std::size_t relation = 0; ///< Index into Timeline::relations.
    std::vector<Residual> points; ///< In the order of time. Thinned if there are many: the points nearest to 0 and all outliers stay.
    std::size_t all = 0; ///< Count of messages before thinning.
    std::size_t early = 0; ///< Count of messages that arrive before they were sent.
    bool isOfClockOverride = false; ///< True if the clock was not computed from these messages but set by hand or read from a file.
    bool isFromFile = false; ///< True if the clock was read from a file that says how it was found.
    std::vector<ResidualBound> bounds; ///< In the order of time, to be connected by straight lines; empty if unknown.
};

/// Returns the residuals of a host, thinned to `most` points; empty if no messages relate its clock or if times are raw.
/// Cost: about 50 ns per message.
Residuals computeResiduals(const Timeline& timeline, std::uint32_t host, std::size_t most = 20'000, std::stop_token stop = {});

} // namespace helio
