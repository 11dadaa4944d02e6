#pragma once

#include "core/correlation/guests.h"
#include "core/correlators/hypercalls/hypercall_reading.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace helio::hypercalls {

/// Returns the TID of the thread that a CPU of a trace ran at a time; -1 if there is none, or it is unknown.
using ThreadAt = std::function<std::int32_t(std::uint32_t trace, std::int32_t cpu, HostTimestamp at)>;

/// Makes messages of the exchanges between guests and hosts. An exchange is matched if both sides recorded it equally often: the first
/// event of one side then belongs to the first event of the other. Exchanges count as unmatched if only one side recorded them, and
/// otherwise as ambiguous. `traces`: number of traces.
Transmissions matchHypercallEnds(std::vector<HypercallEnd> marks, std::size_t traces, const ThreadAt& threadAt);

} // namespace helio::hypercalls
