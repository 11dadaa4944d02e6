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

/// Rules of a program for events of one type.
struct BoundType {
    bool isUsed = false; ///< False if the program does nothing at such events.
    TextId name = 0;
    std::vector<FieldSource> fields; ///< Indexed by FieldIndex.
    std::vector<std::uint32_t> handlers; ///< Indices into Program::handlers: the handlers for such events, in order.

    struct Move {
        /// Number of the transition in the program. Transitions are numbered machine by machine: first the preconditions, then the
        /// transitions of the states.
        std::uint32_t number = 0;
        const Transition* transition = nullptr;
    };
    /// Transitions of one state machine.
    struct Machine {
        bool isOpen = true; ///< True if the machine has no preconditions.
        std::vector<Move> preconditions; ///< Preconditions that such an event may pass.
        std::vector<std::vector<Move>> moves; ///< Indexed by state: transitions that such an event may take.
    };
    /// Indexed like Program::fsms.
    std::vector<Machine> machines;
};

/// Binds a program to the event types of one trace: which events the program is for, and where its fields are in them.
/// Ownership: the program and the trace outlive the object.
/// Cost: about 100 ns for each event type and each distinct list of event names of the program. The fields of a type are looked up at its
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
    /// Returns the rules for an exit without a call name, if an event of type `entry` began the call; nullptr if there are none.
    const BoundType* typeOfExit(EventTypeId exit, EventTypeId entry);
    /// True if any type is used.
    bool isAnyUsed() const;

private:
    /// Event names of rules, and the event types that fit them. Rules with equal names share a NameMatch.
    struct NameMatch {
        NameMatch(const std::vector<std::string>& patterns, const EventTypeNames& names)
            : filter(patterns)
            , fits(names.fitting(filter))
        {
        }
        EventNameFilter filter;
        std::vector<bool> fits; ///< Indexed by EventTypeId: true if the recorded name fits, or the name in later versions of the tracer.
    };
    struct Rule {
        enum class Kind { Handler, Precondition, Move } kind;
        std::uint32_t index; ///< Index of the handler or of the machine.
        std::uint32_t state;
        BoundType::Move move;
        const NameMatch* match; ///< Points into m_matches.
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
    std::map<std::vector<std::string>, NameMatch> m_matches; ///< Keyed by patterns.
    std::vector<Rule> m_rules;
    std::vector<char> m_isUsed;
    std::vector<std::unique_ptr<BoundType>> m_types;
    std::map<std::pair<EventTypeId, EventTypeId>, std::unique_ptr<BoundType>> m_exits; ///< Keyed by the types of exit and entry.
};

/// Returns the number of the program's transitions, which is the upper limit of BoundType::Move::number.
std::uint32_t transitionCount(const Program& program);

} // namespace helio::xml
