#pragma once

#include "core/correlation/transmissions.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio {

/// Value of Transmissions::kind for messages between guests and hosts. Flows to "host" go from a guest to its host; all other flows go from
/// a host to a guest. TracePacketCounts::out counts events that a trace recorded as a guest, and TracePacketCounts::in events that it
/// recorded as a host.
constexpr std::string_view GuestMessages = "hypercall";

/// Evidence that a host's thread did what a guest asked for: the thread is a vCPU of this guest.
struct GuestEvidence {
    std::uint32_t guestTrace = 0; ///< Index in the timeline.
    std::uint32_t hostTrace = 0;
    std::int32_t hostTid = -1;
    std::int32_t guestCpu = -1; ///< Number of messages with these traces, thread and CPU.
    std::uint64_t times = 0; ///< Number of messages that show it.
    bool operator==(const GuestEvidence&) const = default;
};

/// Evidence about guests in the messages, grouped by the guest's trace, the most frequent first. Empty if the messages are of another kind.
std::vector<GuestEvidence> collectGuestEvidence(const Transmissions& messages);

/// Indices of traces whose events show that they were recorded in a guest, whichever host that ran on. Ascending.
std::vector<std::uint32_t> guestTraces(const Transmissions& messages);

} // namespace helio
