#pragma once

#include "core/query/rows/rows.h"
#include "core/store/links.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Which thread had which CPU, of any trace. One thread; the timeline outlives it. Cost of a question: a binary search for each CPU.
class CpuHolders {
public:
    explicit CpuHolders(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }

    /// The CPU that a thread has at a time, or NoCpu.
    std::int32_t cpuOf(TrackRef thread, Timestamp at);

    struct Holder {
        TrackRef thread; ///< Not valid: idle, or not known.
        bool isIdle = false;
        Duration total{};
    };
    /// Who had a CPU meanwhile, the longest first; they add up to the range where all is known.
    std::vector<Holder> on(std::uint32_t trace, std::int32_t cpu, TimeRange range);

private:
    using CpuRows = std::vector<std::pair<std::int32_t, TrackRef>>;
    const CpuRows& rowsOf(std::uint32_t trace);

    /// Who had which CPU all through a range.
    struct Stay {
        TrackRef thread;
        TimeRange range{};
        std::int32_t cpu = NoCpu;
    };

    const Timeline& m_timeline;
    Stay m_last; ///< That cpuOf() found: mostly it is asked about its parts.
    std::map<std::uint32_t, CpuRows> m_rows; ///< By trace.
};

} // namespace helio
