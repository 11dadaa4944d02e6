#pragma once

#include "core/latency/running/nominal_times.h"

#include <memory>
#include <mutex>
#include <stop_token>

namespace helio {

/// Cache of running times converted to the nominal CPU frequency, for the timeline that was queried last. The first query reads all
/// switches; further queries cost almost nothing. Threads: any.
class NominalTimesCache {
public:
    /// True if of() does not block: the times are cached, or the recording is not completely read, so that there are none.
    bool isReady(const std::shared_ptr<const Timeline>& timeline) const;
    /// Returns the running times of a timeline; nullptr if the recording is not completely read or has no frequencies, or if `stop` was
    /// requested.
    std::shared_ptr<const NominalTimes> of(const std::shared_ptr<const Timeline>& timeline, const std::stop_token& stop);

private:
    mutable std::mutex m_mutex;
    std::weak_ptr<const Timeline> m_timeline;
    std::shared_ptr<const NominalTimes> m_times;
};

} // namespace helio
