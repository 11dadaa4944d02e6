#pragma once

#include "core/query/rows/rows.h"
#include "core/store/links.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Finds the CPU that a thread had, and the threads that had a CPU, in any trace.
/// Ownership: keeps a reference to the timeline, which must outlive it.
/// Threads: to be used by one thread.
/// Cost: a binary search for each CPU in each query.
class CpuOccupancy {
public:
    explicit CpuOccupancy(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }

    /// Returns the CPU that a thread has at a time; NoCpu if it has none.
    std::int32_t cpuOf(TrackRef thread, Timestamp at);

    struct Occupant {
        TrackRef thread; ///< Not valid if the CPU was idle or if the thread is unknown.
        bool isIdle = false;
        Duration total{};
    };
    /// Returns the holders of a CPU in the range, the longest total first. The totals add up to the range if all of it is known.
    std::vector<Occupant> on(std::uint32_t trace, std::int32_t cpu, TimeRange range);

private:
    using CpuRows = std::vector<std::pair<std::int32_t, TrackRef>>;
    const CpuRows& rowsOf(std::uint32_t trace);

    /// An interval in which a thread had a CPU without a break.
    struct Stay {
        TrackRef thread;
        TimeRange range{};
        std::int32_t cpu = NoCpu;
    };

    const Timeline& m_timeline;
    Stay m_last; ///< Last result of cpuOf(); most queries fall into it.
    std::map<std::uint32_t, CpuRows> m_rows; ///< Indexed by trace.
};

} // namespace helio
