#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace helio::hypercalls {

/// Which way an exchange goes.
enum class Way : std::uint8_t { ToHost, ToGuest };

/// One end of an exchange between a guest and its host, as one trace saw it.
struct Mark {
    HostTimestamp time{};
    std::uint64_t machine = 0; ///< The guest's number, which it chose itself.
    std::uint64_t number = 0; ///< Of the exchange.
    std::uint32_t trace = 0; ///< Index in the timeline.
    std::int32_t cpu = -1;
    Way way = Way::ToHost;
    bool isInGuest = false;
};

/// Whether any of its events may be ends of exchanges. `counts`: of its events, by type, where they are known: those that there are none of
/// are none.
bool hasMarks(const Trace& trace, std::span<const std::uint64_t> counts = {});

/// Adds those of one trace, in time order: one pass over its events. Ends early once `stop` is requested. What is understood:
/// `vmsync_gh_guest`, `vmsync_gh_host`, `vmsync_hg_host` and `vmsync_hg_guest` with vm_uid and cnt; the texts "gh UID N" and "hg UID N"
/// that a guest gives lttng_logger before and after a hypercall 1000 with N and UID, and that hypercall as its host's kvm_hypercall saw it,
/// which is both ends.
void readMarks(const Trace& trace, std::uint32_t number, std::vector<Mark>& marks, const std::stop_token& stop);

} // namespace helio::hypercalls
