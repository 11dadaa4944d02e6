#pragma once

#include "core/experiment/timeline.h"

#include <memory>
#include <stop_token>
#include <utility>

namespace helio::sql {

/// A timeline together with the rows with states that correlators make on request, e.g. those of virtual machines. All tracks and stores of
/// the timeline have the same references in it.
/// Threads: to be used by one thread.
class TimelineWithRows {
public:
    explicit TimelineWithRows(std::shared_ptr<const Timeline> timeline)
        : m_timeline(std::move(timeline))
    {
    }

    /// Returns the timeline with the rows; without them after a stop request.
    /// Cost: the first call runs the correlators.
    const std::shared_ptr<const Timeline>& get(const std::stop_token& stop) const;

private:
    mutable std::shared_ptr<const Timeline> m_timeline;
    mutable bool m_hasRows = false;
};

} // namespace helio::sql
