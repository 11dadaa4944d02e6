#include "core/query/events/event_walk.h"

#include "core/trace/packed/index_only_trace.h"

#include <algorithm>
#include <numeric>

namespace helio {
namespace {

constexpr std::uint64_t PollStep = 4096; // Number of events between two polls of the stop token.

const MergeCheckpoint* lastBefore(const TraceFacts* facts, auto isBefore)
{
    if (!facts)
        return nullptr;
    const auto index = facts->mergeIndex();
    const auto it = std::partition_point(index.begin(), index.end(), isBefore);
    return it == index.begin() ? nullptr : &*std::prev(it);
}

/// True if the trace is completely indexed and some stream of it is not in time order.
bool hasNegativeDuration(const TraceFacts* facts)
{
    const auto isBackward = [](const Diagnostic& it) { return it.kind == "backward-time"; };
    return facts && facts->isComplete() && std::ranges::any_of(facts->summary().anomalies, isBackward);
}

/// Returns the end time of the last packet that begins before `end`; HostTimestamp::max() if a packet has no time range or the packets are
/// not in time order.
HostTimestamp endOfPacketsBefore(const StreamInfo& stream, HostTimestamp end)
{
    HostTimestamp last = end;
    HostTimestamp before = HostTimestamp::min();
    for (const PacketInfo& packet : stream.packets) {
        if (!packet.range || packet.range->begin < before)
            return HostTimestamp::max();
        before = packet.range->end;
        if (packet.range->begin < end)
            last = std::max(last, packet.range->end);
    }
    return last;
}

std::uint64_t eventsOf(const TimelineTrace& t)
{
    if (!t.facts || dynamic_cast<const IndexOnlyTrace*>(t.trace.get())) // An index without its recording counts events that cannot be read.
        return 0;
    if (t.facts->isComplete())
        return t.facts->summary().events;
    return t.facts->mergeIndex().empty() ? 0 : t.facts->mergeIndex().back().event;
}

std::uint64_t sum(const EventPosition& place) { return std::accumulate(place.begin(), place.end(), std::uint64_t(0)); }

} // namespace

Timestamp walkEndFor(const Timeline& timeline, Timestamp end)
{
    Timestamp last = end;
    if (end == Timestamp::max())
        return last;
    for (const TimelineTrace& t : timeline.traces) {
        if (hasNegativeDuration(t.facts.get()))
            return Timestamp::max();
        if ((t.facts && t.facts->isComplete()) || !t.trace->info().hasTimes)
            continue;
        for (const StreamInfo& stream : t.trace->streams()) {
            const HostTimestamp own = endOfPacketsBefore(stream, t.clock.inverse(end));
            if (own == HostTimestamp::max())
                return Timestamp::max();
            last = std::max(last, t.clock(own));
        }
    }
    return last;
}

EventWalk::EventWalk(std::shared_ptr<const Timeline> timeline, Timestamp from, std::stop_token stop)
    : m_timeline(std::move(timeline))
    , m_traces(m_timeline->traces.size())
{
    for (std::size_t i = 0; i < m_traces.size(); ++i)
        openFrom(i, from, stop);
    m_startIndex = index();
    choose();
}

EventWalk::EventWalk(std::shared_ptr<const Timeline> timeline, const EventPosition& place, std::stop_token stop)
    : m_timeline(std::move(timeline))
    , m_traces(m_timeline->traces.size())
{
    for (std::size_t i = 0; i < m_traces.size(); ++i)
        openAt(i, i < place.size() ? place[i] : 0, stop);
    m_startIndex = index();
    choose();
}

EventWalk::~EventWalk() = default;

void EventWalk::openNear(std::size_t trace, const MergeCheckpoint* checkpoint)
{
    TraceWalk& walk = m_traces[trace];
    const Trace& source = *m_timeline->traces[trace].trace;
    const bool fits = checkpoint && checkpoint->streams.size() == source.streams().size();
    walk.events = fits ? std::make_unique<MergedEvents>(source, checkpoint->streams) : std::make_unique<MergedEvents>(source);
    walk.before = fits ? checkpoint->event : 0;
    // The first call of step() moves to the first event, but increments `before` as if it had moved past an event. Therefore, start with a
    // count lower by 1.
    --walk.before;
    step(trace);
}

void EventWalk::openAt(std::size_t trace, std::uint64_t event, const std::stop_token& stop)
{
    openNear(trace, lastBefore(m_timeline->traces[trace].facts.get(), [&](const MergeCheckpoint& c) { return c.event <= event; }));
    TraceWalk& walk = m_traces[trace];
    while (!walk.isAtEnd && walk.before < event && (walk.before % PollStep != 0 || !stop.stop_requested()))
        step(trace);
}

void EventWalk::openFrom(std::size_t trace, Timestamp from, const std::stop_token& stop)
{
    const HostTimestamp own = m_timeline->traces[trace].clock.inverse(from);
    const TraceFacts* const facts = m_timeline->traces[trace].facts.get();
    openNear(trace, lastBefore(hasNegativeDuration(facts) ? nullptr : facts, [&](const MergeCheckpoint& c) { return c.time < own; }));
    TraceWalk& walk = m_traces[trace];
    while (!walk.isAtEnd && walk.time < from && (walk.before % PollStep != 0 || !stop.stop_requested()))
        step(trace);
}

void EventWalk::step(std::size_t trace)
{
    TraceWalk& walk = m_traces[trace];
    ++walk.before;
    walk.isAtEnd = !walk.events->next();
    if (!walk.isAtEnd)
        walk.time = m_timeline->traces[trace].clock(walk.events->event().time());
}

/// Sets m_current to the trace with the earliest event. Uses a linear search, which is faster than a heap for few traces.
void EventWalk::choose()
{
    std::size_t best = m_traces.size();
    for (std::size_t i = 0; i < m_traces.size(); ++i)
        if (!m_traces[i].isAtEnd && (best == m_traces.size() || m_traces[i].time < m_traces[best].time))
            best = i;
    m_current = static_cast<std::uint32_t>(best);
}

bool EventWalk::next()
{
    if (m_isStarted && m_current < m_traces.size()) {
        step(m_current);
        if (m_traces.size() > 1 || m_traces[0].isAtEnd)
            choose();
    }
    m_isStarted = true;
    return m_current < m_traces.size();
}

std::uint64_t EventWalk::index() const
{
    return std::accumulate(m_traces.begin(), m_traces.end(), std::uint64_t(0),
                           [](std::uint64_t sum, const TraceWalk& walk) { return sum + walk.before; });
}

EventPosition EventWalk::place() const
{
    EventPosition place;
    for (const TraceWalk& walk : m_traces)
        place.push_back(walk.before);
    return place;
}

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
        // The experiment has one trace, so the event's number is its position. With several traces, the code below searches for a
        // checkpoint.
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

/// Returns the position just before a checkpoint of the longest trace. For the longest trace, it is the checkpoint's event number.
/// For each other trace, it is the number of events that come before the checkpoint in the order (time, trace).
EventPosition EventLocator::atCheckpoint(std::size_t number, const std::stop_token& stop)
{
    if (const auto known = m_known.find(number); known != m_known.end())
        return known->second;
    const TimelineTrace& longest = m_timeline->traces[m_longest];
    const MergeCheckpoint& checkpoint = longest.facts->mergeIndex()[number];
    const Timestamp time = longest.clock(checkpoint.time);
    // Events at exactly the checkpoint's time are ordered by trace. For a trace with a smaller index than m_longest, they come before
    // the checkpoint and are included. For a trace with a larger index, they come after it.
    EventPosition place = EventWalk(m_timeline, time, stop).place();
    const EventPosition after = EventWalk(m_timeline, time + Duration(1), stop).place();
    for (std::size_t i = 0; i < m_longest; ++i)
        place[i] = after[i];
    place[m_longest] = checkpoint.event;
    // Do not cache the position if the walk was cancelled, because it is wrong.
    if (!stop.stop_requested())
        m_known.emplace(number, place);
    return place;
}

} // namespace helio
