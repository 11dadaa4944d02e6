#pragma once

#include "core/experiment/timeline.h"

#include <cstddef>
#include <cstdint>

namespace helio {

/// The messages that say how good a host's clock is.
struct JudgingMessages {
    const ComparedHosts* compared = nullptr; ///< Null: there are none. Lives as long as the timeline.
    std::size_t relation = 0; ///< Index in Timeline::relations: whose they are.
    std::uint32_t neighbour = 0; ///< The other host.
};

/// Those of the first step of the host's path; where its clock was set by hand, or comes from a file, the best of those with a host that
/// has a clock. None of the reference's, of raw times, and where no messages are.
JudgingMessages judgingMessages(const Timeline& timeline, std::uint32_t host);

/// Counts in each host whose clock was set by hand, or comes from a file, how many of those messages come in before they were sent
/// (TimelineHost::early). Cost: some 10 ns a message.
void countEarly(Timeline& timeline);

} // namespace helio
