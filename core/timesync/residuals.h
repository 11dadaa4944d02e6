#pragma once

#include "core/correlation/transmissions.h"
#include "core/experiment/timeline.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// One message between a host and the one that it is compared with: how far it is from taking no time, by the clocks as they are.
struct Residual {
    Timestamp at{}; ///< At the host, on the experiment's clock.
    Duration distance{}; ///< Of the other host's time from its own: above 0 for what left the host, below for what reached it.
    bool isArrival = false; ///< It reached the host.
    bool isOutlier = false; ///< It contradicts most others.
    std::uint32_t transmission = 0; ///< Its place in `relation`'s transmissions.
};

/// What the clock is right within at a moment.
struct ResidualBound {
    Timestamp at{};
    Duration error{}; ///< Either way.
};

/// What a host's clock was found from; of one that was set by hand: what it makes of the messages.
struct Residuals {
    std::uint32_t host = 0;
    std::uint32_t neighbour = 0; ///< The host that it was compared with: the one before it on its path, if there is a choice.
    std::size_t relation = 0; ///< Index in Timeline::relations.
    std::vector<Residual> points; ///< In the order of time. Of very many those nearest to 0, and all outliers.
    std::size_t all = 0; ///< How many there are.
    std::size_t early = 0; ///< Of them: those that come in before they were sent.
    bool isOfGivenClock = false; ///< It was set by hand,
    bool isFromFile = false; ///< or comes from a file that says how it was found.
    std::vector<ResidualBound> bounds; ///< In the order of time, with straight lines between. Empty: nobody knows any.
};

/// Empty where no message says anything of its clock, and where times are raw. Cost: some 50 ns a message.
Residuals residualsOf(const Timeline& timeline, std::uint32_t host, std::size_t most = 20'000, std::stop_token stop = {});

} // namespace helio
