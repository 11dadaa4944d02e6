#pragma once

#include "core/analyses/disks/block_events.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace helio::disks {

/// One request, in one of its disk's queues.
struct Request {
    Operation operation = Operation::Other;
    std::uint64_t sector = 0; ///< Where it begins; 0 of what has no place.
    std::uint64_t count = 0; ///< Of its sectors; 0 of what has none.
    std::uint64_t left = 0; ///< Of them not completed yet.
    std::int64_t bytes = 0;
    HostTimestamp since{}; ///< It is in this queue.
    std::optional<HostTimestamp> inserted; ///< Nothing: nobody saw it.
    bool isRequeued = false; ///< The driver gave it back, and it was not inserted again since.
    Doer doer; ///< Who inserted it, else who issued it.
    std::int64_t error = 0;
};

} // namespace helio::disks
