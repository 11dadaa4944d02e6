#pragma once

#include "core/correlation/transmissions.h"
#include "core/experiment/timeline.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Residual of one message between a host and the host with which the host's clock is compared (Residuals::neighbour): the message's
/// transit time by the current clocks, with a minus sign if the message arrived at the host.
struct Residual {
    Timestamp at{}; ///< Time of the message at the host, on the experiment's clock.
    Duration signedTransit{}; ///< The other host's time minus this host's time, in ns: positive for departures, negative for arrivals.
    bool isArrival = false; ///< True if the message arrived at the host; false if it left the host.
    bool isOutlier = false; ///< True if the message contradicts most other messages.
    std::uint32_t transmission = 0; ///< Index into Transmissions::all of the correlation Residuals::relation.
};

/// Error bound of the clock at one time.
struct ResidualBound {
    Timestamp at{};
    Duration error{}; ///< Maximum error in ns, not negative; the true time may be earlier or later by this amount.
};

/// Messages from which a host's clock was computed; for a clock set by hand, messages that can check the clock.
struct Residuals {
    std::uint32_t host = 0;
    /// Host with which the clock is compared, as an index into Timeline::hosts: the previous host on the path from the reference. For a
    /// clock that was not computed from messages, the host with the messages that check the clock best.
    std::uint32_t neighbour = 0;
    std::size_t relation = 0; ///< Index into Timeline::relations of the correlation with the messages.
    /// Residuals in time order. If there are many, most are dropped; outliers and the residuals nearest to 0 stay.
    std::vector<Residual> points;
    std::size_t all = 0; ///< Count of messages before thinning.
    std::size_t early = 0; ///< Count of messages that arrive before they were sent, by the current clocks.
    bool isOfClockOverride = false; ///< True if the clock was not computed from these messages but set by hand or read from a file.
    bool isFromFile = false; ///< True if the clock was read from a file that says how the clock was computed.
    std::vector<ResidualBound> bounds; ///< Error bounds in time order, to be connected by straight lines; empty if unknown.
};

/// Returns the residuals of a host, thinned to about `most` points; empty if no messages relate the host's clock or if times are raw.
/// Cost: about 50 ns per message.
Residuals computeResiduals(const Timeline& timeline, std::uint32_t host, std::size_t most = 20'000, std::stop_token stop = {});

} // namespace helio
