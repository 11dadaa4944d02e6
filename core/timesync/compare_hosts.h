#pragma once

#include "core/correlation/host_evidence.h"
#include "core/correlation/transmissions.h"
#include "core/experiment/timeline.h"

#include <stop_token>
#include <vector>

namespace helio {

/// What messages that went from one host to another say of the hosts' clocks; others say nothing of them. Cost: of fitClocks() for each two
/// hosts.
std::vector<ComparedHosts> compareHosts(const Timeline& timeline, const Transmissions& messages, ClockMethod method,
                                        const std::stop_token& stop);

} // namespace helio
