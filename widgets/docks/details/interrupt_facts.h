#pragma once

#include "widgets/docks/details/state_details.h"

namespace helio {

/// Adds facts about interrupts of guests during a state:
/// - row of a vCPU or of its thread: each interrupt that KVM injected, and the time until the guest's handler began; if the handler was not
/// recorded, the time until KVM entered the guest
/// - row of a guest's interrupt handler: the time between the injection by KVM and the handler
/// Adds nothing on other rows.
/// Threads: query threads.
/// Cost: that of findGuestInterrupts().
void addInterruptFacts(const Timeline& timeline, StateDetails& details, std::stop_token stop);

} // namespace helio
