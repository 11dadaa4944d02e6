#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <optional>
#include <string>

namespace helio {

struct Timeline;

/// The request of a disk whose completion ended a wait.
struct DiskWait {
    std::string disk; ///< "vda"
    std::string request; ///< "write of 64 KiB by jbd2/vda-8 (318)"
    std::int32_t tid = -1; ///< Of who made it; -1: not known.
    Timestamp inserted{}; ///< When it was put into the disk's queue; `issued` where nobody knows.
    Timestamp issued{}; ///< When the driver got it.
    std::optional<std::uint64_t>
        ahead; ///< Requests of the disk that were completed while it was queued. None: when it was queued is not known.
};

/// The one that was completed last on a CPU before a wake-up there, in the same interrupt as far as times tell. Nothing: none was recorded.
/// `since`: when the wait began. Cost: of the segments around `wokenAt`.
std::optional<DiskWait> diskWait(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp since, Timestamp wokenAt);

} // namespace helio
