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
    std::string disk; ///< Name of the disk, for example "vda".
    std::string request; ///< Description of the request, for example "write of 64 KiB by jbd2/vda-8 (318)".
    std::string activity; ///< Activity of the request's thread, for example "writing 64 KiB to vda".
    std::int32_t tid = -1; ///< TID of the thread that made the request; -1 if unknown.
    Timestamp inserted{}; ///< Time at which the request was inserted into the disk's queue; equal to `issued` if unknown.
    Timestamp issued{}; ///< Time at which the driver got the request.
    /// Number of other requests that the disk completed while this request was queued; nullopt if `inserted` is unknown.
    std::optional<std::uint64_t> ahead;
};

/// Finds the disk requests that ended waits.
/// Ownership: the timeline outlives the object.
/// Threads: to be used by one thread.
/// Memory: about 64 bytes for each request near a wait.
class DiskWaitFinder {
public:
    explicit DiskWaitFinder(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }

    /// Returns the request that caused a wake-up at `wokenAt`: the last request completed on the CPU before it, within 1 ms (probably the
    /// same interrupt); nullopt if none was recorded. `since` is the beginning of the wait.
    /// Cost: reads the segments around `wokenAt`.
    std::optional<DiskWait> of(std::uint32_t trace, std::int32_t cpu, Timestamp since, Timestamp wokenAt);

    /// Activity of a disk's driver in a range.
    struct DriverActivity {
        TimeRange range;
        /// Text of the request that the driver processed in `range`. If requests overlap, the one that started first. Empty if the driver
        /// was idle.
        std::string request;
        std::string activity; ///< Activity of the request's thread, like DiskWait::activity; empty if the driver was idle.
        std::int32_t tid = -1; ///< TID of the thread that made the request; -1 if unknown.
    };
    /// Returns the activity of a disk's driver in the range, as consecutive intervals without gaps.
    /// Cost: reads the segments in the range.
    std::vector<DriverActivity> findDriverActivity(std::uint32_t trace, std::string_view disk, TimeRange range);

private:
    /// Cache entry: the parsed fields of a request.
    struct ParsedFields {
        std::string_view disk;
        std::int32_t cpu = -1;
    };
    const ParsedFields& known(std::string_view fields);
    std::uint64_t completedIn(std::uint32_t trace, std::string_view disk, TimeRange range);

    const Timeline& m_timeline;
    std::unordered_map<const char*, ParsedFields> m_known; ///< Parsed fields of requests, keyed by the address of their text in the store.
};

} // namespace helio
