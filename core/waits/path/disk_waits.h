#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

/// Finds the requests that ended waits. One thread; the timeline outlives it. Memory: some 64 bytes a request that was near a wait.
class DiskWaits {
public:
    explicit DiskWaits(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }

    /// The one that was completed last on a CPU before a wake-up there, in the same interrupt as far as times tell. Nothing: none was
    /// recorded. `since`: when the wait began. Cost: of the segments around `wokenAt`.
    std::optional<DiskWait> of(std::uint32_t trace, std::int32_t cpu, Timestamp since, Timestamp wokenAt);

    /// What a disk's driver did in a part of time.
    struct Served {
        TimeRange range;
        std::string request; ///< Of several at a time the one that came first. Empty: it had nothing.
    };
    /// In order, without gaps. Cost: of the segments in the range.
    std::vector<Served> servedIn(std::uint32_t trace, std::string_view disk, TimeRange range);

private:
    /// What is asked of a request again and again.
    struct Known {
        std::string_view disk;
        std::int32_t cpu = -1;
    };
    const Known& known(std::string_view fields);
    std::uint64_t completedIn(std::uint32_t trace, std::string_view disk, TimeRange range);

    const Timeline& m_timeline;
    std::unordered_map<const char*, Known> m_known; ///< By where its fields are.
};

} // namespace helio
