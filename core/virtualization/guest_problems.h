#pragma once

#include "core/virtualization/bindings.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Result of a check of a vCPU's binding. While the vCPU is halted, the guest's CPU cannot run. If the guest recorded that its CPU ran
/// during halts, the binding or the clock is wrong. Times closer to the ends of a halt than the clocks' error bound are ignored.
struct BindingCheck {
    std::uint32_t machine = 0; ///< Virtual machine, as an index into the result of findVirtualMachines().
    std::uint32_t vcpu = 0; ///< Checked vCPU, as an index into VirtualMachine::vcpus.
    std::uint64_t halts = 0; ///< Number of halts longer than twice the error bound, in the range that both traces recorded.
    Duration halted{}; ///< Total duration of the counted halts, each shortened by the error bound at both ends.
    Duration ran{}; ///< Total time in which the CPU ran according to the guest.
    Duration ranHalted{}; ///< Part of `ran` that lies in halts, which is impossible if the binding and the clocks are right.
    Timestamp mostAt{}; ///< Beginning of the interval whose duration is `most`.
    Duration most{}; ///< Duration of the longest interval in which the guest's CPU ran although its vCPU was halted.

    /// True if there are at least 3 halts and `ranHalted` is more than a tenth of the smaller of `halted` and `ran`. Guests also halt a
    /// vCPU while a thread waits for a lock and seems to run; such halts stay below the limit.
    bool contradicts() const;
};

/// Checks each vCPU for which both the halts and the guest's states are recorded. A halt begins with an exit for a reason that means that
/// the guest is idle (isHaltReason()); it lasts until the next entry. Returns fewer checks if `stop` was requested.
/// Threads: to be called from a query thread.
/// Cost: about 100 ns for each exit and each state of the guests' CPUs.
std::vector<BindingCheck> haltChecks(const Timeline& timeline, const std::vector<VirtualMachine>& all, std::stop_token stop = {});

/// Returns the result of the check as a clause for the user, for example "of 6.2 s that it ran on its CPU 0, 1.1 s lie in halts of thread
/// 191: ...".
std::string wordsOf(const BindingCheck& check, const std::vector<VirtualMachine>& all);

/// A problem with the binding of a guest to its virtual machine: a setting that is invalid or contradicts the traces.
struct GuestProblem {
    std::uint32_t guest = 0; ///< Guest, as an index into Timeline::hosts.
    std::string what; ///< Description of the problem that begins with the guest's name.
};

/// Returns the problems of the bindings in the timeline. `all` has the timeline's virtual machines, `halts` the results of haltChecks().
/// Problems are:
/// - A setting names a host or machine that does not exist, a machine of another guest, or a thread of another process.
/// - Hypercalls show that the machine belongs to another guest; this guest has lost its machine, which is also a problem.
/// - A guest ran while the thread to which it is bound was halted.
/// Cost: a scan of all hypercalls.
std::vector<GuestProblem> guestProblems(const Timeline& timeline, const std::vector<VirtualMachine>& all,
                                        const std::vector<BindingCheck>& halts);

} // namespace helio
