#pragma once

#include "core/virtualization/bindings.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Checks the binding of a vCPU: while the vCPU is halted, the guest's CPU cannot run. If the guest recorded that its CPU ran, its CPU runs
/// in another thread or its clock is wrong. Times within the clocks' error of the ends of a halt are ignored.
struct BindingCheck {
    std::uint32_t machine = 0; ///< Index into the result of findVirtualMachines().
    std::uint32_t vcpu = 0; ///< Index into VirtualMachine::vcpus.
    std::uint64_t halts = 0; ///< Count of halts longer than the error bound, in the range that both traces recorded.
    Duration halted{}; ///< Total duration of the counted halts, each without the error bound at both of its ends.
    Duration ran{}; ///< Total time for which the guest recorded that the CPU ran.
    Duration ranHalted{}; ///< Part of `ran` that lies in halts.
    Timestamp mostAt{}; ///< Beginning of the interval whose duration is `most`.
    Duration most{}; ///< Duration of the longest interval in which the guest's CPU ran although its vCPU was halted.

    /// True if there are at least 3 halts and more than a tenth of the possible time contradicts the binding. Locks for which a guest halts
    /// the vCPU while it seems to run stay below that.
    bool contradicts() const;
};

/// Checks each vCPU for which both the halts and the guest's states are recorded. A halt lasts from an exit without work for the guest
/// until the next entry. Returns fewer checks if `stop` was requested.
/// Threads: to be called from a query thread.
/// Cost: about 100 ns for each exit and each state of the guests' CPUs.
std::vector<BindingCheck> haltChecks(const Timeline& timeline, const std::vector<VirtualMachine>& all, std::stop_token stop = {});

/// Returns a sentence without its end, for example "of 6.2 s that it ran on its CPU 0, 1.1 s lie in halts of thread 191: ...".
std::string wordsOf(const BindingCheck& check, const std::vector<VirtualMachine>& all);

/// A setting or finding about a guest's virtual machine that is invalid or contradicts the traces.
struct GuestProblem {
    std::uint32_t guest = 0; ///< Index into Timeline::hosts of the host concerned.
    std::string what; ///< A sentence that names the guest.
};

/// Returns the problems of the timeline's own choice: a host or machine that does not exist, a machine of another guest, a thread of
/// another process, a machine that belongs to another guest according to hypercalls, and the guest that lost its machine in this way. Also
/// returns guests that ran while the threads that they are bound to were halted. `all` are the timeline's machines, `halts` their
/// haltChecks().
/// Cost: a scan of all hypercalls.
std::vector<GuestProblem> guestProblems(const Timeline& timeline, const std::vector<VirtualMachine>& all,
                                        const std::vector<BindingCheck>& halts);

} // namespace helio
