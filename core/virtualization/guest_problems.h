#pragma once

#include "core/virtualization/binding_check.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

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
