#pragma once

#include "core/store/states.h"

#include <cstdint>

namespace helio::machine_rows {

/// What a vCPU did, as its guest and its host saw it together.
enum class VcpuState : std::uint8_t {
    GuestUser,
    GuestKernel,
    Guest, ///< In the guest; what that did is not recorded.
    GuestIdle,
    Hypervisor, ///< The value says because of which exit.
    Preempted, ///< The value says by whom.
    WaitCpu, ///< The same.
    Halted, ///< The guest has nothing to do.
    Waiting, ///< Until the hypervisor has done something for it.
    Unknown,
};
const StateSet& vcpuStates();

/// What a guest's thread is in beside the states that its own trace gives it: it "ran" while its vCPU did not.
StateKind stolenState();

} // namespace helio::machine_rows
