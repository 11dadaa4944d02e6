#pragma once

#include "core/query/rows/messages.h"

namespace helio {

/// Returns one sentence for each host that says how its clock is related to the reference's; empty if there is only one host. A message is
/// a warning if the host's packets contradict each other, else a note. Hosts with unrelated clocks are reported by the timeline's own
/// diagnostics.
std::vector<Message> clockMessages(const Timeline& timeline);

} // namespace helio
