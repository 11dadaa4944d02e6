#pragma once

#include "core/query/rows/rows.h"
#include "core/store/links.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Finds the CPU on which a thread ran, and the threads that ran on a CPU, in any trace.
/// Ownership: the timeline outlives the object.
/// Threads: to be used by one thread.
/// Cost: a binary search for each CPU in each query.
class CpuOccupancy {
public:
    explicit CpuOccupancy(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }

    /// Returns the CPU on which a thread is at a time; NoCpu if it is on none.
    std::int32_t cpuOf(TrackRef thread, Timestamp at);

    struct Occupant {
        TrackRef thread; ///< Thread that had the CPU; not valid if the CPU was idle or if the thread is unknown.
        bool isIdle = false;
        Duration total{};
    };
    /// Returns the occupants of a CPU in the range, the longest total first. The totals add up to the range if the CPU's states are known
    /// throughout.
    std::vector<Occupant> on(std::uint32_t trace, std::int32_t cpu, TimeRange range);

private:
    using CpuRows = std::vector<std::pair<std::int32_t, TrackRef>>;
    const CpuRows& rowsOf(std::uint32_t trace);

    /// An interval in which a thread was on a CPU without interruption.
    struct Stay {
        TrackRef thread;
        TimeRange range{};
        std::int32_t cpu = NoCpu;
    };

    const Timeline& m_timeline;
    Stay m_last; ///< Cache of the last result of cpuOf(), which most queries hit.
    std::map<std::uint32_t, CpuRows> m_rows; ///< Rows of the CPUs, by trace.
};

} // namespace helio
