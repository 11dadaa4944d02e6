#pragma once

#include "core/correlation/host_comparison.h"
#include "core/correlation/transmissions.h"
#include "core/experiment/timeline.h"

#include <stop_token>
#include <vector>

namespace helio {

/// Compares the clocks of each pair of hosts that exchanged messages. Messages within a host are ignored.
/// Cost: one fitClocks() for each pair of hosts.
std::vector<HostComparison> compareHosts(const Timeline& timeline, const Transmissions& messages, ClockMethod method,
                                         const std::stop_token& stop);

} // namespace helio
