#pragma once

#include "core/base/diagnostic.h"
#include "core/xml_analysis/program.h"
#include "core/xml_analysis/running/attribute_tree.h"
#include "core/xml_analysis/running/binding.h"
#include "core/xml_analysis/running/current_threads.h"

#include <queue>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace helio::xml {

/// Problems that occurred while an analysis ran, counted by position in its file and by message.
/// Threads: to be used by one thread.
class RunProblems {
public:
    void add(SourcePosition place, const char* what) { ++m_counts[{{place.line, place.column}, what}]; }

    /// Returns one diagnostic per position and message. `file` is the path of the analysis file.
    std::vector<Diagnostic> diagnostics(const std::string& file) const;

private:
    static constexpr std::size_t MostListed = 50;
    std::map<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::string_view>, std::uint64_t> m_counts;
};

/// A scenario: an instance of a state machine.
struct Scenario {
    enum class Status : std::uint8_t { Pending = 0, InProgress = 1, Matched = 2 };

    std::uint32_t fsm = 0;
    std::uint32_t state = 0; ///< Index of the current state in Fsm::states.
    Status status = Status::Pending;
    std::uint64_t order = 0; ///< Rank of the scenario in the order in which scenarios became active.
    Quark slot = NoQuark; ///< Attribute of the scenario in the attribute tree.
    HostTimestamp start; ///< Time at which the scenario took its first transition; has no meaning before that transition.
    /// Numbered attributes that the scenario holds: parent attribute and child. They are taken from NumberPools and given back when the
    /// scenario ends.
    std::vector<std::pair<Quark, Quark>> pools;
};

/// Pools of numbered attributes below parent attributes. A scenario takes the smallest free number and gives it back when the scenario
/// ends.
class NumberPools {
public:
    explicit NumberPools(AttributeTree& tree)
        : m_tree(tree)
    {
    }

    /// Returns the free child with the smallest number, created if no child is free; NoQuark if there are too many attributes.
    Quark take(Quark base)
    {
        Pool& pool = m_pools[base];
        if (pool.free.empty())
            return m_tree.childNumbered(base, pool.made++);
        const Quark number = *pool.free.begin();
        pool.free.erase(pool.free.begin());
        return number;
    }
    /// Returns a number to the pool of its parent `base`, so that another scenario can take it. Sets the attribute `number` and all
    /// attributes below it to null.
    void giveBack(HostTimestamp at, Quark base, Quark number)
    {
        m_tree.remove(at, number);
        m_pools[base].free.insert(number);
    }

private:
    struct Pool {
        std::int64_t made = 0;
        std::set<Quark> free; ///< Free children, in the order of their creation.
    };
    AttributeTree& m_tree;
    std::map<Quark, Pool> m_pools;
};

/// Statistics of a handler, precondition or transition.
struct RuleStatistics {
    struct Missing {
        /// Number of events without the field. An event counts once, even if the rule reads the field several times.
        std::uint64_t events = 0;
        std::uint64_t last = 0; ///< Number of the last event without the field, in the numbering of RuleRunner.
    };
    /// Number of events for which the rule was a candidate; for a transition, events at which any scenario was in its state.
    std::uint64_t events = 0;
    /// Number of events for which the conditions were evaluated or the handler ran; fewer than `events` if an earlier rule was taken first.
    std::uint64_t asked = 0;
    /// Number of the last event that was counted in `asked`; it prevents counting an event twice. RuleRunner numbers the events.
    std::uint64_t lastAsked = 0;
    /// Number of events at which a handler set an attribute or a precondition was met; for a transition, number of times that it was taken.
    std::uint64_t fired = 0;
    std::map<FieldIndex, Missing> missing; ///< Fields that the rule reads and that are missing in some events.
    std::vector<HostTimestamp> times{}; ///< Times at which the rule fired, the first ones only.
    std::size_t mostTimes = 0; ///< Maximum number of times to record in `times`.

    void fire(HostTimestamp at)
    {
        ++fired;
        if (times.size() < mostTimes)
            times.push_back(at);
    }
};

/// Computes values, evaluates conditions and makes changes, event by event: the common part of state providers and patterns.
/// Threads: to be used by one thread.
/// Cost: a few ns per step of a path, tens of ns per change.
class RuleRunner {
public:
    /// Ownership: all arguments must outlive the object.
    RuleRunner(const Program& program, AttributeTree& tree, RunProblems& problems);

    /// Begins an event: makes the changes that are scheduled up to its time. Later calls refer to this event until the next begin().
    /// `threads` belongs to the event's trace; nullptr if no field needs it.
    void begin(const EventView& event, const BoundType& type, const CurrentThreads* threads);
    HostTimestamp now() const { return m_now; }
    const EventView& event() const { return *m_event; }
    const BoundType& type() const { return *m_type; }

    // In the functions below, `scenario` may be nullptr; paths then begin at the root of the tree instead of the scenario's attribute.
    Value value(ValueIndex index, Scenario* scenario);
    /// Returns a value as it was read: not mapped to another value and not converted to the type that the rule prescribes.
    Value foundValue(ValueIndex index, Scenario* scenario);
    /// Returns the attribute to which a path leads, created if necessary; NoQuark if a value on the path is null.
    Quark attribute(PathIndex index, Scenario* scenario);
    bool holds(ConditionIndex index, Scenario* scenario);
    /// Makes a change. Returns false if nothing was set: a condition was false and has no "else", or the attribute does not exist.
    bool change(ChangeIndex index, Scenario* scenario);
    Value field(FieldIndex index);
    /// Converts a value to a type; returns null if that is impossible.
    Value forced(const Value& value, Type type, SourcePosition place);

    /// Makes the changes that are scheduled up to `until`.
    void runScheduled(HostTimestamp until)
    {
        if (!m_scheduled.empty() && m_scheduled.top().at <= until)
            runAllScheduled(until);
    }

    NumberPools& pools() { return m_pools; }
    AttributeTree& tree() { return m_tree; }
    StepBudget& effort() const { return m_tree.effort(); }
    /// Adds the statistics of all further work to `rule`.
    /// Ownership: `rule` must exist until the next call.
    void countFor(RuleStatistics& rule)
    {
        m_counted = &rule;
        if (rule.lastAsked == m_events)
            return;
        rule.lastAsked = m_events;
        ++rule.asked;
    }

private:
    /// A path whose names are TextIds.
    struct BoundPath {
        std::vector<TextId> names; ///< Name of each step, indexed by step.
        std::size_t constants = 0; ///< Number of constant steps at the start of the path.
        Quark known = NoQuark; ///< Attribute to which the constant steps lead; NoQuark until it is created.
        /// True if the path has constant steps, then one step that is not constant (a field, the event's name or a query), then only
        /// constant steps. The result can then be cached by the name of that step.
        bool hasSingleVariableStep = false;
        PathStep::Kind variableKind = PathStep::Kind::Constant; ///< Kind of the first step that is not constant; Constant if all steps are.
        std::uint32_t variableIndex = NoIndex;
    };
    /// A small copy of the parts of a ValueRule that are read at every event.
    struct BoundValue {
        Value constant;
        std::uint32_t index = NoIndex;
        ValueRule::Kind kind = ValueRule::Kind::Constant;
        bool isAsFound = true; ///< True if the value is neither mapped nor converted to a type.
    };
    /// A compact copy of the parts of a Change that are read at every event.
    struct BoundChange {
        PathIndex path = NoIndex;
        ValueIndex value = NoIndex;
        bool isPlain = false; ///< True if the change only sets the attribute to the value, from the event's time on.
    };
    /// Entry of the cache of attributes that were found by name. For a child of an attribute, `value` is the child's name. For a path with
    /// a single variable step, `value` is the name in this step, and `child` is the attribute at the end of the path.
    struct ChildCacheEntry {
        /// Parent attribute, or index of the path with the bit OfPath set; NoQuark if the entry is empty. Together with `value`, it is the
        /// entry's key.
        std::uint32_t key = NoQuark;
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
        SourcePosition place;
        bool operator>(const Scheduled& other) const { return std::pair(at, order) > std::pair(other.at, other.order); }
    };

    void countMissing(FieldIndex index);
    Value mapped(std::uint32_t mapping, const Value& value, Scenario* scenario);
    bool decidedChange(const Change& change, Scenario* scenario);
    bool compare(const Condition& condition, Scenario* scenario);
    std::optional<std::string_view> fieldText(ValueIndex index) const;
    Quark step(Quark at, const PathStep& step, TextId name, Scenario* scenario);
    Quark childCalled(Quark at, const Value& value);
    Value nameAt(PathStep::Kind kind, std::uint32_t index, Scenario* scenario);
    Quark walk(Quark at, std::size_t from, PathIndex index, Scenario* scenario);
    ChildCacheEntry& cacheEntryFor(std::uint32_t key, const Value& value)
    {
        return m_children[((value.bits() ^ std::uint64_t(key) << 20) * 0x9e3779b97f4a7c15u) >> 54];
    }
    Quark poolNumber(Quark base, Scenario* scenario);
    std::optional<HostTimestamp> futureTime(const Change& change, Scenario* scenario);
    void assign(const Change& change, const ValueRule& rule, Quark attribute, Scenario* scenario);
    bool useStack(HostTimestamp at, Quark attribute, StackUse use, const Value& value);
    bool schedule(HostTimestamp at, Quark attribute, StackUse use, const Value& value, SourcePosition place);
    Value incremented(Quark attribute, const Value& value, SourcePosition place);
    void runAllScheduled(HostTimestamp until);
    static constexpr std::size_t MostScheduled = 1'000'000;

    const Program& m_program;
    AttributeTree& m_tree;
    RunProblems& m_problems;
    NumberPools m_pools;
    std::vector<BoundPath> m_paths; ///< Paths of the program, by PathIndex.
    std::vector<BoundValue> m_values; ///< Value rules of the program, by ValueIndex.
    std::vector<BoundChange> m_changes; ///< Compact forms of Program::changes, indexed by ChangeIndex.
    std::vector<ChildCacheEntry> m_children{KnownChildren};
    std::vector<TextId> m_since; ///< Text ids of the state names in Condition::since, indexed by ConditionIndex.
    TextId m_stateName;
    TextId m_startTimeName;
    /// Stands for the scenario when a state provider uses numbered attributes (Scenario::pools). State providers never give these
    /// attributes back.
    Scenario m_providerScenario;
    std::priority_queue<Scheduled, std::vector<Scheduled>, std::greater<>> m_scheduled;
    std::uint64_t m_scheduledCount = 0;
    RuleStatistics m_uncounted;
    RuleStatistics* m_counted = &m_uncounted;
    std::uint64_t m_events = 0; ///< Number of events processed so far.
    const EventView* m_event = nullptr;
    const BoundType* m_type = nullptr;
    const CurrentThreads* m_threads = nullptr;
    HostTimestamp m_now;
};

/// Compares two values by the rules of the language. Returns a negative number, 0 or a positive number. If the left value is an int or a
/// long, numbers are compared in that type. All other values are compared as printed texts.
int compareValues(const Value& left, const Value& right, const Texts& texts);

} // namespace helio::xml
