#pragma once

#include "widgets/docks/details/state_details.h"

#include <memory>
#include <stop_token>

namespace helio {

/// Adds the arguments and the result of a system call to the details of a thread's state in that call. The arguments are fields of the
/// event at the state's begin, the result is fields of the event at its end.
/// Cost: reads up to 128 events from the trace.
void addCallFacts(const std::shared_ptr<const Timeline>& timeline, StateDetails& details, std::stop_token stop);

} // namespace helio
