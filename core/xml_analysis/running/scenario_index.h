#pragma once

#include "core/xml_analysis/running/attribute_marks.h"
#include "core/xml_analysis/running/rule_runner.h"
#include "core/xml_analysis/running/scenario.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// By what the scenarios that are in a state can be found at an event: an attribute of their own that all of the state's transitions
/// compare for equality with something that the event alone says.
struct StateKey {
    std::vector<TextId> path; ///< From the scenario's attribute. Empty: there is no such attribute.
    std::vector<ValueIndex> eventSides; ///< By transition of the state: what the attribute is compared with.
};

/// Of each state of a machine.
std::vector<StateKey> stateKeys(const Program& program, const Fsm& fsm, Texts& texts);

/// The active scenarios of one state machine, in the order in which they became active.
///
/// Scenarios belong to somebody else. Cost: at an event some tens of ns for each state that may take it and each scenario that may, however
/// many there are.
class ScenarioIndex {
public:
    ScenarioIndex(const Program& program, const Fsm& fsm, AttributeTree& tree);

    /// Enters its state. Requires: it is not in the index.
    void add(Scenario& scenario);
    void remove(Scenario& scenario);
    /// An attribute got another value: a scenario that is found by it is found by the new one.
    void onChange(Quark attribute)
    {
        if (m_isWatched.has(attribute))
            putAgain(attribute);
    }

    /// Those that may take such an event, in order. `counts`: of all transitions, which are tried where any scenario is in their state:
    /// also where its key spares the comparison.
    const std::vector<Scenario*>& candidates(const BoundType::Machine& machine, RuleRunner& runner, std::vector<RuleCount>& counts);
    bool hasIn(std::uint32_t state) const { return !m_states[state].isEmpty(); }
    std::size_t count() const { return m_count; }

private:
    struct State {
        StateKey key;
        std::vector<Scenario*> unkeyed; ///< Not found by a key: there is none, or their attribute is not there yet.
        std::unordered_map<std::uint64_t, std::vector<Scenario*>> byKey;

        bool isEmpty() const { return unkeyed.empty() && byKey.empty(); }
    };
    struct Entry {
        Scenario* scenario = nullptr;
        Quark watched = NoQuark;
        std::uint64_t key = 0;
    };

    Quark attributeOf(const Scenario& scenario, const StateKey& key) const;
    std::uint64_t keyOf(const Value& value) const;
    void putAgain(Quark attribute);
    void takeFromBucket(State& state, const Entry& entry);
    void tryToKey(State& state);
    void lookThrough(const std::vector<Scenario*>& all) { m_tree.effort().take(all.size() / PerStep); }
    void putByKey(State& state, Scenario& scenario, Quark attribute);

    static constexpr std::size_t PerStep = 16; ///< So many are looked at in the time of a step.

    const Fsm& m_fsm;
    AttributeTree& m_tree;
    std::vector<State> m_states;
    std::unordered_map<Quark, Entry> m_watched; ///< By the attribute that one is found by.
    AttributeMarks m_isWatched; ///< Those in m_watched.
    std::unordered_map<const Scenario*, Quark> m_attributes; ///< Of those found by a key.
    std::vector<Scenario*> m_found;
    std::size_t m_count = 0;
};

} // namespace helio::xml
