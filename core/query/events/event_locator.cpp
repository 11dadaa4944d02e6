#include "core/query/events/event_locator.h"

#include <numeric>

namespace helio {
namespace {

std::uint64_t eventsOf(const TimelineTrace& t)
{
    if (!t.facts)
        return 0;
    if (t.facts->isComplete())
        return t.facts->summary().events;
    return t.facts->mergeIndex().empty() ? 0 : t.facts->mergeIndex().back().event;
}

std::uint64_t sum(const EventPosition& place) { return std::accumulate(place.begin(), place.end(), std::uint64_t(0)); }

} // namespace

EventLocator::EventLocator(std::shared_ptr<const Timeline> timeline)
    : m_timeline(std::move(timeline))
{
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < m_timeline->traces.size(); ++i) {
        const std::uint64_t events = eventsOf(m_timeline->traces[i]);
        m_total += events;
        if (events > most) {
            most = events;
            m_longest = i;
        }
    }
}

EventPosition EventLocator::near(std::uint64_t index, const std::stop_token& stop)
{
    const std::size_t traces = m_timeline->traces.size();
    if (traces == 1)
        // EventWalk finds the checkpoint itself.
        return {index};
    EventPosition best(traces, 0);
    const TraceFacts* facts = traces ? m_timeline->traces[m_longest].facts.get() : nullptr;
    if (!facts)
        return best;
    std::size_t low = 0;
    std::size_t high = facts->mergeIndex().size();
    while (low < high && !stop.stop_requested()) {
        const std::size_t middle = low + (high - low) / 2;
        const EventPosition place = atCheckpoint(middle, stop);
        if (sum(place) <= index) {
            best = place;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return best;
}

/// Returns the position just before a checkpoint of the longest trace: the checkpoint's event number, and for each other trace the
/// number of its events that come before it in the order (time, trace).
EventPosition EventLocator::atCheckpoint(std::size_t number, const std::stop_token& stop)
{
    if (const auto known = m_known.find(number); known != m_known.end())
        return known->second;
    const TimelineTrace& longest = m_timeline->traces[m_longest];
    const MergeCheckpoint& checkpoint = longest.facts->mergeIndex()[number];
    const Timestamp time = longest.clock(checkpoint.time);
    // A trace that stands earlier in the list comes first at equal times.
    EventPosition place = EventWalk(m_timeline, time, stop).place();
    const EventPosition after = EventWalk(m_timeline, time + Duration(1), stop).place();
    for (std::size_t i = 0; i < m_longest; ++i)
        place[i] = after[i];
    place[m_longest] = checkpoint.event;
    // The position of a cancelled walk would be wrong.
    if (!stop.stop_requested())
        m_known.emplace(number, place);
    return place;
}

} // namespace helio
