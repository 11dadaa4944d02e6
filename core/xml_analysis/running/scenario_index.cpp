#include "core/xml_analysis/running/scenario_index.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>

namespace helio::xml {
namespace {

/// A comparison between an attribute of the scenario and a value that depends on the event.
struct Match {
    std::vector<std::string> path;
    ValueIndex eventSide = NoIndex;
};

bool isOfEvent(const ValueRule& rule) { return rule.kind != ValueRule::Kind::Query && rule.mapping == NoIndex; }

/// Returns the names on a query's path if the path starts at the scenario's own attribute and has only constant names; otherwise returns an
/// empty list.
std::vector<std::string> ownPath(const Program& program, const ValueRule& rule)
{
    if (rule.kind != ValueRule::Kind::Query || rule.stack == StackUse::Peek || rule.mapping != NoIndex || rule.forced)
        return {};
    const std::vector<PathStep>& steps = program.paths[rule.index].steps;
    if (steps.size() < 2 || steps.front().kind != PathStep::Kind::Scenario)
        return {};
    std::vector<std::string> names;
    for (std::size_t i = 1; i < steps.size(); ++i) {
        if (steps[i].kind != PathStep::Kind::Constant)
            return {};
        names.push_back(steps[i].name);
    }
    return names;
}

void addMatches(const Program& program, ConditionIndex index, std::vector<Match>& matches)
{
    const Condition& condition = program.conditions[index];
    if (condition.kind == Condition::Kind::And)
        for (const ConditionIndex part : condition.parts)
            addMatches(program, part, matches);
    if (condition.kind != Condition::Kind::Compare || condition.comparison != Comparison::Equal)
        return;
    for (const auto& [event, own] : {std::pair(condition.left, condition.right), std::pair(condition.right, condition.left)}) {
        auto path = ownPath(program, program.values[own]);
        if (!path.empty() && isOfEvent(program.values[event]))
            matches.push_back({std::move(path), event});
    }
}

std::vector<Match> matchesOf(const Program& program, const Transition& transition)
{
    std::vector<Match> matches;
    for (const ConditionIndex condition : transition.conditions)
        addMatches(program, condition, matches);
    return matches;
}

/// Returns the lowest 32 bits of the number's integer part. Numbers that compare as equal have equal results, even if the comparison
/// converts a number to int or long.
std::uint64_t keyOfNumber(double value)
{
    if (std::isnan(value))
        return 0;
    return static_cast<std::uint32_t>(value >= 0x1p63 ? INT64_MAX : value <= -0x1p63 ? INT64_MIN : static_cast<std::int64_t>(value));
}

/// True if the value is a double outside the range of ints. A comparison with an int or a long limits such a double to the range of that
/// type. The double can therefore equal numbers with different keys, so it has no key itself.
bool cannotBeKey(const Value& value) { return value.type() == Type::Double && (value.real() >= 0x1p31 || value.real() <= -0x1p31 - 1); }

} // namespace

std::vector<StateKey> stateKeys(const Program& program, const Fsm& fsm, Texts& texts)
{
    std::vector<StateKey> keys;
    for (const FsmState& state : fsm.states) {
        StateKey& key = keys.emplace_back();
        if (state.transitions.empty())
            continue;
        for (const Match& candidate : matchesOf(program, state.transitions.front())) {
            key.eventSides.clear();
            for (const Transition& transition : state.transitions) {
                const auto matches = matchesOf(program, transition);
                const auto same = std::ranges::find(matches, candidate.path, &Match::path);
                if (same != matches.end())
                    key.eventSides.push_back(same->eventSide);
            }
            if (key.eventSides.size() != state.transitions.size())
                continue;
            for (const std::string& name : candidate.path)
                key.path.push_back(texts.idOf(std::string_view(name)));
            break;
        }
    }
    return keys;
}

ScenarioIndex::ScenarioIndex(const Program& program, const Fsm& fsm, AttributeTree& tree)
    : m_fsm(fsm)
    , m_tree(tree)
{
    for (StateKey& key : stateKeys(program, fsm, tree.texts()))
        m_states.push_back({std::move(key), {}, {}});
}

Quark ScenarioIndex::attributeOf(const Scenario& scenario, const StateKey& key) const
{
    Quark at = scenario.slot;
    for (const TextId name : key.path)
        if (at != NoQuark)
            at = m_tree.find(at, name);
    return key.path.empty() ? NoQuark : at;
}

std::uint64_t ScenarioIndex::keyOf(const Value& value) const
{
    if (value.isInteger())
        return static_cast<std::uint32_t>(value.integer());
    if (value.type() == Type::Double)
        return keyOfNumber(value.real());
    const std::string_view text = value.isNull() ? std::string_view("null") : m_tree.texts()[value.text()];
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::int64_t whole = 0;
    const auto [wholeStop, wholeError] = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (wholeError == std::errc() && wholeStop == text.data() + text.size())
        return static_cast<std::uint32_t>(whole);
    if (error == std::errc() && stop == text.data() + text.size())
        return keyOfNumber(number);
    return std::uint64_t(1) << 63 | std::hash<std::string_view>()(text);
}

void ScenarioIndex::add(Scenario& scenario)
{
    ++m_count;
    State& state = m_states[scenario.state];
    const Quark attribute = attributeOf(scenario, state.key);
    if (attribute == NoQuark || cannotBeKey(m_tree.value(attribute)))
        state.unkeyed.push_back(&scenario);
    else
        putByKey(state, scenario, attribute);
}

void ScenarioIndex::putByKey(State& state, Scenario& scenario, Quark attribute)
{
    const std::uint64_t key = keyOf(m_tree.value(attribute));
    state.byKey[key].push_back(&scenario);
    m_watched[attribute] = {&scenario, attribute, key};
    m_isWatched.set(attribute);
    m_attributes[&scenario] = attribute;
}

void ScenarioIndex::remove(Scenario& scenario)
{
    --m_count;
    State& state = m_states[scenario.state];
    const auto attribute = m_attributes.find(&scenario);
    if (attribute == m_attributes.end()) {
        countScenarios(state.unkeyed);
        std::erase(state.unkeyed, &scenario);
        return;
    }
    const auto watched = m_watched.find(attribute->second);
    takeFromBucket(state, watched->second);
    m_isWatched.clear(watched->first);
    m_watched.erase(watched);
    m_attributes.erase(attribute);
}

void ScenarioIndex::takeFromBucket(State& state, const Entry& entry)
{
    const auto bucket = state.byKey.find(entry.key);
    countScenarios(bucket->second);
    std::erase(bucket->second, entry.scenario);
    if (bucket->second.empty())
        state.byKey.erase(bucket);
}

void ScenarioIndex::updateKey(Quark attribute)
{
    const auto found = m_watched.find(attribute);
    Entry& entry = found->second;
    State& state = m_states[entry.scenario->state];
    if (cannotBeKey(m_tree.value(attribute))) {
        takeFromBucket(state, entry);
        state.unkeyed.push_back(entry.scenario);
        m_attributes.erase(entry.scenario);
        m_isWatched.clear(attribute);
        m_watched.erase(found);
        return;
    }
    const std::uint64_t key = keyOf(m_tree.value(attribute));
    if (key == entry.key)
        return;
    takeFromBucket(state, entry);
    entry.key = key;
    state.byKey[key].push_back(entry.scenario);
}

/// Looks again for the keys of scenarios whose key attribute did not exist when they entered the state. Meanwhile, the attribute may have
/// been created, for example while conditions were evaluated.
void ScenarioIndex::tryToKey(State& state)
{
    if (state.key.path.empty())
        return;
    m_tree.effort().take(state.unkeyed.size());
    std::erase_if(state.unkeyed, [&](Scenario* scenario) {
        const Quark attribute = attributeOf(*scenario, state.key);
        if (attribute == NoQuark || cannotBeKey(m_tree.value(attribute)))
            return false;
        putByKey(state, *scenario, attribute);
        return true;
    });
}

const std::vector<Scenario*>& ScenarioIndex::candidates(const BoundType::Machine& machine, RuleRunner& runner,
                                                        std::vector<RuleStatistics>& counts)
{
    m_found.clear();
    m_tree.effort().take(m_states.size() / PerStep);
    for (std::size_t i = 0; i < m_states.size() && m_count > 0; ++i) {
        State& state = m_states[i];
        const auto& moves = machine.moves[i];
        if (moves.empty() || state.isEmpty())
            continue;
        m_tree.effort().take(moves.size() / PerStep);
        for (const BoundType::Move& move : moves)
            ++counts[move.number].events;
        tryToKey(state);
        m_found.insert(m_found.end(), state.unkeyed.begin(), state.unkeyed.end());
        if (state.byKey.empty())
            continue;
        for (const BoundType::Move& move : moves) {
            const std::size_t place = static_cast<std::size_t>(move.transition - m_fsm.states[i].transitions.data());
            runner.countFor(counts[move.number]);
            const Value value = runner.value(state.key.eventSides[place], nullptr);
            if (cannotBeKey(value))
                for (const auto& [key, some] : state.byKey)
                    m_found.insert(m_found.end(), some.begin(), some.end());
            const auto bucket = state.byKey.find(keyOf(value));
            if (bucket != state.byKey.end())
                m_found.insert(m_found.end(), bucket->second.begin(), bucket->second.end());
        }
    }
    m_tree.effort().take(m_found.size());
    std::ranges::sort(m_found, {}, &Scenario::order);
    m_found.erase(std::unique(m_found.begin(), m_found.end()), m_found.end());
    return m_found;
}

} // namespace helio::xml
