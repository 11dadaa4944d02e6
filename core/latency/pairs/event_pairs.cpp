#include "core/latency/pairs/event_pairs.h"

#include "core/experiment/timeline.h"
#include "core/query/events/events.h"
#include "core/query/rows/event_thread_resolver.h"
#include "core/query/rows/lost_times.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio {
namespace {

constexpr std::string_view PairArrow = "->";

std::string_view trimmed(std::string_view text)
{
    const auto begin = text.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// Parses "EVENT(FIELD)"; the returned names are empty if the text has another form.
EventField fieldIn(std::string_view text)
{
    text = trimmed(text);
    const auto open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')'))
        return {};
    return {std::string(trimmed(text.substr(0, open))), std::string(trimmed(text.substr(open + 1, text.size() - open - 2)))};
}

bool canBeKey(const FieldRef& field) { return field.isValid() && !field.isFloat(); }

Error wrong(const std::string& what) { return {Error::Kind::Usage, what}; }

/// Calls `take` for each event type; stops if `take` returns false. The second argument of `take` is true if only a part of the type's
/// events was recorded.
template <typename Take> void eachType(const Timeline& timeline, const Take& take)
{
    for (const TimelineTrace& it : timeline.traces) {
        std::uint32_t number = 0;
        for (const auto& type : it.trace->eventTypes())
            if (!take(*type, isSampled(*it.trace, EventTypeId(number++))))
                return;
    }
}

/// Calls `take` for each event type and each of its pairable fields (canBeKey()), until `take` returns false. Skips event types that
/// were recorded only in part.
template <typename Take> void eachPairable(const Timeline& timeline, const Take& take)
{
    eachType(timeline, [&](const EventType& type, bool isPart) {
        if (isPart)
            return true;
        for (const Section section : {Section::Payload, Section::EventContext, Section::StreamContext})
            if (const auto* fields = type.section(section) ? std::get_if<StructType>(&type.section(section)->shape) : nullptr)
                for (const Member& it : fields->members)
                    if (!it.isHidden && canBeKey(FieldRef::find(type, it.name)) && !take(type, it))
                        return false;
        return true;
    });
}

std::string joined(const std::set<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// Returns a text that lists the event names in the traces that equal `wanted` apart from the subsystem prefix, for example
/// "sched:sched_switch" for "sched_switch"; empty if there are none.
std::string alikeText(const Timeline& timeline, std::string_view wanted)
{
    const auto last = [](std::string_view name) { return name.substr(name.rfind(':') + 1); };
    std::set<std::string> alike;
    eachType(timeline, [&](const EventType& type, bool) {
        if (last(type.name) == last(wanted))
            alike.insert(type.name);
        return true;
    });
    return alike.empty() ? std::string() : "; similar names: " + joined(alike);
}

Status checkField(const Timeline& timeline, const EventField& wanted)
{
    bool hasEvent = false, hasSome = false;
    eachType(timeline, [&](const EventType& type, bool isPart) {
        if (type.name == wanted.event)
            (isPart ? hasSome : hasEvent) = true;
        return true;
    });
    if (!hasEvent && hasSome)
        return wrong("\"" + wanted.event + "\" was only sampled, not fully recorded, so the next event is unknown");
    if (!hasEvent)
        return wrong("no event is named \"" + wanted.event + "\"" + alikeText(timeline, wanted.event));
    bool hasField = false;
    eachType(timeline, [&](const EventType& type, bool isPart) {
        hasField = type.name == wanted.event && !isPart && canBeKey(FieldRef::find(type, wanted.field));
        return !hasField;
    });
    if (hasField)
        return Done{};
    std::set<std::string> fields;
    eachPairable(timeline, [&](const EventType& type, const Member& it) {
        if (type.name == wanted.event)
            fields.insert(it.name);
        return true;
    });
    return wrong("\"" + wanted.event + "\" has no text or integer field \"" + wanted.field + "\"; it has " + joined(fields));
}

/// Recognizes the first and last events of pairs in one trace.
class TracePairs {
public:
    TracePairs(const Timeline& timeline, std::uint32_t trace, const EventPairLatency& pairs)
        : m_threads(timeline, trace)
    {
        const Trace& its = *timeline.traces[trace].trace;
        for (const auto& type : its.eventTypes()) {
            const bool isPart = isSampled(its, static_cast<EventTypeId>(m_types.size()));
            m_types.push_back(isPart ? Type{} : Type{fieldOf(*type, pairs.first), fieldOf(*type, pairs.last)});
        }
    }

    /// Returns the field's value if the event is the first event of a pair, else nullopt.
    std::optional<std::string> first(const EventView& event) const { return valueIn(typeOf(event).first, event); }
    /// Returns the field's value if the event is the last event of a pair, else nullopt.
    std::optional<std::string> last(const EventView& event) const { return valueIn(typeOf(event).last, event); }

    /// Returns the name of a pair, given its first event and the field's value `value`. An address is written in hexadecimal
    /// digits, as in the list of events.
    std::string nameOf(const EventView& event, const std::string& value) const
    {
        const FieldRef& field = typeOf(event).first;
        const auto* const type = field.type() ? std::get_if<IntegerType>(&field.type()->shape) : nullptr;
        const auto number = type && type->base == DisplayBase::Hexadecimal ? field.integer(event) : std::nullopt;
        if (!number)
            return value;
        std::array<char, 18> text{'0', 'x'};
        const auto end = std::to_chars(text.data() + 2, text.data() + text.size(), static_cast<std::uint64_t>(*number), 16).ptr;
        return {text.data(), end};
    }

    std::int32_t tid(const EventView& event) const
    {
        const auto tid = m_threads.tid(event);
        return tid && *tid >= 0 && *tid <= INT32_MAX ? static_cast<std::int32_t>(*tid) : -1;
    }

private:
    struct Type {
        FieldRef first;
        FieldRef last;
    };

    static FieldRef fieldOf(const EventType& type, const EventField& wanted)
    {
        return type.name == wanted.event ? FieldRef::find(type, wanted.field) : FieldRef();
    }
    const Type& typeOf(const EventView& event) const { return m_types[static_cast<std::size_t>(event.record->type)]; }

    static std::optional<std::string> valueIn(const FieldRef& field, const EventView& event)
    {
        if (!canBeKey(field))
            return {};
        if (field.isText())
            return std::string(field.text(event));
        const auto number = field.integer(event);
        if (!number)
            return {};
        return field.isSigned() ? std::to_string(*number) : std::to_string(static_cast<std::uint64_t>(*number));
    }

    std::vector<Type> m_types;
    EventThreadResolver m_threads;
};

} // namespace

std::string textOf(const EventPairLatency& pairs)
{
    return pairs.first.event + '(' + pairs.first.field + ") -> " + pairs.last.event + '(' + pairs.last.field + ')';
}

std::map<std::string, std::set<std::string>> pairableEvents(const Timeline& timeline)
{
    std::map<std::string, std::set<std::string>> events;
    eachPairable(timeline, [&](const EventType& type, const Member& field) {
        events[type.name].insert(field.name);
        return true;
    });
    return events;
}

bool hasPairableEvents(const Timeline& timeline)
{
    bool has = false;
    eachPairable(timeline, [&](const EventType&, const Member&) { return !(has = true); });
    return has;
}

bool isEventPairs(std::string_view text) { return text.find(PairArrow) != std::string_view::npos; }

Result<EventPairLatency> parseEventPairs(std::string_view text)
{
    const auto arrow = text.find(PairArrow);
    if (arrow != std::string_view::npos) {
        EventPairLatency pairs{fieldIn(text.substr(0, arrow)), fieldIn(text.substr(arrow + PairArrow.size()))};
        if (!pairs.first.event.empty() && !pairs.first.field.empty() && !pairs.last.event.empty() && !pairs.last.field.empty())
            return pairs;
    }
    return wrong("\"" + std::string(text) + "\" is not of the form EVENT(FIELD) -> EVENT(FIELD)");
}

Status checkEventPairs(const Timeline& timeline, const EventPairLatency& pairs)
{
    if (const auto done = checkField(timeline, pairs.first); !done)
        return done;
    return checkField(timeline, pairs.last);
}

std::string partlyRecordedEvent(const Timeline& timeline, const EventPairLatency& pairs)
{
    std::set<std::string> names;
    eachType(timeline, [&](const EventType& type, bool isPart) {
        if (isPart)
            names.insert(type.name);
        return true;
    });
    std::string text;
    for (const std::string& it : {pairs.first.event, pairs.last.event})
        if (names.erase(it) > 0)
            text += (text.empty() ? "" : ", ") + it;
    return text;
}

std::uint64_t forEachEventPair(const std::shared_ptr<const Timeline>& timeline, const EventPairLatency& pairs, TimeRange window,
                               const std::function<void(const EventPair&)>& take, std::stop_token stop)
{
    std::uint64_t leftOut = 0;
    std::vector<TracePairs> traces;
    for (std::uint32_t trace = 0; trace < timeline->traces.size(); ++trace)
        traces.emplace_back(*timeline, trace, pairs);
    // Open pairs, i.e. first events without a last event so far, indexed by host, then by value.
    std::vector<std::unordered_map<std::string, EventPair>> open(timeline->hosts.size());
    const LostEventTimes lost(*timeline, window);
    EventCursor events(timeline, window.begin);
    while (!stop.stop_requested() && events.next() && events.time() <= window.end) {
        const TracePairs& trace = traces[events.trace()];
        auto& waiting = open[timeline->traces[events.trace()].host];
        if (const auto value = trace.last(events.event())) {
            if (auto found = waiting.extract(*value)) {
                found.mapped().range.end = events.time();
                if (lost.touch(timeline->traces[events.trace()].host, found.mapped().range))
                    ++leftOut;
                else
                    take(found.mapped());
            }
        }
        if (auto value = trace.first(events.event()); value && events.time() < window.end) {
            EventPair pair{
                {events.time(), {}}, trace.nameOf(events.event(), *value), events.trace(), events.event().cpu(), trace.tid(events.event())};
            waiting.insert_or_assign(std::move(*value), std::move(pair));
        }
    }
    return leftOut;
}

} // namespace helio
