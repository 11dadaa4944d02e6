#include "core/query/events/event_words.h"

#include "core/experiment/timeline.h"
#include "core/query/filters/expression_tree.h"

#include <algorithm>

namespace helio {
namespace {

template <typename Holds> bool isAnyType(const Timeline& timeline, Holds holds)
{
    return std::ranges::any_of(timeline.traces, [&](const TimelineTrace& t) {
        return std::ranges::any_of(t.trace->eventTypes(), [&](const auto& type) { return holds(*type); });
    });
}

/// Returns why a comparison is meaningless; empty if it means something.
std::string whyMeaningless(const ExpressionNode& node, const Timeline& timeline)
{
    using Scope = FieldName::Scope;
    const FieldName& field = node.field;
    const auto quoted = [](std::string_view text) { return '"' + std::string(text) + '"'; };
    switch (field.scope) {
    case Scope::State: return "state is of threads and CPUs, not of events; a field of that name is fields.state";
    case Scope::Elapsed: return "duration is of states, not of events; a field of that name is fields.duration";
    case Scope::Name:
        if (node.op == CompareOp::Equal
            && !isAnyType(timeline, [&](const EventType& type) { return compareText(type.name, node.op, node.literal); }))
            return "no event is called " + quoted(node.literal.text);
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

} // namespace helio
