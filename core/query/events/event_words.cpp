#include "core/query/events/event_words.h"

#include "core/experiment/timeline.h"
#include "core/query/events/event_counts.h"
#include "core/query/events/events.h"
#include "core/query/filters/expression_tree.h"
#include "core/query/rows/facts.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace helio {
namespace {

template <typename Holds> bool isAnyType(const Timeline& timeline, Holds holds)
{
    return std::ranges::any_of(timeline.traces, [&](const TimelineTrace& t) {
        return std::ranges::any_of(t.trace->eventTypes(), [&](const auto& type) { return holds(*type); });
    });
}

/// Returns why a comparison cannot match any event, as a clause for the user; empty if it can match.
std::string whyMeaningless(const ExpressionNode& node, const Timeline& timeline)
{
    using Scope = FieldName::Scope;
    const FieldName& field = node.field;
    const auto quoted = [](std::string_view text) { return '"' + std::string(text) + '"'; };
    switch (field.scope) {
    case Scope::State: return "state applies to threads and CPUs, not to events; for an event field of this name use fields.state";
    case Scope::Elapsed: return "duration applies to states, not to events; for an event field of this name use fields.duration";
    case Scope::Name:
        if (node.op == CompareOp::Equal
            && !isAnyType(timeline, [&](const EventType& type) { return compareText(type.name, node.op, node.literal); }))
            return "no event is named " + quoted(node.literal.text);
        return {};
    case Scope::Any:
    case Scope::Payload:
    case Scope::Context:
        if (!isAnyType(timeline, [&](const EventType& type) { return findField(type, field).isValid(); }))
            return "no event has a " + std::string(field.scope == Scope::Context ? "context " : "field ") + quoted(field.path);
        return {};
    default: return {};
    }
}

/// Number of events to decode for the example. One event is not enough, because fields are often 0 in the first events of a type.
constexpr std::size_t MostRead = 16;
constexpr std::int64_t Largest = 999'999; ///< Largest number used in an example; larger numbers are hard to read.
constexpr std::size_t LongestText = 24;

constexpr std::array<std::string_view, 2> Telling{"next_tid", "next_pid"};
constexpr std::array<std::string_view, 9> Reserved{"name", "thread", "cpu", "time", "tid", "pid", "host", "state", "duration"};

/// True if the text needs no escapes in a quoted string literal.
bool isPlain(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c < 127 && c != '"' && c != '\\'; });
}

bool isWord(std::string_view name)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && isLetter(name.front())
        && std::ranges::all_of(name, [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

/// True for fields that users search for; false for fields that all events of a tracer have.
bool isAsked(const NamedValue& field)
{
    return isWord(field.name) && std::ranges::find(Reserved, field.name) == Reserved.end() && !field.name.starts_with("common_");
}

/// Returns a value as a literal, e.g. 42 or "dd". Empty if the literal would be long, or would differ from the text that views show.
std::string writtenValue(const FieldValue& value)
{
    if (const auto* text = std::get_if<std::string>(&value.value))
        return isPlain(*text) && text->size() <= LongestText ? '"' + *text + '"' : std::string();
    const std::string shown = displayText(value);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(shown.data(), shown.data() + shown.size(), number);
    const bool isNumber = std::holds_alternative<std::int64_t>(value.value) || std::holds_alternative<std::uint64_t>(value.value);
    const bool isRead = isNumber && error == std::errc() && end == shown.data() + shown.size();
    return isRead && number > 0 && number <= Largest ? shown : std::string();
}

/// Returns a condition " && FIELD == VALUE" for the example filter; empty if no event has a usable field. Prefers fields with a name in the
/// list `Telling`, then numbers, then texts.
std::string exampleCondition(const std::vector<EventRow>& events)
{
    const auto find = [&events](const auto& isWanted) {
        for (const EventRow& event : events)
            for (const NamedValue& field : event.fields)
                if (isAsked(field) && isWanted(field))
                    if (const std::string value = writtenValue(field.value); !value.empty())
                        return " && " + field.name + " == " + value;
        return std::string();
    };
    for (const std::string_view name : Telling)
        if (std::string found = find([name](const NamedValue& it) { return it.name == name; }); !found.empty())
            return found;
    std::string found = find([](const NamedValue& it) { return !std::holds_alternative<std::string>(it.value.value); });
    return found.empty() ? find([](const NamedValue&) { return true; }) : found;
}

/// Returns the event type for the example filter, and the number of events of this type. The name is empty if no type is suitable.
std::pair<std::string, std::uint64_t> typeOf(const Timeline& timeline)
{
    const auto counts = eventCounts(timeline);
    const auto named = [](std::string_view name) { return [name](const auto& it) { return it.first == name; }; };
    for (const std::string_view name : {"sched_switch", "sched:sched_switch"})
        if (const auto found = std::ranges::find_if(counts, named(name)); found != counts.end())
            return *found;
    const auto found = std::ranges::find_if(counts, [](const auto& it) { return isPlain(it.first); });
    return found == counts.end() ? std::pair<std::string, std::uint64_t>() : *found;
}

} // namespace

std::vector<std::string> findMeaninglessWords(const Expression& expression, const Timeline& timeline)
{
    std::vector<std::string> said;
    for (const ExpressionNode& node : static_cast<const ParsedExpression&>(expression).nodes()) {
        if (node.kind != ExpressionNode::Kind::Compare)
            continue;
        auto why = whyMeaningless(node, timeline);
        if (!why.empty() && std::ranges::find(said, why) == said.end())
            said.push_back(std::move(why));
    }
    return said;
}

bool canMatchEvents(const std::shared_ptr<const Expression>& expression, const Timeline& timeline)
{
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const auto matcher = EventMatcher::make(expression, timeline, i);
        if (std::ranges::any_of(timeline.traces[i].trace->eventTypes(), [&](const auto& type) { return matcher->canMatch(type->id); }))
            return true;
    }
    return false;
}

std::string makeExampleFilter(const std::shared_ptr<const Timeline>& timeline, std::stop_token stop)
{
    const auto [type, count] = timeline ? typeOf(*timeline) : std::pair<std::string, std::uint64_t>();
    const std::string named = "name == \"" + type + '"';
    const auto expression = Expression::parse(named);
    if (type.empty() || !expression)
        return {};
    std::vector<std::uint64_t> numbers;
    findEvents(
        // Stop after MostRead events, or after the last event of the type if the traces contain fewer.
        timeline, *expression, rangeOf(*timeline), std::min<std::size_t>(MostRead, count),
        [&numbers](const std::vector<EventHit>& hits, double) {
            for (const EventHit& hit : hits)
                numbers.push_back(hit.index);
        },
        stop);
    if (stop.stop_requested() || numbers.empty())
        return {};
    return named + exampleCondition(EventTable(timeline).rows(std::span<const std::uint64_t>(numbers), stop));
}

} // namespace helio
