#include "core/xml_analysis/reach/reachability.h"

#include <algorithm>
#include <utility>

namespace helio::xml {
namespace {

bool isPush(const ValueRule& rule) { return rule.stack == StackUse::Push; }
bool isPop(const ValueRule& rule) { return rule.stack == StackUse::Pop || rule.stack == StackUse::PopAll; }

AttributePattern below(AttributePattern shape, std::optional<std::string> name)
{
    shape.push_back(std::move(name));
    return shape;
}

/// Returns patterns of the attributes that state machines set for each scenario.
std::vector<AttributePattern> ownOfScenarios(const Program& program)
{
    const AttributePattern scenario{"scenarios", std::nullopt, std::nullopt};
    std::vector<AttributePattern> all;
    if (program.fsms.empty())
        return all;
    for (const char* name : {"status", "state", "startTime"})
        all.push_back(below(scenario, name));
    all.push_back(below(below(below(scenario, "state"), std::nullopt), "startTime"));
    for (const StoredField& field : program.storedFields)
        all.push_back(below(below(scenario, "storedFields"), field.alias));
    return all;
}

} // namespace

std::vector<AttributePattern> computeWrittenPatterns(const Program& program)
{
    std::vector<AttributePattern> all = ownOfScenarios(program);
    for (const Change& change : program.changes) {
        if (change.path == NoIndex)
            continue;
        all.push_back(shapeOf(program.paths[change.path]));
        if (isPush(program.values[change.value]))
            all.push_back(below(all.back(), std::nullopt));
    }
    return all;
}

Reachability::Reachability(const Program& program, const std::function<bool(const EventNames&)>& isRecorded)
    : m_program(program)
    , m_isWritten(program.changes.size())
    , m_values(ownOfScenarios(program))
{
    for (const EventHandler& handler : program.handlers)
        if (isRecorded(handler.events))
            m_handlers.push_back(&handler);
    m_begins = !m_handlers.empty();
    addMoves(isRecorded);
    do {
        m_hasGrown = false;
        goOn();
    } while (m_hasGrown);
}

void Reachability::addMoves(const std::function<bool(const EventNames&)>& isRecorded)
{
    for (const Fsm& fsm : m_program.fsms) {
        if (!fsm.startsAtBegin || fsm.states.empty() || !isOpen(fsm, isRecorded))
            continue;
        m_reached.insert(&fsm.states[fsm.initial]);
        for (const FsmState& state : fsm.states)
            for (const Transition& it : state.transitions)
                if (isRecorded(it.events))
                    m_moves.push_back({&it, &state, it.target == NoIndex ? &state : &fsm.states[it.target]});
    }
}

bool Reachability::isOpen(const Fsm& fsm, const std::function<bool(const EventNames&)>& isRecorded) const
{
    return fsm.preconditions.empty() || std::ranges::any_of(fsm.preconditions, [&](const Transition& it) { return isRecorded(it.events); });
}

void Reachability::goOn()
{
    m_isDone.assign(m_program.actions.size(), 0);
    for (const EventHandler* handler : m_handlers)
        for (const ChangeIndex it : handler->changes)
            change(it);
    for (const Move& move : m_moves)
        if (m_reached.contains(move.from)
            && std::ranges::all_of(move.transition->conditions, [&](ConditionIndex it) { return mayHold(it); }))
            take(move);
}

void Reachability::take(const Move& move)
{
    m_begins = true;
    m_hasGrown |= m_reached.insert(move.to).second;
    act(move.from->onExit);
    act(move.transition->actions);
    act(move.to->onEntry);
}

void Reachability::act(const std::vector<ActionIndex>& actions)
{
    for (const ActionIndex it : actions)
        act(it);
}

void Reachability::act(ActionIndex action)
{
    if (std::exchange(m_isDone[action], 1))
        return;
    for (const ActionOperation& part : m_program.actions[action].parts)
        if (part.kind == ActionOperation::Kind::Change)
            change(part.index);
        else if (part.kind == ActionOperation::Kind::Segment)
            m_makesSegments = true;
        else
            act(part.index);
}

void Reachability::change(ChangeIndex index)
{
    const Change& it = m_program.changes[index];
    if (it.path != NoIndex) {
        if (!m_isWritten[index] && canLead(it.path) && write(it))
            m_isWritten[index] = 1;
        return;
    }
    if (it.then != NoIndex && (it.condition == NoIndex || mayHold(it.condition)))
        change(it.then);
    if (it.otherwise != NoIndex)
        change(it.otherwise);
}

/// Marks the attribute of a change as settable. Returns false if the change cannot set anything with the values known so far.
bool Reachability::write(const Change& change)
{
    const ValueRule& rule = m_program.values[change.value];
    // A push sets the attribute to the stack's depth, so it always sets a value, whatever value is pushed.
    const bool isStack = isPush(rule);
    if (isPop(rule) || (!isStack && !canBeSomething(change.value)))
        return false;
    const AttributePattern shape = shapeOf(m_program.paths[change.path]);
    if (isStack)
        m_values.push_back(below(shape, std::nullopt));
    m_values.push_back(shape);
    m_hasGrown = true;
    return true;
}

/// True if the path can lead to an attribute: each name that is read from an attribute can have a value.
bool Reachability::canLead(PathIndex path) const
{
    return std::ranges::all_of(m_program.paths[path].steps,
                               [&](const PathStep& step) { return step.kind != PathStep::Kind::Query || canHave(step.index); });
}

/// True if an attribute that matches the path can have a value. Always true below a scenario, because the scenario is not known.
bool Reachability::canHave(PathIndex path) const
{
    const Path& its = m_program.paths[path];
    if (std::ranges::find(its.steps, PathStep::Kind::Scenario, &PathStep::kind) != its.steps.end())
        return true;
    const AttributePattern shape = shapeOf(its);
    return std::ranges::any_of(m_values, [&](const AttributePattern& it) { return canMeet(shape, it); });
}

/// True if the value can be other than null.
bool Reachability::canBeSomething(ValueIndex value) const
{
    const ValueRule& rule = m_program.values[value];
    if (rule.mapping != NoIndex)
        return true;
    return rule.kind == ValueRule::Kind::Constant ? rule.constant.type != Type::Null
        : rule.kind == ValueRule::Kind::Query     ? canHave(rule.index)
                                                  : true;
}

bool Reachability::mayHold(ConditionIndex condition) const
{
    const Condition& it = m_program.conditions[condition];
    const auto partMayHold = [this](ConditionIndex part) { return mayHold(part); };
    switch (it.kind) {
    case Condition::Kind::And: return std::ranges::all_of(it.parts, partMayHold);
    case Condition::Kind::Or: return std::ranges::any_of(it.parts, partMayHold);
    case Condition::Kind::Compare:
        return it.comparison != Comparison::Equal || !(areNeverEqual(it.left, it.right) || areNeverEqual(it.right, it.left));
    default: return true;
    }
}

/// True if the two values are certainly different: `null` is always null, and `other` is a constant other than the text "null". A null
/// value is compared as the text "null".
bool Reachability::areNeverEqual(ValueIndex null, ValueIndex other) const
{
    const ValueRule& asked = m_program.values[null];
    const ValueRule& constant = m_program.values[other];
    const bool isKnown = constant.kind == ValueRule::Kind::Constant && constant.mapping == NoIndex && !constant.forced
        && constant.constant.type != Type::Null && constant.constant.text != "null";
    return isKnown && asked.kind == ValueRule::Kind::Query && !canBeSomething(null);
}

} // namespace helio::xml
