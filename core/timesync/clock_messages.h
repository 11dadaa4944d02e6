#pragma once

#include "core/query/rows/messages.h"

namespace helio {

/// How each host's clock is related to the reference's, a sentence each, where there are several hosts: notes, of which those are warnings
/// whose messages contradict each other. Hosts that nothing relates are reported with the timeline's own diagnostics.
std::vector<Message> clockMessages(const Timeline& timeline);

} // namespace helio
