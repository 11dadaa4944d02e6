#pragma once

#include "core/virtualization/bindings.h"

#include <cstdint>

namespace helio {

/// What a person can change about whose guest a host is, one change a function: each takes what was decided so far, and gives what is
/// decided then, for Experiment::setClocks(). Guests are places in Timeline::hosts, and are named in the choice by their ids. Cost: little.

/// What was decided about the host. Null: nothing; whose guest it is is found.
const GivenGuest* givenGuest(const Timeline& timeline, const ClockChoice& choice, std::uint32_t guest);

/// It is the guest of that machine, of another host, and nobody else is any more. Its CPUs are found, but for those of which a person
/// decided in this machine.
ClockChoice withGuest(const Timeline& timeline, ClockChoice choice, std::uint32_t guest, const Machine& machine);
/// The same, and this thread of the machine's process runs the guest's CPU of that number: no other one of it does any more.
ClockChoice withVcpu(const Timeline& timeline, ClockChoice choice, std::uint32_t guest, const Machine& machine, std::int32_t vcpu,
                     std::int32_t tid);
/// It is no guest of a host that is here.
ClockChoice withoutMachine(const Timeline& timeline, ClockChoice choice, std::uint32_t guest);
/// What was decided about it is forgotten.
ClockChoice asGuestFound(const Timeline& timeline, ClockChoice choice, std::uint32_t guest);

} // namespace helio
