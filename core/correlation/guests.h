#pragma once

#include "core/correlation/transmissions.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio {

/// Value of Transmissions::kind for messages between guests and their hosts. Flows with the receiver "host" lead from a guest to its host;
/// all other flows lead from a host to a guest. In TracePacketCounts, `out` counts the hypercall events that a trace recorded as a guest,
/// and `in` the hypercall events that it recorded as a host.
constexpr std::string_view GuestMessages = "hypercall";

/// Evidence that a host thread is a vCPU of a guest: the thread handled requests (hypercalls) of that guest, or the host's recording names
/// the thread as that vCPU.
struct GuestEvidence {
    std::uint32_t guestTrace = 0; ///< Index into Timeline::traces.
    std::uint32_t hostTrace = 0;
    std::int32_t hostTid = -1;
    std::int32_t guestCpu = -1; ///< Index of the guest's CPU (the vCPU).
    std::uint64_t times = 0; ///< Number of messages between this CPU of the guest and this thread of the host.
    /// True if the host's recording names the thread as the guest's CPU; false if hypercalls are the only evidence.
    bool isRecorded = false;
    bool operator==(const GuestEvidence&) const = default;
};

/// Returns the evidence about guests in the messages, grouped by guest trace, the most frequent evidence first. Empty if `messages` are of
/// another kind than GuestMessages.
std::vector<GuestEvidence> collectGuestEvidence(const Transmissions& messages);

/// Returns the traces that were recorded in a guest according to their events, as ascending indices, even if the guest's host is unknown.
std::vector<std::uint32_t> guestTraces(const Transmissions& messages);

} // namespace helio
