#pragma once

#include "core/xml_analysis/running/attribute_tree.h"
#include "core/xml_analysis/running/binding.h"
#include "core/xml_analysis/running/current_threads.h"
#include "core/xml_analysis/running/pools.h"
#include "core/xml_analysis/running/run_problems.h"
#include "core/xml_analysis/running/scenario.h"

#include <queue>

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace helio::xml {

/// How a handler or a transition fared.
struct RuleCount {
    struct Missing {
        std::uint64_t events = 0; ///< That did not have it, however often it was asked for at them.
        std::uint64_t last = 0; ///< The last of them, as RuleRunner numbers events.
    };
    std::uint64_t events = 0; ///< That it was tried at; of a transition: at which a scenario was in its state, however many were.
    std::uint64_t asked =
        0; ///< Of them those at which its conditions were decided, or it was carried out: an earlier one may be taken first.
    std::uint64_t lastAsked = 0; ///< The last of them, as RuleRunner numbers events.
    std::uint64_t fired = 0; ///< How often it changed something, or was taken.
    std::map<FieldIndex, Missing> missing; ///< Fields that it asked for.
    std::vector<HostTimestamp> times{}; ///< When it fired, the first ones;
    std::size_t mostTimes = 0; ///< so many at most.

    void fire(HostTimestamp at)
    {
        ++fired;
        if (times.size() < mostTimes)
            times.push_back(at);
    }
};

/// Finds values, decides conditions and makes changes at one event after the other: what state providers and patterns have in common.
/// One thread. Cost: some ns a step of a path, a few tens of ns a change.
class RuleRunner {
public:
    /// All of them outlive it.
    RuleRunner(const Program& program, AttributeTree& tree, RunProblems& problems);

    /// What follows is about this event, until the next one. Changes that were to happen up to then have happened.
    /// `threads`: of the event's trace; null where no field needs them.
    void begin(const EventView& event, const BoundType& type, const CurrentThreads* threads);
    HostTimestamp now() const { return m_now; }
    const EventView& event() const { return *m_event; }
    const BoundType& type() const { return *m_type; }

    // `scenario` may be null: then it stands for the tree's root.
    Value value(ValueIndex index, Scenario* scenario);
    /// The same as it is found, neither mapped nor turned into its forced type.
    Value foundValue(ValueIndex index, Scenario* scenario);
    /// The attribute, made where it is not there. NoQuark: a value on the way is null.
    Quark attribute(PathIndex index, Scenario* scenario);
    bool holds(ConditionIndex index, Scenario* scenario);
    /// False: there was nothing to set, as a condition has no "else", or there is no such attribute.
    bool change(ChangeIndex index, Scenario* scenario);
    Value field(FieldIndex index);
    /// Null where it cannot be turned into that.
    Value forced(const Value& value, Type type, Place place);

    /// Makes the changes that were to happen up to then.
    void runScheduled(HostTimestamp until)
    {
        if (!m_scheduled.empty() && m_scheduled.top().at <= until)
            runAllScheduled(until);
    }

    Pools& pools() { return m_pools; }
    AttributeTree& tree() { return m_tree; }
    Effort& effort() const { return m_tree.effort(); }
    /// What is asked for from now on is asked for by this rule. Outlives the next call.
    void countFor(RuleCount& rule)
    {
        m_counted = &rule;
        if (rule.lastAsked == m_events)
            return;
        rule.lastAsked = m_events;
        ++rule.asked;
    }

private:
    /// A path with its names as numbers.
    struct BoundPath {
        std::vector<TextId> names; ///< By step.
        std::size_t constants = 0; ///< So many steps from the root are constants:
        Quark known = NoQuark; ///< the attribute that they lead to, once it was made.
        bool dependsOnOne = false; ///< Of the other steps the first alone depends on the event:
        Step::Kind oneKind = Step::Kind::Constant; ///< that one.
        std::uint32_t oneIndex = NoIndex;
    };
    /// What there is to a value at every event.
    struct BoundValue {
        Value constant;
        std::uint32_t index = NoIndex;
        ValueRule::Kind kind = ValueRule::Kind::Constant;
        bool isAsFound = true; ///< Neither mapped nor turned into another type.
    };
    /// What there is to a change at every event.
    struct BoundChange {
        PathIndex path = NoIndex;
        ValueIndex value = NoIndex;
        bool isPlain = false; ///< The attribute has the value from now on, and that is all.
    };
    /// Which attribute a value led to from another one, or on a path: the last answers, by what was asked.
    struct KnownChild {
        std::uint32_t asked = NoQuark; ///< The attribute, or OfPath and the path.
        Quark child = NoQuark;
        Value value;
    };
    static constexpr std::size_t KnownChildren = 1024;
    static constexpr std::uint32_t OfPath = 1u << 31;
    struct Scheduled {
        HostTimestamp at;
        std::uint64_t order = 0;
        Quark attribute = NoQuark;
        StackUse stack = StackUse::None;
        Value value;
        Place place;
        bool operator>(const Scheduled& other) const { return std::pair(at, order) > std::pair(other.at, other.order); }
    };

    void countMissing(FieldIndex index);
    Value mapped(std::uint32_t mapping, const Value& value, Scenario* scenario);
    bool decidedChange(const Change& change, Scenario* scenario);
    bool compare(const Condition& condition, Scenario* scenario);
    std::optional<std::string_view> fieldText(ValueIndex index) const;
    bool hasElapsed(const Condition& condition, Scenario* scenario);
    Quark step(Quark at, const Step& step, TextId name, Scenario* scenario);
    Quark childCalled(Quark at, const Value& value);
    Value nameAt(Step::Kind kind, std::uint32_t index, Scenario* scenario);
    Quark walk(Quark at, std::size_t from, PathIndex index, Scenario* scenario);
    KnownChild& knownFor(std::uint32_t asked, const Value& value)
    {
        return m_children[((value.bits() ^ std::uint64_t(asked) << 20) * 0x9e3779b97f4a7c15u) >> 54];
    }
    Quark poolNumber(Quark base, Scenario* scenario);
    std::optional<HostTimestamp> futureTime(const Change& change, Scenario* scenario);
    void assign(const Change& change, const ValueRule& rule, Quark attribute, Scenario* scenario);
    bool useStack(HostTimestamp at, Quark attribute, StackUse use, const Value& value);
    bool schedule(HostTimestamp at, Quark attribute, StackUse use, const Value& value, Place place);
    Value incremented(Quark attribute, const Value& value, Place place);
    void runAllScheduled(HostTimestamp until);
    static constexpr std::size_t MostScheduled = 1'000'000;

    const Program& m_program;
    AttributeTree& m_tree;
    RunProblems& m_problems;
    Pools m_pools;
    std::vector<BoundPath> m_paths; ///< By PathIndex.
    std::vector<BoundValue> m_values; ///< By ValueIndex.
    std::vector<BoundChange> m_changes; ///< By ChangeIndex.
    std::vector<KnownChild> m_children{KnownChildren};
    std::vector<TextId> m_since; ///< By ConditionIndex: the state's id.
    TextId m_stateName;
    TextId m_startTimeName;
    Scenario m_nobody; ///< Pool numbers of state providers belong to it, for ever.
    std::priority_queue<Scheduled, std::vector<Scheduled>, std::greater<>> m_scheduled;
    std::uint64_t m_scheduledCount = 0;
    RuleCount m_uncounted;
    RuleCount* m_counted = &m_uncounted;
    std::uint64_t m_events = 0; ///< That began.
    const EventView* m_event = nullptr;
    const BoundType* m_type = nullptr;
    const CurrentThreads* m_threads = nullptr;
    HostTimestamp m_now;
};

/// As the language compares two values: below 0, 0, above 0. Numbers are compared as the left one's type where that is an int or a long,
/// all else as printed.
int compareValues(const Value& left, const Value& right, const Texts& texts);

} // namespace helio::xml
