#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Analyses from XML files of users (the data-driven language of Trace Compass), in a form that does not depend on any trace.
namespace helio::xml {

/// Position in a file, counted from 1; line 0 if the position is unknown.
struct SourcePosition {
    std::uint32_t line = 0;
    std::uint32_t column = 0; ///< Column in bytes.
    bool operator==(const SourcePosition&) const = default;
};

/// Type of an attribute's value.
enum class Type : std::uint8_t { Null, Int, Long, Double, String };

/// A constant value that is written in the file.
struct Constant {
    Type type = Type::Null;
    std::int64_t integer = 0; ///< Value if `type` is Int or Long.
    double real = 0;
    std::string text;
    bool operator==(const Constant&) const = default;
};

// Types of indices into the lists of a Program.
using FieldIndex = std::uint32_t;
using PathIndex = std::uint32_t;
using ValueIndex = std::uint32_t;
using ConditionIndex = std::uint32_t;
using ChangeIndex = std::uint32_t;
using ActionIndex = std::uint32_t;
constexpr std::uint32_t NoIndex = 0xffffffff;

/// One step of a path, which leads from an attribute to another one. The first step starts at the root of the attribute tree.
struct PathStep {
    enum class Kind : std::uint8_t {
        Constant, ///< Leads to the child named PathStep::name.
        Field, ///< Leads to the child whose name is the value of an event field.
        EventName, ///< Leads to the child whose name is the name of the event.
        Query, ///< Leads to the child whose name is the current value of another attribute.
        Scenario, ///< Leads to the attribute of the scenario itself, whatever the earlier steps are.
        Pool, ///< Leads to the child whose name is the smallest free number. The number belongs to the scenario until the scenario ends.
    };
    Kind kind = Kind::Constant;
    std::uint32_t index = NoIndex; ///< FieldIndex if `kind` is Field, PathIndex if `kind` is Query, else NoIndex.
    std::string name{}; ///< Name of the child if `kind` is Constant.
};

/// Path from the root of the attribute tree to an attribute. References to locations are replaced by the locations' steps.
struct Path {
    std::vector<PathStep> steps;
    SourcePosition place;
};

enum class StackUse : std::uint8_t { None, Push, Pop, PopAll, Peek };

/// Rule that computes a value at an event: the value is read, then mapped, then converted to the type that the rule prescribes.
struct ValueRule {
    enum class Kind : std::uint8_t { Constant, Field, EventName, Query };
    Kind kind = Kind::Constant;
    std::uint32_t index = NoIndex; ///< FieldIndex if `kind` is Field, PathIndex if `kind` is Query, else NoIndex.
    StackUse stack = StackUse::None;
    /// Used if the rule gives the new value of an attribute: true if the value is added to the attribute's current value.
    bool isIncrement = false;
    /// Used if the rule gives the new value of an attribute: true if the value also replaces the current value for the past, back to the
    /// time at which the current value was set.
    bool isUpdate = false;
    std::optional<Type> forced;
    std::uint32_t mapping = NoIndex; ///< Index into Program::mappings; NoIndex if the value is not mapped.
    Constant constant;
    SourcePosition place;
};

/// Table that replaces values by other values. A value without an entry becomes null.
struct Mapping {
    std::string id;
    std::vector<std::pair<ValueIndex, ValueIndex>> entries;
};

enum class Comparison : std::uint8_t { Equal, NotEqual, GreaterOrEqual, Greater, LessOrEqual, Less };

struct Condition {
    enum class Kind : std::uint8_t { And, Or, Not, Compare, TimeRange, Elapsed };
    Kind kind = Kind::Compare;
    /// Comparison operator of a condition of the kind Compare or Elapsed; Elapsed allows only Less, Equal and Greater.
    Comparison comparison = Comparison::Equal;
    bool isOutside = false; ///< For a condition of the kind TimeRange: true if the event's time must be outside of the range.
    std::vector<ConditionIndex> parts; ///< Operands of a condition of the kind And, Or or Not, which are conditions themselves.
    ValueIndex left = NoIndex; ///< Left operand of a condition of the kind Compare.
    ValueIndex right = NoIndex;
    /// For a condition of the kind TimeRange: first time of the range in ns; the range includes `begin` and `end`. For the kind Elapsed:
    /// `begin` is the duration in ns.
    std::int64_t begin = 0;
    std::int64_t end = 0;
    /// For a condition of the kind Elapsed: id of a state. The elapsed time counts from the time at which the scenario entered this state.
    std::string since;
    SourcePosition place;
};

/// Sets the attribute at `path` to `value`. If `condition` is set, makes the change `then` or `otherwise` instead, depending on the
/// condition.
struct Change {
    ConditionIndex condition = NoIndex;
    ChangeIndex then = NoIndex;
    ChangeIndex otherwise = NoIndex;
    PathIndex path = NoIndex;
    ValueIndex value = NoIndex;
    /// Value that gives the time in ns at which the change takes effect; NoIndex if the change takes effect at the time of the event.
    ValueIndex futureTime = NoIndex;
    SourcePosition place;
};

/// Event names to which a rule applies, as regular expressions. An event matches if one expression matches its whole name. If the list is
/// empty, the rule applies to all events.
struct EventNames {
    std::vector<std::string> patterns;
    bool operator==(const EventNames&) const = default;
};

/// Changes that a state provider makes at an event with one of these names.
struct EventHandler {
    EventNames events;
    std::vector<ChangeIndex> changes;
    std::string name; ///< Event name as written in the file.
    SourcePosition place;
};

/// A field of the segments that a pattern writes.
struct SegmentField {
    std::string name;
    ValueIndex value = NoIndex;
    std::optional<Type> type; ///< Type to which the value is converted; nullopt if the field is not written.
};

struct SegmentRule {
    ValueIndex name = NoIndex;
    ValueIndex begin = NoIndex; ///< Value that gives the segment's begin in ns; NoIndex if the segment begins when the scenario began.
    ValueIndex end = NoIndex; ///< Value that gives the segment's end in ns; NoIndex if the segment ends at the time of the event.
    ValueIndex duration = NoIndex; ///< Value that gives the segment's duration in ns, used instead of `end`; NoIndex if not given.
    std::vector<SegmentField> fields;
    SourcePosition place;
};

/// One operation of an action: a change, a segment or another action.
struct ActionOperation {
    enum class Kind : std::uint8_t { Change, Segment, Action };
    Kind kind = Kind::Change;
    std::uint32_t index = NoIndex; ///< Index into Program::changes, Program::segments or Program::actions, depending on the kind.
};

struct Action {
    std::string id;
    std::vector<ActionOperation> parts;
    SourcePosition place;
};

struct Transition {
    EventNames events;
    std::vector<ConditionIndex> conditions; ///< Conditions, all of which must be true.
    std::vector<ActionIndex> actions;
    std::uint32_t target = NoIndex; ///< Index of the next state in Fsm::states; NoIndex if the state stays the same.
    bool savesFields = false;
    bool clearsFields = false;
    std::string text; ///< Description for the user, for example "sys_futex -> waiting".
    SourcePosition place;
};

struct FsmState {
    std::string id;
    std::vector<Transition> transitions; ///< Transitions from the state. A state without transitions is final.
    std::vector<ActionIndex> onEntry;
    std::vector<ActionIndex> onExit;
    bool isFinal = false; ///< True if a scenario is successful when it enters the state.
    SourcePosition place;
};

/// A finite state machine. Any number of scenarios are instances of it.
struct Fsm {
    std::string id;
    std::vector<FsmState> states;
    std::uint32_t initial = 0; ///< Index of the initial state in `states`.
    /// Preconditions. If none of them is true for an event, the machine ignores the event. If the list is empty, no event is ignored.
    std::vector<Transition> preconditions;
    bool isMultiple = true; ///< True if the machine may have several active scenarios at the same time.
    bool isConsuming = true; ///< True if an event is passed to one scenario only.
    /// True if the machine starts with the analysis. False if patternHandler has an attribute "initial" that does not name this machine;
    /// the machine is then never started.
    bool startsAtBegin = true;
    SourcePosition place;
};

/// A field of events; scenarios store its value in the attribute tree.
struct StoredField {
    FieldIndex field = NoIndex;
    std::string alias; ///< Name of the value in the attribute tree.
};

/// One analysis: a state provider or a pattern.
struct Program {
    bool isPattern = false;
    std::string id;
    std::int64_t version = 0;
    std::string label; ///< Title for the user; if empty, `id` is shown.
    std::string segmentLabel; ///< Title of a pattern's segments; may be empty.
    /// Ids of the trace types to which the analysis applies. If empty, the analysis applies to all traces.
    std::vector<std::string> traceTypes;
    SourcePosition place;

    std::vector<std::string> fields; ///< Names of the event fields that the program reads, without duplicates.
    std::vector<Path> paths;
    std::vector<ValueRule> values;
    std::vector<Mapping> mappings;
    std::vector<Condition> conditions;
    std::vector<Change> changes;

    std::vector<EventHandler> handlers; ///< Handlers of a state provider.

    // The members below are used only if the program is a pattern.
    std::vector<StoredField> storedFields;
    std::vector<Action> actions;
    std::vector<SegmentRule> segments;
    std::vector<Fsm> fsms;

    const std::string& title() const { return label.empty() ? id : label; }
};

/// Name and colour of a value that an analysis sets.
struct DefinedValue {
    std::string name;
    std::string value;
    std::string color; ///< Colour as "#rrggbb"; empty if the colour is derived from the name.
    SourcePosition place;
};

/// Reference of a view to an attribute, relative to a row's attribute or (if absolute) to the root of the attribute tree.
struct ViewAttribute {
    bool isAbsolute = false;
    std::vector<std::string> names; ///< Names on the path to the attribute; empty for the row's own attribute.
    /// Path from the root of the attribute tree to an attribute; the value of this attribute is used as the last name of the path. Empty if
    /// `names` is the complete path.
    std::vector<std::string> query;
};

/// Rows of a view: one row for each attribute to which the path leads.
struct ViewEntry {
    /// Names on the path. "*" matches any name; "$1" is the name that the first "*" in the enclosing paths matched.
    std::vector<std::string> path;
    /// Id of the analysis whose attribute tree the rows show; empty if the enclosing entry or view determines the analysis.
    std::string analysis;
    bool showsText = false; ///< True if bars show their values as text.
    std::optional<ViewAttribute> display; ///< Attribute whose values are drawn; nullopt for rows that only group other rows.
    std::optional<ViewAttribute> id;
    std::optional<ViewAttribute> parent; ///< Attribute whose value is the id of the row's parent row.
    std::optional<ViewAttribute> name;
    std::vector<ViewEntry> entries; ///< Nested entries. Their rows are children of this entry's rows.
    SourcePosition place;
};

/// A view of rows (timeGraphView) or of curves (xyView).
struct View {
    enum class Kind : std::uint8_t { Rows, Curves, Calls };
    Kind kind = Kind::Rows;
    std::string id;
    std::string label; ///< Title for the user; if empty, `id` is shown.
    std::vector<std::string> analyses; ///< Ids of the analyses whose attribute trees the view shows.
    std::vector<DefinedValue> values;
    std::vector<ViewEntry> entries;
    bool isDelta = false; ///< For curves: true if the increase of a value is drawn instead of the value.
    SourcePosition place;

    const std::string& title() const { return label.empty() ? id : label; }
};

/// Path to the call stacks in the attribute tree of an analysis, in several parts (levels), for example first the processes and then their
/// threads.
struct CallStackGroup {
    std::string name;
    /// One path for each level of the call stacks' location. The first path starts at the root of the attribute tree; each further path
    /// starts at the attributes that the path before it found.
    std::vector<std::vector<std::string>> levels;
    /// Index in `levels` of the path to the attributes that identify the threads; nullopt if no level identifies a thread.
    std::optional<std::int64_t> threadLevel;
    /// True if the value of the attribute at `threadLevel` is the thread's TID; false if the attribute's name is the TID.
    bool isThreadByValue = false;
    SourcePosition place;
};

struct CallStacks {
    std::string id;
    std::string analysis; ///< Id of the analysis whose attribute tree contains the call stacks.
    std::vector<CallStackGroup> groups;
    SourcePosition place;
};

} // namespace helio::xml
