#pragma once

#include "core/correlation/guests.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace helio::hypercalls {

/// Direction of a message between a guest and its host.
enum class ExchangeDirection : std::uint8_t { ToHost, ToGuest };

/// One end of a message between a guest and its host: the event that the guest recorded for the message, or the event that the host
/// recorded for it.
struct HypercallEnd {
    HostTimestamp time{};
    std::uint64_t machine = 0; ///< Number of the guest, which the guest chose itself (vm_uid).
    std::uint64_t number = 0; ///< Number of the message, as recorded by guest and host (cnt).
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    std::int32_t cpu = -1;
    ExchangeDirection way = ExchangeDirection::ToHost;
    bool isInGuest = false;
};

/// Returns true if the trace has an event type that can record an end of a message. `counts`: number of events by type; types without
/// events are ignored. If empty, the counts are unknown and all types are considered.
bool hasHypercallEnds(const Trace& trace, std::span<const std::uint64_t> counts = {});

/// Appends the message ends that a trace recorded to `marks`, in time order. Stops early once `stop` is requested. Recognizes three
/// forms of events:
/// - `vmsync_gh_guest`, `vmsync_gh_host`, `vmsync_hg_host` and `vmsync_hg_guest` with the fields vm_uid and cnt;
/// - the texts "gh UID N" and "hg UID N", which a guest writes to lttng_logger before and after a hypercall 1000 with N and UID;
/// - the host's kvm_hypercall event for that hypercall, which is the host's end of both messages (guest to host and back).
/// Cost: one pass over the trace's events.
void readHypercallEnds(const Trace& trace, std::uint32_t number, std::vector<HypercallEnd>& marks, const std::stop_token& stop);

/// Function that returns the TID of the thread that was running on a CPU at a time; -1 if no thread ran, or if unknown.
using ThreadAt = std::function<std::int32_t(std::uint32_t trace, std::int32_t cpu, HostTimestamp at)>;

/// Matches the ends of messages between guests and hosts. A message is matched if sender and receiver recorded it equally often; the nth
/// event of the sender then belongs to the nth event of the receiver. A message that only one of them recorded counts as unmatched, any
/// other message as ambiguous. `traces`: number of traces.
Transmissions matchHypercallEnds(std::vector<HypercallEnd> marks, std::size_t traces, const ThreadAt& threadAt);

} // namespace helio::hypercalls
