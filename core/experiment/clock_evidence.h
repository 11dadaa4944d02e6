#pragma once

#include "core/experiment/timeline.h"

#include <cstddef>
#include <cstdint>

namespace helio {

/// The messages that measure how good a host's clock is.
struct ClockEvidence {
    const HostComparison* compared = nullptr; ///< Comparison with the messages; nullptr if there is none. Lives as long as the timeline.
    std::size_t relation = 0; ///< Index in Timeline::relations of the correlation that has the messages.
    std::uint32_t neighbour = 0; ///< The other host of the comparison.
};

/// Returns the messages of the first step of the host's path. If the clock was set by the user or comes from a file: the messages of the
/// best comparison with a host that has a clock. Empty for the reference host, for raw times, and if there are no messages.
ClockEvidence findClockEvidence(const Timeline& timeline, std::uint32_t host);

/// For each host with a clock set by the user or a file, counts how many of its findClockEvidence() arrive before they were sent
/// (TimelineHost::early).
/// Cost: about 10 ns per message.
void countCausalityViolations(Timeline& timeline);

} // namespace helio
