#pragma once

#include "core/correlation/guests.h"
#include "core/correlators/hypercalls/mark_reading.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace helio::hypercalls {

/// The thread that a CPU of a trace had at a time; -1: none, or not known.
using ThreadAt = std::function<std::int32_t(std::uint32_t trace, std::int32_t cpu, HostTimestamp at)>;

/// The exchanges of which both ends were seen, each as often on one side as on the other: the first of one is then the first of the other.
/// Others are counted as unmatched, or as ambiguous where there are ends on both sides. `traces`: how many there are.
Transmissions matchMarks(std::vector<Mark> marks, std::size_t traces, const ThreadAt& threadAt);

} // namespace helio::hypercalls
