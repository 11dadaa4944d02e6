#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <vector>

namespace helio {

struct Timeline;

/// The times in which each host lost events.
class LostEventTimes {
public:
    LostEventTimes(const Timeline& timeline, TimeRange window);

    /// Returns true if the host lost events in the range.
    /// Cost: one binary search.
    bool touch(std::uint32_t host, TimeRange range) const;

private:
    std::vector<std::vector<TimeRange>> m_hosts; ///< Disjoint time ranges of lost events in time order, indexed by host.
};

} // namespace helio
