#include "core/xml_analysis/running/binding.h"

#include <algorithm>

namespace helio::xml {

namespace {

bool fitsAny(const EventNameFilter& filter, const std::vector<std::string>& names)
{
    return std::ranges::any_of(names, [&](const std::string& name) { return filter.fits(name); });
}

} // namespace

Binding::Binding(const Program& program, const Trace& trace, Texts& texts)
    : m_program(program)
    , m_trace(trace)
    , m_texts(texts)
    , m_names(trace)
    , m_host(texts.idOf(trace.info().clock.uuid.empty() ? trace.info().hostname : trace.info().clock.uuid))
    , m_isUsed(trace.eventTypes().size(), 0)
    , m_types(trace.eventTypes().size())
{
    addRules(program);
}

void Binding::addRules(const Program& program)
{
    for (std::uint32_t i = 0; i < program.handlers.size(); ++i)
        addRule({Rule::Kind::Handler, i, 0, {}, nullptr}, program.handlers[i].events);
    std::uint32_t number = 0;
    for (std::uint32_t i = 0; i < program.fsms.size(); ++i) {
        const Fsm& fsm = program.fsms[i];
        for (const Transition& it : fsm.preconditions)
            addRule({Rule::Kind::Precondition, i, 0, {number++, &it}, nullptr}, it.events);
        for (std::uint32_t state = 0; state < fsm.states.size(); ++state)
            for (const Transition& it : fsm.states[state].transitions)
                addRule({Rule::Kind::Move, i, state, {number++, &it}, nullptr}, it.events);
    }
}

void Binding::addRule(Rule rule, const EventNames& names)
{
    rule.match = &m_matches.try_emplace(names.patterns, names.patterns, m_names).first->second;
    // Preconditions do not mark the event type as used: a precondition has an effect only together with a handler or transition.
    if (rule.kind != Rule::Kind::Precondition)
        for (std::size_t i = 0; i < m_types.size(); ++i)
            m_isUsed[i] = m_isUsed[i] != 0 || rule.match->fits[i];
    m_rules.push_back(std::move(rule));
}

bool Binding::isAnyUsed() const
{
    return std::ranges::any_of(m_isUsed, [](char it) { return it != 0; });
}

std::unique_ptr<BoundType> Binding::bind(EventTypeId id) const
{
    // The name of the system call is not part of this event; it becomes known at each event from the call's entry (typeOfExit()). Here,
    // only the recorded name is compared.
    if (m_names.isExitWithoutCallName(id))
        return bind(id, [&](const Rule& rule) { return rule.match->filter.fits(m_trace.eventTypes()[id].name); });
    return bind(id, [id](const Rule& rule) { return rule.match->fits[static_cast<std::size_t>(id)]; });
}

const BoundType* Binding::typeOfExit(EventTypeId exit, EventTypeId entry)
{
    auto& bound = m_exits[{exit, entry}];
    if (!bound) {
        const std::vector<std::string> names = m_names.ofExit(exit, entry);
        bound = bind(exit, [&](const Rule& rule) { return fitsAny(rule.match->filter, names); });
    }
    return bound->isUsed ? bound.get() : nullptr;
}

std::unique_ptr<BoundType> Binding::bind(EventTypeId id, const std::function<bool(const Rule&)>& fits) const
{
    const EventType& type = m_trace.eventTypes()[id];
    auto bound = std::make_unique<BoundType>();
    bound->name = m_texts.idOf(type.name);
    for (const std::string& field : m_program.fields)
        bound->fields.emplace_back(type, field, m_host);
    for (const Fsm& fsm : m_program.fsms) {
        BoundType::Machine& machine = bound->machines.emplace_back();
        machine.isOpen = fsm.preconditions.empty();
        machine.moves.resize(fsm.states.size());
    }
    for (const Rule& rule : m_rules) {
        if (!fits(rule))
            continue;
        bound->isUsed = bound->isUsed || rule.kind != Rule::Kind::Precondition;
        if (rule.kind == Rule::Kind::Handler)
            bound->handlers.push_back(rule.index);
        else if (rule.kind == Rule::Kind::Precondition)
            bound->machines[rule.index].preconditions.push_back(rule.move);
        else
            bound->machines[rule.index].moves[rule.state].push_back(rule.move);
    }
    return bound;
}

std::uint32_t transitionCount(const Program& program)
{
    std::size_t count = 0;
    for (const Fsm& fsm : program.fsms) {
        count += fsm.preconditions.size();
        for (const FsmState& state : fsm.states)
            count += state.transitions.size();
    }
    return static_cast<std::uint32_t>(count);
}

} // namespace helio::xml
