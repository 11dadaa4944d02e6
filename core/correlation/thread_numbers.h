#pragma once

#include "core/event_model/thread_fields.h"

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

/// TID on the host of threads of traces. A thread without a key has the TID that its trace gives it, or, in a PID namespace, an unknown
/// TID. The value -1 means that no thread in the host's kernel traces is this thread.
using ThreadNumbers = std::map<NumberedThread, std::int32_t>;

} // namespace helio
