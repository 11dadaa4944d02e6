#pragma once

#include "core/analysis/thread_fields.h"

#include <cstdint>
#include <map>
#include <tuple>

namespace helio {

/// A thread as its own trace numbers it.
struct NumberedThread {
    std::uint32_t trace = 0; ///< Index in the timeline.
    std::uint32_t pidNamespace = 0; ///< Inode number of the PID namespace; 0: the trace does not say, or the host's.
    std::int32_t tid = -1;
    auto operator<=>(const NumberedThread&) const = default;
};

/// Its TID on the host; -1: none of the threads that a kernel's trace of the host has. Threads that are not listed have the host's numbers
/// unless they are of a namespace.
using ThreadNumbers = std::map<NumberedThread, std::int32_t>;

} // namespace helio
