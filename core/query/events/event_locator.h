#pragma once

#include "core/query/events/event_walk.h"

#include <map>
#include <memory>
#include <stop_token>

namespace helio {

/// Finds the position of event number n of the whole experiment. With one trace that is arithmetic. With several traces, positions at the
/// checkpoints of the longest trace are found when needed, and cached.
/// Threads: to be used by one thread.
class EventLocator {
public:
    explicit EventLocator(std::shared_ptr<const Timeline> timeline);

    /// Returns a position at or before the event, near enough to walk from (at most about 65,536 events per trace).
    EventPosition near(std::uint64_t index, const std::stop_token& stop);

    /// Returns the number of events known so far.
    std::uint64_t total() const { return m_total; }

private:
    EventPosition atCheckpoint(std::size_t number, const std::stop_token& stop);

    std::shared_ptr<const Timeline> m_timeline;
    std::size_t m_longest = 0;
    std::uint64_t m_total = 0;
    std::map<std::size_t, EventPosition> m_known; ///< Keyed by checkpoint number of the longest trace.
};

} // namespace helio
