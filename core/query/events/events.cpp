#include "core/query/events/events.h"

#include "core/query/events/event_locator.h"
#include "core/query/events/event_walk.h"
#include "core/query/rows/event_thread_resolver.h"
#include "core/query/rows/facts.h"

namespace helio {

class EventCursor::Impl {
public:
    Impl(std::shared_ptr<const Timeline> timeline, Timestamp from)
        : walk(std::move(timeline), from)
    {
    }
    Impl(const std::shared_ptr<const Timeline>& timeline, TimeRange window)
        : walk(timeline, window.begin)
        , m_window(window)
        , m_until(lastEventBefore(*timeline, window.end))
    {
    }

    bool next()
    {
        while (walk.next()) {
            if (!m_window || (m_window->begin <= walk.time() && walk.time() < m_window->end))
                return true;
            if (walk.time() >= m_until)
                return false;
        }
        return false;
    }

    EventWalk walk;

private:
    std::optional<TimeRange> m_window; ///< nullopt: all events from the start of the walk.
    Timestamp m_until; ///< A walk that reaches this time has passed all events of the window.
};

EventCursor::EventCursor(std::shared_ptr<const Timeline> timeline, Timestamp from)
    : m_impl(std::make_unique<Impl>(std::move(timeline), from))
{
}

EventCursor::EventCursor(std::shared_ptr<const Timeline> timeline, TimeRange window)
    : m_impl(std::make_unique<Impl>(timeline, window))
{
}

EventCursor::~EventCursor() = default;

bool EventCursor::next() { return m_impl->next(); }
const EventView& EventCursor::event() const { return m_impl->walk.event(); }
Timestamp EventCursor::time() const { return m_impl->walk.time(); }
std::uint32_t EventCursor::trace() const { return m_impl->walk.trace(); }
std::vector<Diagnostic> EventCursor::diagnostics(std::uint32_t trace) const { return m_impl->walk.diagnostics(trace); }

class EventTable::Impl {
public:
    explicit Impl(std::shared_ptr<const Timeline> timeline)
        : m_timeline(std::move(timeline))
        , m_places(m_timeline)
    {
        for (std::uint32_t i = 0; i < m_timeline->traces.size(); ++i)
            m_threads.emplace_back(*m_timeline, i);
    }

    std::uint64_t size() const { return m_places.total(); }

    std::vector<EventRow> rows(std::uint64_t first, std::size_t count, const std::stop_token& stop)
    {
        std::vector<EventRow> rows;
        if (first >= size())
            return rows;
        moveTo(first, stop);
        while (rows.size() < count && m_at < size() && !stop.stop_requested() && m_walk->next()) {
            rows.push_back(row());
            ++m_at;
        }
        if (rows.size() < count)
            // The rows were cut short or the end was reached: the next call starts afresh.
            m_walk.reset();
        return rows;
    }

    std::vector<EventRow> rows(std::span<const std::uint64_t> numbers, const std::stop_token& stop)
    {
        std::vector<EventRow> rows;
        for (const std::uint64_t number : numbers) {
            if (number >= size())
                break;
            moveTo(number, stop);
            if (stop.stop_requested() || m_at != number || !m_walk->next()) {
                m_walk.reset();
                break;
            }
            rows.push_back(row());
            ++m_at;
        }
        return rows;
    }

    std::uint64_t indexAt(Timestamp at, const std::stop_token& stop) const
    {
        return std::min(size(), EventWalk(m_timeline, at, stop).startIndex());
    }

private:
    /// Moves the walk to an event. Reading on is cheap; for any other jump the walk starts at a checkpoint.
    void moveTo(std::uint64_t first, const std::stop_token& stop)
    {
        if (!m_walk || first < m_at || first - m_at > MergeIndexStep) {
            m_walk = std::make_unique<EventWalk>(m_timeline, m_places.near(first, stop), stop);
            m_at = m_walk->startIndex();
        }
        while (m_at < first && !stop.stop_requested() && m_walk->next())
            ++m_at;
    }

    EventRow row() const
    {
        const EventView& event = m_walk->event();
        const std::uint32_t trace = m_walk->trace();
        const Trace& source = *m_timeline->traces[trace].trace;
        const auto streams = source.streams();
        EventRow row{m_at,
                     trace,
                     m_walk->time(),
                     event.cpu(),
                     event.type->name,
                     {},
                     {},
                     {},
                     decodeContext(event),
                     decodeSection(event, Section::Payload),
                     -1,
                     source.info().hasTimes};
        if (event.stream < streams.size()) {
            row.stream = streams[event.stream].label;
            row.hasTime = row.hasTime && streams[event.stream].hasTimes;
        }
        row.host = hostName(*m_timeline, m_timeline->traces[trace].host);
        if (m_timeline->traces.size() > 1)
            row.traceName = m_timeline->traces[trace].trace->info().name;
        row.tid = m_threads[trace].tid(event).value_or(-1);
        return row;
    }

    std::shared_ptr<const Timeline> m_timeline;
    EventLocator m_places;
    std::vector<EventThreadResolver> m_threads;
    std::unique_ptr<EventWalk> m_walk;
    std::uint64_t m_at = 0; ///< Number of the event that the next step of m_walk gives.
};

EventTable::EventTable(std::shared_ptr<const Timeline> timeline)
    : m_impl(std::make_unique<Impl>(std::move(timeline)))
{
}

EventTable::~EventTable() = default;

std::uint64_t EventTable::size() const { return m_impl->size(); }

std::vector<EventRow> EventTable::rows(std::uint64_t first, std::size_t count, std::stop_token stop)
{
    return m_impl->rows(first, count, stop);
}

std::vector<EventRow> EventTable::rows(std::span<const std::uint64_t> numbers, std::stop_token stop) { return m_impl->rows(numbers, stop); }

std::uint64_t EventTable::indexAt(Timestamp at, std::stop_token stop) { return m_impl->indexAt(at, stop); }

} // namespace helio
