#pragma once

#include "core/virtualization/bindings.h"

#include <cstdint>

namespace helio {

/// Changes that the user can make to the bindings of guests to virtual machines. Each function takes the choice so far and returns the
/// changed choice, for Experiment::setClocks(). A guest is given as an index into Timeline::hosts and stored in the choice by its id.
/// Cost: little, for all of these functions.

/// Returns what the choice sets for the host; nullptr if it sets nothing, so that the guest's virtual machine is found automatically.
const GuestOverride* givenGuest(const Timeline& timeline, const ClockSettings& choice, std::uint32_t guest);

/// Binds the guest to `machine`, which runs on another host, and unbinds any other guest from that machine. Its CPUs are bound
/// automatically, except those that the user bound within this machine.
ClockSettings withGuest(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, const VirtualMachine& machine);
/// Binds the guest to `machine` and the guest's CPU `vcpu` to the thread `tid` of the machine's process. The thread runs no other CPU then.
ClockSettings withVcpu(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, const VirtualMachine& machine,
                       std::int32_t vcpu, std::int32_t tid);
/// Declares that the host is no guest of any host in the timeline.
ClockSettings withoutVirtualMachine(const Timeline& timeline, ClockSettings choice, std::uint32_t guest);
/// Removes the choice for the host, so that its virtual machine is found automatically.
ClockSettings withoutGuestOverride(const Timeline& timeline, ClockSettings choice, std::uint32_t guest);

} // namespace helio
