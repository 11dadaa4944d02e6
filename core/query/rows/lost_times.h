#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace helio {

struct Timeline;

/// The times in which each host lost events.
class LostEventTimes {
public:
    LostEventTimes(const Timeline& timeline, TimeRange window);

    /// Returns true if no host lost events.
    bool isEmpty() const { return m_cpus.empty(); }

    /// Returns true if the host lost events in the range.
    /// Cost: one binary search.
    bool touch(std::uint32_t host, TimeRange range) const;

    /// Returns true if the host lost events in the range or directly before or after it, so that its begin or end may be wrong.
    bool touchOrAdjoin(std::uint32_t host, TimeRange range) const;
    /// Returns true if this is so for one CPU of the host. Losses on unknown CPUs count for each CPU.
    bool touchOrAdjoin(std::uint32_t host, std::int32_t cpu, TimeRange range) const;

private:
    static constexpr std::int32_t AnyCpu = -1;

    std::vector<std::vector<TimeRange>> m_hosts; ///< Disjoint time ranges of lost events in time order, indexed by host.
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<TimeRange>> m_cpus; ///< Disjoint ranges of lost events by host and CPU.
};

} // namespace helio
