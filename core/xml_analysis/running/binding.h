#pragma once

#include "core/xml_analysis/event_pattern.h"
#include "core/xml_analysis/event_type_names.h"
#include "core/xml_analysis/program.h"
#include "core/xml_analysis/running/field_source.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace helio::xml {

/// What a program does at events of one type.
struct BoundType {
    bool isUsed = false; ///< False: nothing.
    TextId name = 0;
    std::vector<FieldSource> fields; ///< By FieldIndex.
    std::vector<std::uint32_t> handlers; ///< Of Program::handlers: those for such events, in order.

    struct Move {
        std::uint32_t number =
            0; ///< Of the transition among all of the program: of the machines in order, their preconditions, then their states'.
        const Transition* transition = nullptr;
    };
    /// Of a pattern's machines, in order.
    struct Machine {
        bool isOpen = true; ///< It has no preconditions.
        std::vector<Move> preconditions; ///< Those that such an event may pass.
        std::vector<std::vector<Move>> moves; ///< By state: the transitions that such an event may take.
    };
    std::vector<Machine> machines;
};

/// A program and the event types of one trace: which events it is for, and where its fields stand in them. Both outlive it.
/// Cost: made in about 100 ns for each event type and each distinct list of event names of the program; a type's fields are looked for at
/// its first event.
class Binding {
public:
    Binding(const Program& program, const Trace& trace, Texts& texts);

    bool isUsed(EventTypeId type) const { return m_isUsed[static_cast<std::size_t>(type)] != 0; }
    /// Requires: isUsed().
    const BoundType& typeOf(EventTypeId type)
    {
        auto& bound = m_types[static_cast<std::size_t>(type)];
        if (!bound)
            bound = bind(type);
        return *bound;
    }
    /// Actions at an exit without a call name, from the call that an event of the type `entry` began; nullptr if there are none.
    const BoundType* typeOfExit(EventTypeId exit, EventTypeId entry);
    /// Whether any type is used.
    bool isAnyUsed() const;

private:
    /// Event names of rules, and the types that they fit. Rules with equal names share one.
    struct NameMatch {
        NameMatch(const std::vector<std::string>& patterns, const EventTypeNames& names)
            : filter(patterns)
            , fits(names.fitting(filter))
        {
        }
        EventNameFilter filter;
        std::vector<bool> fits; ///< By EventTypeId, as events are called in the trace, or by later versions of its tracer.
    };
    struct Rule {
        enum class Kind { Handler, Precondition, Move } kind;
        std::uint32_t index; ///< Of the handler, or of the machine.
        std::uint32_t state;
        BoundType::Move move;
        const NameMatch* match; ///< In m_matches.
    };
    void addRules(const Program& program);
    void addRule(Rule rule, const EventNames& names);
    std::unique_ptr<BoundType> bind(EventTypeId type, const std::function<bool(const Rule&)>& fits) const;
    std::unique_ptr<BoundType> bind(EventTypeId type) const;

    const Program& m_program;
    const Trace& m_trace;
    Texts& m_texts;
    EventTypeNames m_names;
    TextId m_host;
    std::map<std::vector<std::string>, NameMatch> m_matches; ///< By patterns.
    std::vector<Rule> m_rules;
    std::vector<char> m_isUsed;
    std::vector<std::unique_ptr<BoundType>> m_types;
    std::map<std::pair<EventTypeId, EventTypeId>, std::unique_ptr<BoundType>> m_exits; ///< By exit and entry.
};

/// How many transitions the program has, as BoundType::Move counts them.
std::uint32_t transitionCount(const Program& program);

} // namespace helio::xml
