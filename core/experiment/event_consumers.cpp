#include "core/experiment/event_consumers.h"

namespace helio {

EventConsumers::EventConsumers(const Trace& trace, std::span<const std::unique_ptr<Analysis>> analyses)
    : m_ofType(trace.eventTypes().size())
{
    for (std::size_t i = 0; i < analyses.size(); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << placeOf(i);
        bool takesAll = true;
        for (std::size_t type = 0; type < m_ofType.size(); ++type) {
            const bool takes = analyses[i]->takes(static_cast<EventTypeId>(type));
            m_ofType[type] |= takes ? bit : 0;
            takesAll &= takes;
        }
        m_always |= takesAll ? bit : 0;
        m_areAll &= takesAll;
    }
}

std::uint64_t EventConsumers::of(const EventRun& run) const
{
    std::uint64_t consumers = m_always;
    if (m_areAll)
        return consumers;
    const std::uint64_t* const ofType = m_ofType.data();
#pragma GCC unroll 4
    for (const EventRecord& record : run.records)
        consumers |= ofType[static_cast<std::size_t>(record.type)];
    return consumers;
}

} // namespace helio
