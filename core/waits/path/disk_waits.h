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

/// The disk request whose completion ended a wait.
struct DiskWait {
    std::string disk; ///< For example "vda".
    std::string request; ///< For example "write of 64 KiB by jbd2/vda-8 (318)".
    std::int32_t tid = -1; ///< Thread that made the request; -1 if unknown.
    Timestamp inserted{}; ///< Time at which the request was put into the disk's queue; `issued` if unknown.
    Timestamp issued{}; ///< Time at which the driver got the request.
    /// Count of the disk's requests that were completed while this request was queued; nullopt if `inserted` is unknown.
    std::optional<std::uint64_t> ahead;
};

/// Finds the disk requests that ended waits.
/// Ownership: keeps a reference to the timeline, which must outlive it.
/// Threads: to be used by one thread.
/// Memory: about 64 bytes for each request near a wait.
class DiskWaitFinder {
public:
    explicit DiskWaitFinder(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }

    /// Returns the request that was completed last on the CPU before a wake-up at `wokenAt`, in the same interrupt as far as times show;
    /// nullopt if none was recorded. `since` is the beginning of the wait.
    /// Cost: reads the segments around `wokenAt`.
    std::optional<DiskWait> of(std::uint32_t trace, std::int32_t cpu, Timestamp since, Timestamp wokenAt);

    /// Activity of a disk's driver in a range.
    struct DriverActivity {
        TimeRange range;
        std::string request; ///< Request that the driver served; the earliest if there are several; empty if there is none.
    };
    /// Returns the driver's activity in the range, in order and without gaps.
    /// Cost: reads the segments in the range.
    std::vector<DriverActivity> findDriverActivity(std::uint32_t trace, std::string_view disk, TimeRange range);

private:
    /// Fields of a request that are needed again and again.
    struct Known {
        std::string_view disk;
        std::int32_t cpu = -1;
    };
    const Known& known(std::string_view fields);
    std::uint64_t completedIn(std::uint32_t trace, std::string_view disk, TimeRange range);

    const Timeline& m_timeline;
    std::unordered_map<const char*, Known> m_known; ///< Keyed by the address of the request's fields.
};

} // namespace helio
