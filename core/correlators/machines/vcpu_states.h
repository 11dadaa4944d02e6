#pragma once

#include "core/store/states.h"

#include <cstdint>

namespace helio::machine_rows {

/// State of a vCPU, from the traces of its guest and its host together.
enum class VcpuState : std::uint8_t {
    GuestUser,
    GuestKernel,
    Guest, ///< In the guest, whose activity is not recorded.
    GuestIdle,
    Hypervisor, ///< The value is the reason of the exit.
    Preempted, ///< The value is the text of what had the CPU.
    WaitCpu, ///< Waits for a CPU after it slept. The value is the text of what had the CPU.
    Halted, ///< The guest has nothing to do.
    Waiting, ///< Waits until the hypervisor has done something for it.
    Unknown,
};
const StateSet& vcpuStates();

/// The state of a guest's thread that its own trace shows as running while its vCPU did not run.
StateKind stolenState();

} // namespace helio::machine_rows
