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

/// Direction of an exchange.
enum class ExchangeDirection : std::uint8_t { ToHost, ToGuest };

/// One end of an exchange between a guest and its host, as one trace recorded it.
struct HypercallEnd {
    HostTimestamp time{};
    std::uint64_t machine = 0; ///< The guest's number, which it chose itself.
    std::uint64_t number = 0; ///< Number of the exchange.
    std::uint32_t trace = 0; ///< Index in the timeline.
    std::int32_t cpu = -1;
    ExchangeDirection way = ExchangeDirection::ToHost;
    bool isInGuest = false;
};

/// True if any event of the trace may be an end of an exchange. `counts`: number of events by type, if known; types without events do not
/// count.
bool hasHypercallEnds(const Trace& trace, std::span<const std::uint64_t> counts = {});

/// Adds the ends that a trace recorded, in time order: one pass over its events. Ends early once `stop` is requested. Understands three
/// kinds of events:
/// - `vmsync_gh_guest`, `vmsync_gh_host`, `vmsync_hg_host` and `vmsync_hg_guest` with the fields vm_uid and cnt;
/// - the texts "gh UID N" and "hg UID N" that a guest writes to lttng_logger before and after a hypercall 1000 with N and UID;
/// - that hypercall in its host's kvm_hypercall event, which is the host's end of both exchanges.
void readHypercallEnds(const Trace& trace, std::uint32_t number, std::vector<HypercallEnd>& marks, const std::stop_token& stop);

/// Returns the TID of the thread that a CPU of a trace ran at a time; -1 if there is none, or it is unknown.
using ThreadAt = std::function<std::int32_t(std::uint32_t trace, std::int32_t cpu, HostTimestamp at)>;

/// Makes messages of the exchanges between guests and hosts. An exchange is matched if both sides recorded it equally often: the first
/// event of one side then belongs to the first event of the other. Exchanges count as unmatched if only one side recorded them, and
/// otherwise as ambiguous. `traces`: number of traces.
Transmissions matchHypercallEnds(std::vector<HypercallEnd> marks, std::size_t traces, const ThreadAt& threadAt);

} // namespace helio::hypercalls
