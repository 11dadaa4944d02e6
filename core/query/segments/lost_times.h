#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <vector>

namespace helio {

struct Timeline;

/// When each host's events were lost.
class LostTimes {
public:
    LostTimes(const Timeline& timeline, TimeRange window);

    /// Whether an event that lies between may be missing. Cost: a search, and the gaps that end within the range.
    bool touch(std::uint32_t host, TimeRange range) const;

private:
    std::vector<std::vector<TimeRange>> m_hosts; ///< By host, in order.
};

} // namespace helio
