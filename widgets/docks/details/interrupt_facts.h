#pragma once

#include "widgets/docks/details/state_details.h"

namespace helio {

/// Adds facts about interrupts into guests during a state. For the row of a vCPU or of its thread: each interrupt, with the time until the
/// guest handled it or was entered with it. For a guest's interrupt handler: how long before KVM injected the interrupt. Adds nothing for
/// other rows.
/// Threads: query threads.
/// Cost: that of findGuestInterrupts().
void addInterruptFacts(const Timeline& timeline, StateDetails& details, std::stop_token stop);

} // namespace helio
