#include "core/query/events/events.h"

#include "core/query/events/event_walk.h"
#include "core/query/rows/event_thread_resolver.h"
#include "core/query/rows/facts.h"

#include <algorithm>

namespace helio {
namespace {

/// Number of events between two progress reports and polls of the stop token.
constexpr std::uint64_t SearchPartSize = 65'536;

/// Search for events that match an expression, with a matcher for each trace.
class Search {
public:
    Search(std::shared_ptr<const Timeline> timeline, const std::shared_ptr<const Expression>& expression)
        : m_timeline(std::move(timeline))
    {
        for (std::uint32_t i = 0; i < m_timeline->traces.size(); ++i) {
            const auto& matcher = m_matchers.emplace_back(EventMatcher::make(expression, *m_timeline, i));
            auto& flags = m_canMatch.emplace_back(m_timeline->traces[i].trace->eventTypes().size());
            for (std::size_t type = 0; type < flags.size(); ++type)
                flags[type] = matcher->canMatch(EventTypeId(static_cast<std::uint32_t>(type)));
        }
    }

    /// False if no event of any type can match.
    bool canMatchAny() const
    {
        return std::ranges::any_of(m_canMatch, [](const auto& flags) { return std::ranges::count(flags, char(true)) > 0; });
    }

    bool matches(const EventWalk& walk)
    {
        const auto type = static_cast<std::size_t>(walk.event().record->type);
        const auto& flags = m_canMatch[walk.trace()];
        return type < flags.size() && flags[type] && m_matchers[walk.trace()]->matches(walk.event());
    }

    /// Returns the last hit with an event number in [from, to); empty if there is none.
    std::vector<EventHit> last(std::uint64_t from, std::uint64_t to, EventLocator& places, const std::stop_token& stop)
    {
        EventWalk walk(m_timeline, places.near(from, stop), stop);
        std::vector<EventHit> hit;
        for (std::uint64_t index = walk.startIndex(); index < to && walk.next(); ++index) {
            if (index % SearchPartSize == 0 && stop.stop_requested())
                return {};
            if (index >= from && matches(walk))
                hit.assign(1, {index, walk.time(), walk.trace()});
        }
        return hit;
    }

    std::vector<EventHit> first(std::uint64_t from, EventLocator& places, const std::stop_token& stop)
    {
        EventWalk walk(m_timeline, places.near(from, stop), stop);
        for (std::uint64_t index = walk.startIndex(); walk.next(); ++index) {
            if (index % SearchPartSize == 0 && stop.stop_requested())
                return {};
            if (index >= from && matches(walk))
                return {{index, walk.time(), walk.trace()}};
        }
        return {};
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
    std::vector<std::unique_ptr<EventMatcher>> m_matchers;
    /// True if events of the type may match the expression; indexed by trace and event type. Computed once to save time per event.
    std::vector<std::vector<char>> m_canMatch;
};

} // namespace

class EventCursor::Impl {
public:
    Impl(std::shared_ptr<const Timeline> timeline, Timestamp from)
        : walk(std::move(timeline), from)
    {
    }
    Impl(const std::shared_ptr<const Timeline>& timeline, TimeRange window)
        : walk(timeline, window.begin)
        , m_window(window)
        , m_until(walkEndFor(*timeline, window.end))
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
    std::optional<TimeRange> m_window; ///< Time range of the events to return; nullopt for all events from the start of the walk.
    Timestamp m_until; ///< Time at which next() stops, because the walk has passed all events of the time range.
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
    Impl(std::shared_ptr<const Timeline> timeline, bool hasTexts)
        : m_timeline(std::move(timeline))
        , m_places(m_timeline)
    {
        for (std::uint32_t i = 0; i < m_timeline->traces.size(); ++i)
            m_threads.emplace_back(*m_timeline, i);
        for (const auto& trace : m_timeline->traces)
            m_texts.push_back(hasTexts ? trace.trace->makeEventTexts() : nullptr);
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
            // Discard the walk: it was cancelled or is at the end, so the next call cannot continue it.
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
    /// Moves the walk to an event. For a short distance forward, reads on; else starts a new walk at a checkpoint.
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
                     {},
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
        if (m_texts[trace])
            m_texts[trace]->append(row.text, event);
        return row;
    }

    std::shared_ptr<const Timeline> m_timeline;
    EventLocator m_places;
    std::vector<EventThreadResolver> m_threads;
    std::vector<std::unique_ptr<EventTexts>> m_texts; ///< For each trace, the printer of its event texts; nullptr if there is none.
    std::unique_ptr<EventWalk> m_walk;
    std::uint64_t m_at = 0; ///< Number of the event that the next call of m_walk->next() reads.
};

EventTable::EventTable(std::shared_ptr<const Timeline> timeline, bool hasTexts)
    : m_impl(std::make_unique<Impl>(std::move(timeline), hasTexts))
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

void findEvents(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression, TimeRange range, std::size_t limit,
                const std::function<void(std::vector<EventHit>, double)>& onHits, std::stop_token stop)
{
    Search search(timeline, expression);
    if (!search.canMatchAny())
        return onHits({}, 1);
    EventWalk walk(timeline, range.begin, stop);
    std::vector<EventHit> part;
    std::size_t found = 0;
    std::uint64_t index = walk.startIndex();
    // Clip the range, because the length of an unlimited range would overflow.
    const TimeRange known = range.clippedTo(timeline->range);
    const double length = std::max(1.0, double(nanoseconds(known.end)) - double(nanoseconds(known.begin)));
    const auto share = [&](Timestamp at) {
        return std::clamp((double(nanoseconds(at)) - double(nanoseconds(known.begin))) / length, 0.0, 1.0);
    };
    // A half-open range up to the experiment's end does not contain the last event, so search without an end.
    const Timestamp end = range.end >= timeline->range.end ? Timestamp::max() : range.end;
    for (; walk.next() && walk.time() < end; ++index) {
        if (search.matches(walk)) {
            part.push_back({index, walk.time(), walk.trace()});
            if (limit > 0 && ++found == limit)
                break;
        }
        if (index % SearchPartSize == 0) {
            if (stop.stop_requested())
                return;
            onHits(std::exchange(part, {}), share(walk.time()));
        }
    }
    onHits(std::move(part), 1);
}

std::vector<EventHit> findNextEvent(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression,
                                    std::uint64_t fromIndex, bool forward, std::stop_token stop)
{
    Search search(timeline, expression);
    if (!search.canMatchAny())
        return {};
    EventLocator places(timeline);
    if (forward)
        return search.first(fromIndex + 1, places, stop);
    for (std::uint64_t end = std::min(fromIndex, places.total()); end > 0 && !stop.stop_requested();) {
        const std::uint64_t begin = end > SearchPartSize ? end - SearchPartSize : 0;
        if (auto hit = search.last(begin, end, places, stop); !hit.empty())
            return hit;
        end = begin;
    }
    return {};
}

} // namespace helio
