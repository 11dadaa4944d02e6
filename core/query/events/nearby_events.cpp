#include "core/query/events/nearby_events.h"

#include <algorithm>

namespace helio {

std::span<const EventRow> NearbyEvents::eventsAt(Timestamp at, const std::stop_token& stop)
{
    constexpr std::size_t LeastEvents = 64;
    constexpr std::size_t MostEvents = 4'096;
    const bool isIn = !m_events.empty() && m_events.front().time <= at && (at < m_events.back().time || m_isAtEnd);
    if (!isIn) {
        // Read more at once as long as times go forward in small steps.
        const bool isNear =
            !m_events.empty() && m_events.back().time <= at && at - m_events.back().time <= m_events.back().time - m_events.front().time;
        m_size = isNear ? std::min(m_size * 2, MostEvents) : LeastEvents;
        if (!m_table)
            m_table = std::make_unique<EventTable>(m_timeline);
        m_events = m_table->rows(m_table->indexAt(at, stop), m_size, stop);
        m_isAtEnd = m_events.size() < m_size && !stop.stop_requested();
    }
    const auto found = std::ranges::equal_range(m_events, at, {}, &EventRow::time);
    return {found.begin(), found.end()};
}

} // namespace helio
