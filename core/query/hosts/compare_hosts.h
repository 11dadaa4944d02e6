#pragma once

#include "core/experiment/timeline.h"
#include "core/relation/host_evidence.h"
#include "core/relation/transmissions.h"

#include <stop_token>
#include <vector>

namespace helio {

/// What messages that went from one host to another say of the hosts' clocks; others say nothing of them. Cost: of fitClocks() for each two
/// hosts.
std::vector<ComparedHosts> compareHosts(const Timeline& timeline, const Transmissions& messages, ClockMethod method,
                                        const std::stop_token& stop);

} // namespace helio
