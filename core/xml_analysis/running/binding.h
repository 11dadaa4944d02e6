#pragma once

#include "core/xml_analysis/event_pattern.h"
#include "core/xml_analysis/program.h"
#include "core/xml_analysis/running/field_source.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace helio::xml {

/// Rules of a program that apply to events of one type.
struct BoundType {
    bool isUsed = false; ///< False if the program has no rules for these events.
    TextId name = 0;
    /// For each field of the program, the place from which events of this type provide its value; indexed by FieldIndex.
    std::vector<FieldSource> fields;
    std::vector<std::uint32_t> handlers; ///< Indices into Program::handlers: the handlers for these events, in file order.

    struct Move {
        /// Number of the transition in the program. Transitions are numbered by machine: within a machine, first the preconditions, then
        /// the transitions of each state.
        std::uint32_t number = 0;
        const Transition* transition = nullptr;
    };
    /// Transitions of one state machine that events of this type can trigger.
    struct Machine {
        bool isOpen = true; ///< True if the machine has no preconditions, so that it handles every event.
        std::vector<Move> preconditions; ///< Preconditions that events of this type can fulfil.
        std::vector<std::vector<Move>> moves; ///< Transitions that events of this type can trigger, indexed by state.
    };
    /// State machines, indexed like Program::fsms.
    std::vector<Machine> machines;
};

/// Binds a program to the event types of one trace: determines the rules for each event type, and the positions of the program's fields in
/// its events.
/// Ownership: the program and the trace must outlive the object.
/// Cost: about 100 ns for each event type and each distinct list of event names in the program. The fields of a type are looked up at its
/// first event.
class Binding {
public:
    Binding(const Program& program, const Trace& trace, Texts& texts);

    bool isUsed(EventTypeId type) const { return m_isUsed[static_cast<std::size_t>(type)] != 0; }
    /// Returns the rules for events of a type. Requires: isUsed(type).
    const BoundType& typeOf(EventTypeId type)
    {
        auto& bound = m_types[static_cast<std::size_t>(type)];
        if (!bound)
            bound = bind(type);
        return *bound;
    }
    /// Returns the rules for an exit of a system call that does not contain the call's name. `entry`: event type of the call's entry.
    /// nullptr if there are no rules.
    const BoundType* typeOfExit(EventTypeId exit, EventTypeId entry);
    /// True if the program has rules for any event type of the trace.
    bool isAnyUsed() const;

private:
    /// Event names of a rule, and the event types that match them. Rules with equal event names share a NameMatch.
    struct NameMatch {
        NameMatch(const std::vector<std::string>& patterns, const EventTypeNames& names)
            : filter(patterns)
            , fits(names.fitting(filter))
        {
        }
        EventNameFilter filter;
        /// For each event type, indexed by EventTypeId: true if the filter matches the recorded name, or the name that later versions of
        /// the tracer give this event.
        std::vector<bool> fits;
    };
    struct Rule {
        enum class Kind { Handler, Precondition, Move } kind;
        std::uint32_t index; ///< Index of the handler or of the state machine.
        std::uint32_t state;
        BoundType::Move move;
        const NameMatch* match; ///< Event names of the rule; an element of m_matches.
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
    /// Cache of the event types that match a rule's event names, keyed by these names.
    std::map<std::vector<std::string>, NameMatch> m_matches;
    std::vector<Rule> m_rules;
    std::vector<char> m_isUsed;
    std::vector<std::unique_ptr<BoundType>> m_types;
    /// Rules for system call exits without the call's name ("exit_syscall"), keyed by the event types of exit and entry.
    std::map<std::pair<EventTypeId, EventTypeId>, std::unique_ptr<BoundType>> m_exits;
};

/// Returns the number of transitions in the program; every BoundType::Move::number is below it.
std::uint32_t transitionCount(const Program& program);

} // namespace helio::xml
