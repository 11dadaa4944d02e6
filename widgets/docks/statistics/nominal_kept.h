#pragma once

#include "core/latency/running/nominal_times.h"

#include <memory>
#include <mutex>
#include <stop_token>

namespace helio {

/// The running times at nominal frequencies of the timeline that was asked for last: making them reads all switches, each question hardly
/// anything. Any thread.
class NominalKept {
public:
    /// Whether of() has them already, or needs none: the recording is not read to its end.
    bool isReady(const std::shared_ptr<const Timeline>& timeline) const;
    /// Nullptr: the recording is not read to its end, has no frequencies, or it was stopped.
    std::shared_ptr<const NominalTimes> of(const std::shared_ptr<const Timeline>& timeline, const std::stop_token& stop);

private:
    mutable std::mutex m_mutex;
    std::weak_ptr<const Timeline> m_timeline;
    std::shared_ptr<const NominalTimes> m_times;
};

} // namespace helio
