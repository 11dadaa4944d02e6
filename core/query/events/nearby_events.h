#pragma once

#include "core/query/events/events.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio {

/// Reads the events of single times. Look-ups whose times go forward in small steps share decoded events.
/// Threads: to be used by one thread, any but the UI thread.
/// Memory: up to 4,096 decoded events.
class NearbyEvents {
public:
    explicit NearbyEvents(std::shared_ptr<const Timeline> timeline)
        : m_timeline(std::move(timeline))
    {
    }

    /// Returns the events with exactly this time, at least the first 64 of them. Valid until the next call.
    /// Cost: decodes 64 events, a jump of the trace's reader; one event for each of many times in order.
    std::span<const EventRow> eventsAt(Timestamp at, const std::stop_token& stop = {});

private:
    std::shared_ptr<const Timeline> m_timeline;
    std::unique_ptr<EventTable> m_table; ///< Null until the first look-up.
    std::vector<EventRow> m_events; ///< Successive events in time order.
    std::size_t m_size = 0; ///< Number of events that were read last.
    bool m_isAtEnd = false; ///< True if no events follow `m_events`.
};

} // namespace helio
