#pragma once

#include "core/xml_analysis/running/attribute_tree.h"
#include "core/xml_analysis/running/rule_runner.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// Key by which the scenarios in a state are looked up at an event. The key is an attribute of each scenario. All transitions from the
/// state require that this attribute equals a value which depends only on the event. Scenarios with another key then need not be examined.
struct StateKey {
    std::vector<TextId> path; ///< Path from the scenario's attribute to the key's attribute; empty if the state has no key.
    std::vector<ValueIndex> eventSides; ///< For each transition of the state: the value from the event with which the key is compared.
};

/// Returns, for each state of a machine, the key by which scenarios in this state are found at an event; indexed by state. A state
/// without such a key has an empty StateKey::path.
std::vector<StateKey> stateKeys(const Program& program, const Fsm& fsm, Texts& texts);

/// Active scenarios of one state machine, in the order in which they became active.
///
/// Ownership: the caller owns the scenarios.
/// Cost: tens of ns per event, for each state and for each scenario that may take a transition; independent of the number of other
/// scenarios.
class ScenarioIndex {
public:
    ScenarioIndex(const Program& program, const Fsm& fsm, AttributeTree& tree);

    /// Adds a scenario to the index, under the scenario's current state (Scenario::state). Requires: the scenario is not in the index.
    void add(Scenario& scenario);
    void remove(Scenario& scenario);
    /// Must be called when the value of an attribute changes; updates the key of the attribute's scenario.
    void onChange(Quark attribute)
    {
        if (m_isWatched.has(attribute))
            updateKey(attribute);
    }

    /// Returns the scenarios that may take a transition at the current event, in the order in which they became active. Also counts the
    /// event in the statistics of all transitions from a state that has a scenario, including transitions that the key rules out.
    const std::vector<Scenario*>& candidates(const BoundType::Machine& machine, RuleRunner& runner, std::vector<RuleStatistics>& counts);
    bool hasIn(std::uint32_t state) const { return !m_states[state].isEmpty(); }
    std::size_t count() const { return m_count; }

private:
    struct State {
        StateKey key;
        /// Scenarios without a key: the state has no key, the key's attribute does not exist yet, or its value is a double beyond the
        /// range of ints.
        std::vector<Scenario*> unkeyed;
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
    void updateKey(Quark attribute);
    void takeFromBucket(State& state, const Entry& entry);
    void tryToKey(State& state);
    void countScenarios(const std::vector<Scenario*>& all) { m_tree.effort().take(all.size() / PerStep); }
    void putByKey(State& state, Scenario& scenario, Quark attribute);

    static constexpr std::size_t PerStep = 16; ///< Number of scenarios that can be examined in the time of one step.

    const Fsm& m_fsm;
    AttributeTree& m_tree;
    std::vector<State> m_states;
    /// Scenarios with a key, and the current keys; keyed by the attribute that contains the scenario's key.
    std::unordered_map<Quark, Entry> m_watched;
    AttributeMarks m_isWatched; ///< The attributes in m_watched, as a set for fast lookups.
    std::unordered_map<const Scenario*, Quark> m_attributes; ///< Attribute whose value is the scenario's current key, by scenario.
    std::vector<Scenario*> m_found;
    std::size_t m_count = 0;
};

} // namespace helio::xml
