#pragma once

#include "core/latency/running/nominal_times.h"

#include <memory>
#include <mutex>
#include <stop_token>

namespace helio {

/// A cache of the running times at nominal frequencies of the timeline that was queried last. Computing them reads all switches; a query
/// after that costs almost nothing.
/// Threads: any.
class NominalTimesCache {
public:
    /// True if of() returns at once: the times are computed already, or the recording is not read to its end.
    bool isReady(const std::shared_ptr<const Timeline>& timeline) const;
    /// Returns nullptr if the recording is not read to its end or has no frequencies, or if `stop` was requested.
    std::shared_ptr<const NominalTimes> of(const std::shared_ptr<const Timeline>& timeline, const std::stop_token& stop);

private:
    mutable std::mutex m_mutex;
    std::weak_ptr<const Timeline> m_timeline;
    std::shared_ptr<const NominalTimes> m_times;
};

} // namespace helio
