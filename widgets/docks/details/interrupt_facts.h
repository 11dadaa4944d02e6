#pragma once

#include "widgets/docks/details/state_details.h"

namespace helio {

/// Adds what interrupts into guests there were while the state lasted: of a vCPU's row, or its thread's, each with how long it took until
/// the guest handled it, or was entered with it; of a guest's handler how long before it kvm put the interrupt in. Nothing for other rows.
/// Cost: of interruptsInto(); from a query thread.
void addInterruptFacts(const Timeline& timeline, StateDetails& details, std::stop_token stop);

} // namespace helio
