#pragma once

#include "widgets/docks/details/state_details.h"

#include <memory>
#include <stop_token>

namespace helio {

/// Adds the arguments of the system call that a state of a thread shows, and its result. They are the fields of the events at the beginning
/// and at the end of the state.
/// Cost: reads up to 128 events again.
void addCallFacts(const std::shared_ptr<const Timeline>& timeline, StateDetails& details, std::stop_token stop);

} // namespace helio
