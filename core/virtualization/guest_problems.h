#pragma once

#include "core/virtualization/halt_check.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

/// What of what is said, or found, of whose guest a host is does not hold, or is contradicted by what was seen.
struct GuestProblem {
    std::uint32_t guest = 0; ///< The host that it is about, by its place in Timeline::hosts.
    std::string what; ///< A sentence, with its name.
};

/// Those of the timeline's own choice: a host or a machine that is not there, one that is another guest's, a thread that is not the
/// machine's; a machine that hypercalls say is another guest's, and the guest that lost it so. And of whatever binds a guest to threads:
/// that it ran while those were halted. `all`: its machines; `halts`: their haltChecks(). Cost: of a look at all hypercalls.
std::vector<GuestProblem> guestProblems(const Timeline& timeline, const std::vector<Machine>& all, const std::vector<HaltCheck>& halts);

} // namespace helio
