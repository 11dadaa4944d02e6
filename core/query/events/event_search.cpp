#include "core/query/events/event_locator.h"
#include "core/query/events/event_walk.h"
#include "core/query/events/events.h"

#include <algorithm>

namespace helio {
namespace {

/// Number of events between two progress reports and polls of the stop token.
constexpr std::uint64_t SearchPartSize = 65'536;

/// The matchers of all traces, and the searches that use them.
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

    /// Returns the last hit with from <= index < to.
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
    std::vector<std::vector<char>> m_canMatch; ///< Indexed by trace and event type: computed once, not for each event.
};

} // namespace

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
    // The length of an unlimited range would overflow.
    const TimeRange known = range.clippedTo(timeline->range);
    const double length = std::max(1.0, double(nanoseconds(known.end)) - double(nanoseconds(known.begin)));
    const auto share = [&](Timestamp at) {
        return std::clamp((double(nanoseconds(at)) - double(nanoseconds(known.begin))) / length, 0.0, 1.0);
    };
    // The last event lies at the experiment's end, which no half-open range holds.
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
