#pragma once

#include "core/analyses/disks/block_events.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace helio::disks {

/// A request in one of its disk's queues.
struct Request {
    Operation operation = Operation::Other;
    std::uint64_t sector = 0; ///< First sector; 0 if it has none.
    std::uint64_t count = 0; ///< Count of sectors; 0 if it has none.
    std::uint64_t left = 0; ///< Count of sectors that are not completed yet.
    std::int64_t bytes = 0;
    HostTimestamp since{}; ///< Time when the request entered this queue.
    std::optional<HostTimestamp> inserted; ///< Time when the request was inserted into the disk's queue; nullopt if not recorded.
    bool isRequeued = false; ///< True if the driver gave the request back and it was not inserted again since.
    RequestingThread requestingThread; ///< Thread that inserted the request; if unknown, the thread that issued it.
    std::int64_t error = 0;
};

} // namespace helio::disks
