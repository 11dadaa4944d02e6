#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <vector>

namespace helio {

struct Timeline;

/// The times in which events of each host were lost.
class LostEventTimes {
public:
    LostEventTimes(const Timeline& timeline, TimeRange window);

    /// True if an event in the range may be missing.
    /// Cost: one binary search.
    bool touch(std::uint32_t host, TimeRange range) const;

private:
    std::vector<std::vector<TimeRange>> m_hosts; ///< Indexed by host; ranges in time order that do not touch each other.
};

} // namespace helio
