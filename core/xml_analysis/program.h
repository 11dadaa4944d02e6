#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Analyses that users write as XML files (the data-driven language of Trace Compass), as data that does not depend on any trace.
namespace helio::xml {

/// Position in a file, counted from 1; line 0 if there is none.
struct SourcePosition {
    std::uint32_t line = 0;
    std::uint32_t column = 0; ///< Counted in bytes.
    bool operator==(const SourcePosition&) const = default;
};

/// Type of an attribute's value.
enum class Type : std::uint8_t { Null, Int, Long, Double, String };

/// A value that is written in the file.
struct Constant {
    Type type = Type::Null;
    std::int64_t integer = 0; ///< The value if `type` is Int or Long.
    double real = 0;
    std::string text;
    bool operator==(const Constant&) const = default;
};

// Indices into the lists of a Program.
using FieldIndex = std::uint32_t;
using PathIndex = std::uint32_t;
using ValueIndex = std::uint32_t;
using ConditionIndex = std::uint32_t;
using ChangeIndex = std::uint32_t;
using ActionIndex = std::uint32_t;
constexpr std::uint32_t NoIndex = 0xffffffff;

/// One step of a path: leads from an attribute, first the tree's root, to another attribute.
struct PathStep {
    enum class Kind : std::uint8_t {
        Constant, ///< Leads to the child with the name PathStep::name.
        Field, ///< Leads to the child whose name is the value of an event's field.
        EventName, ///< Leads to the child whose name is that of the event.
        Query, ///< Leads to the child whose name is the current value of another attribute.
        Scenario, ///< Leads to the attribute of the scenario itself, whatever the steps before it are.
        Pool, ///< Leads to the child whose name is the smallest free number, which belongs to the scenario until the scenario ends.
    };
    Kind kind = Kind::Constant;
    std::uint32_t index = NoIndex; ///< FieldIndex if `kind` is Field, PathIndex if it is Query, else NoIndex.
    std::string name{}; ///< Name of the child if `kind` is Constant.
};

/// Steps from the tree's root to an attribute. A location is replaced by its steps.
struct Path {
    std::vector<PathStep> steps;
    SourcePosition place;
};

enum class StackUse : std::uint8_t { None, Push, Pop, PopAll, Peek };

/// Rule for a value at an event. The value is found, then mapped, then converted to the forced type.
struct ValueRule {
    enum class Kind : std::uint8_t { Constant, Field, EventName, Query };
    Kind kind = Kind::Constant;
    std::uint32_t index = NoIndex; ///< FieldIndex if `kind` is Field, PathIndex if it is Query, else NoIndex.
    StackUse stack = StackUse::None;
    bool isIncrement = false; ///< For changes: the value is added to the attribute's value.
    bool isUpdate = false; ///< For changes: the value replaces the attribute's value from the time on at which the attribute got it.
    std::optional<Type> forced;
    std::uint32_t mapping = NoIndex; ///< Index into Program::mappings, or NoIndex.
    Constant constant;
    SourcePosition place;
};

/// Table that replaces values by other values; a value without an entry becomes null.
struct Mapping {
    std::string id;
    std::vector<std::pair<ValueIndex, ValueIndex>> entries;
};

enum class Comparison : std::uint8_t { Equal, NotEqual, GreaterOrEqual, Greater, LessOrEqual, Less };

struct Condition {
    enum class Kind : std::uint8_t { And, Or, Not, Compare, TimeRange, Elapsed };
    Kind kind = Kind::Compare;
    Comparison comparison = Comparison::Equal; ///< For Compare; for Elapsed one of Less, Equal, Greater.
    bool isOutside = false; ///< For TimeRange: true if the time must lie outside the range.
    std::vector<ConditionIndex> parts; ///< Operands of And, Or and Not.
    ValueIndex left = NoIndex; ///< For Compare.
    ValueIndex right = NoIndex;
    std::int64_t begin = 0; ///< For TimeRange: first time in ns; `begin` and `end` belong to the range. For Elapsed: duration in ns.
    std::int64_t end = 0;
    std::string since; ///< For Elapsed: id of a state; the duration counts from when the scenario entered it.
    SourcePosition place;
};

/// Sets an attribute, or (with a condition) makes one of two other changes.
struct Change {
    ConditionIndex condition = NoIndex;
    ChangeIndex then = NoIndex;
    ChangeIndex otherwise = NoIndex;
    PathIndex path = NoIndex;
    ValueIndex value = NoIndex;
    ValueIndex futureTime = NoIndex; ///< Time in ns at which the change happens; NoIndex: at the event.
    SourcePosition place;
};

/// Event names that a rule is for: regular expressions, one of which must fit the whole name. Empty: all events.
struct EventNames {
    std::vector<std::string> patterns;
    bool operator==(const EventNames&) const = default;
};

/// Changes that a state provider makes at an event.
struct EventHandler {
    EventNames events;
    std::vector<ChangeIndex> changes;
    std::string name; ///< Event name as it is written in the file.
    SourcePosition place;
};

/// A field of a segment.
struct SegmentField {
    std::string name;
    ValueIndex value = NoIndex;
    std::optional<Type> type; ///< Type to which the value is converted; unset if the field is left out.
};

struct SegmentRule {
    ValueIndex name = NoIndex;
    ValueIndex begin = NoIndex; ///< NoIndex: when the scenario began.
    ValueIndex end = NoIndex; ///< NoIndex: the time of the event.
    ValueIndex duration = NoIndex; ///< Used instead of `end`, in ns; NoIndex if there is none.
    std::vector<SegmentField> fields;
    SourcePosition place;
};

/// One part of an action: a change, a segment or another action.
struct ActionOperation {
    enum class Kind : std::uint8_t { Change, Segment, Action };
    Kind kind = Kind::Change;
    std::uint32_t index = NoIndex; ///< Index into Program::changes, Program::segments or Program::actions.
};

struct Action {
    std::string id;
    std::vector<ActionOperation> parts;
    SourcePosition place;
};

struct Transition {
    EventNames events;
    std::vector<ConditionIndex> conditions; ///< All of them must hold.
    std::vector<ActionIndex> actions;
    std::uint32_t target = NoIndex; ///< Index into Fsm::states; NoIndex: the state stays the same.
    bool savesFields = false;
    bool clearsFields = false;
    std::string text; ///< Description for the user, e.g. "sys_futex -> waiting".
    SourcePosition place;
};

struct FsmState {
    std::string id;
    std::vector<Transition> transitions; ///< A state without transitions is final.
    std::vector<ActionIndex> onEntry;
    std::vector<ActionIndex> onExit;
    bool isFinal = false; ///< True if a scenario that enters the state has matched.
    SourcePosition place;
};

/// A finite state machine, which any number of scenarios run.
struct Fsm {
    std::string id;
    std::vector<FsmState> states;
    std::uint32_t initial = 0; ///< Index into `states`.
    std::vector<Transition> preconditions; ///< One of them must hold, or the machine does not see the event. Empty: it sees all events.
    bool isMultiple = true; ///< True if several scenarios may be active at a time.
    bool isConsuming = true; ///< True if an event goes to one scenario only.
    bool startsAtBegin = true; ///< False if nothing ever starts the machine.
    SourcePosition place;
};

/// A field of events that scenarios save in the attribute tree.
struct StoredField {
    FieldIndex field = NoIndex;
    std::string alias; ///< Name in the attribute tree.
};

/// One analysis: a state provider or a pattern.
struct Program {
    bool isPattern = false;
    std::string id;
    std::int64_t version = 0;
    std::string label; ///< Empty: `id` is shown.
    std::string segmentLabel; ///< Title of a pattern's segments; may be empty.
    std::vector<std::string> traceTypes; ///< Ids of trace types; empty: all traces.
    SourcePosition place;

    std::vector<std::string> fields; ///< Each name once.
    std::vector<Path> paths;
    std::vector<ValueRule> values;
    std::vector<Mapping> mappings;
    std::vector<Condition> conditions;
    std::vector<Change> changes;

    std::vector<EventHandler> handlers; ///< For a state provider.

    // For a pattern:
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
    std::string color; ///< "#rrggbb"; empty: the colour follows from the name.
    SourcePosition place;
};

/// An attribute that a view reads, relative to a row's attribute or (absolute) to the tree's root.
struct ViewAttribute {
    bool isAbsolute = false;
    std::vector<std::string> names; ///< Path; empty: the row's own attribute.
    /// Path from the root to an attribute with the last name of the path as its value. Empty: `names` is the whole path.
    std::vector<std::string> query;
};

/// Rows of a view: one row for each attribute that the path leads to.
struct ViewEntry {
    std::vector<std::string> path; ///< "*" is any name; "$1" is what the first "*" in the enclosing paths stands for.
    std::string analysis; ///< Id of the analysis if the rows show another tree; empty: the tree of the enclosing entry or view.
    bool showsText = false; ///< True if bars show their value as text.
    std::optional<ViewAttribute> display; ///< Attribute with the values to draw; unset for rows that only group other rows.
    std::optional<ViewAttribute> id;
    std::optional<ViewAttribute> parent; ///< Attribute with the id of the row's parent row.
    std::optional<ViewAttribute> name;
    std::vector<ViewEntry> entries; ///< Rows below each of these rows.
    SourcePosition place;
};

/// A view of rows or of curves.
struct View {
    enum class Kind : std::uint8_t { Rows, Curves, Calls };
    Kind kind = Kind::Rows;
    std::string id;
    std::string label; ///< Empty: `id` is shown.
    std::vector<std::string> analyses; ///< Ids of the analyses with the trees that the view shows.
    std::vector<DefinedValue> values;
    std::vector<ViewEntry> entries;
    bool isDelta = false; ///< For curves: draws the increase of a value instead of the value.
    SourcePosition place;

    const std::string& title() const { return label.empty() ? id : label; }
};

/// Describes where an analysis's tree has call stacks.
struct CallStackGroup {
    std::string name;
    std::vector<std::vector<std::string>> levels; ///< Paths, each relative to the attributes of the level before.
    std::optional<std::int64_t> threadLevel; ///< Index of the level that identifies the thread; unset if none does.
    bool isThreadByValue = false; ///< True if that level's value is the thread's id, false if its name is.
    SourcePosition place;
};

struct CallStacks {
    std::string id;
    std::string analysis; ///< Id of the analysis, also if the element contains the analysis itself.
    std::vector<CallStackGroup> groups;
    SourcePosition place;
};

} // namespace helio::xml
