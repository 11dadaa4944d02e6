#pragma once

#include "core/correlation/transmissions.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio {

/// What messages between a guest and its host are called (Transmissions::kind). Of their flows those to "host" go from a guest, all others
/// to one; what a trace saw as a guest is its TraceSightings::out, and what it saw as a host the `in`.
constexpr std::string_view GuestMessages = "hypercall";

/// A thread of a host was seen to do what a guest asked for: it is one of that guest's vCPUs.
struct GuestSeen {
    std::uint32_t guestTrace = 0; ///< Index in the timeline, as the next.
    std::uint32_t hostTrace = 0;
    std::int32_t hostTid = -1;
    std::int32_t guestCpu = -1; ///< The CPU of the guest that the vCPU is to it; -1: not recorded.
    std::uint64_t times = 0; ///< How often.
    bool operator==(const GuestSeen&) const = default;
};

/// What such messages say of who is whose guest: those of a guest's trace together, the most often seen first. Of others: nothing.
std::vector<GuestSeen> guestsSeen(const Transmissions& messages);

/// Traces that say of themselves that they are a guest's, wherever that ran. Ascending.
std::vector<std::uint32_t> guestTraces(const Transmissions& messages);

} // namespace helio
