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

    /// Whether an event that lies between may be missing. Cost: a search.
    bool touch(std::uint32_t host, TimeRange range) const;

private:
    std::vector<std::vector<TimeRange>> m_hosts; ///< By host, in order, none touching the next.
};

} // namespace helio
