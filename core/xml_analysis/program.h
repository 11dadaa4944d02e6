#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What analyses that people write as XML files (the data-driven language of Trace Compass) say, free of any trace.
namespace helio::xml {

/// Where something stands in a file; from 1.
struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0; ///< In bytes.
    bool operator==(const Place&) const = default;
};

/// The types of values of attributes.
enum class Type : std::uint8_t { Null, Int, Long, Double, String };

/// A value that stands in the file.
struct Constant {
    Type type = Type::Null;
    std::int64_t integer = 0; ///< Of Int and Long.
    double real = 0;
    std::string text;
    bool operator==(const Constant&) const = default;
};

// Indices in the lists of a Program.
using FieldIndex = std::uint32_t;
using PathIndex = std::uint32_t;
using ValueIndex = std::uint32_t;
using ConditionIndex = std::uint32_t;
using ChangeIndex = std::uint32_t;
using ActionIndex = std::uint32_t;
constexpr std::uint32_t NoIndex = 0xffffffff;

/// One step on the way to an attribute, from the one before it, or from the tree's root.
struct Step {
    enum class Kind : std::uint8_t {
        Constant, ///< To the child of that name.
        Field, ///< To the child called as the value of an event's field.
        EventName, ///< To the child called as the event.
        Query, ///< To the child called as the value that another attribute has now.
        Scenario, ///< To the attribute of the scenario itself, wherever the path was.
        Pool, ///< To a child that belongs to the scenario until it ends: the smallest free number.
    };
    Kind kind = Kind::Constant;
    std::uint32_t index = NoIndex; ///< Field: a FieldIndex; Query: a PathIndex.
    std::string name{}; ///< Constant.
};

/// The way to an attribute. Locations stand in it as their steps.
struct Path {
    std::vector<Step> steps;
    Place place;
};

enum class StackUse : std::uint8_t { None, Push, Pop, PopAll, Peek };

/// How a value is found when an event comes: found, mapped, turned into the forced type, in this order.
struct ValueRule {
    enum class Kind : std::uint8_t { Constant, Field, EventName, Query };
    Kind kind = Kind::Constant;
    std::uint32_t index = NoIndex; ///< Field: a FieldIndex; Query: a PathIndex.
    StackUse stack = StackUse::None;
    bool isIncrement = false; ///< Of changes: added to what the attribute has.
    bool isUpdate = false; ///< Of changes: replaces what the attribute has, from where it has that.
    std::optional<Type> forced;
    std::uint32_t mapping = NoIndex; ///< Index in Program::mappings.
    Constant constant;
    Place place;
};

/// Replaces a value by another; one that stands in no entry becomes null.
struct Mapping {
    std::string id;
    std::vector<std::pair<ValueIndex, ValueIndex>> entries;
};

enum class Comparison : std::uint8_t { Equal, NotEqual, GreaterOrEqual, Greater, LessOrEqual, Less };

struct Condition {
    enum class Kind : std::uint8_t { And, Or, Not, Compare, TimeRange, Elapsed };
    Kind kind = Kind::Compare;
    Comparison comparison = Comparison::Equal; ///< Compare; Elapsed: Less, Equal, Greater.
    bool isOutside = false; ///< TimeRange.
    std::vector<ConditionIndex> parts; ///< And, Or, Not.
    ValueIndex left = NoIndex; ///< Compare.
    ValueIndex right = NoIndex;
    std::int64_t begin = 0; ///< TimeRange: ns, both ends included. Elapsed: how long, in ns.
    std::int64_t end = 0;
    std::string since; ///< Elapsed: id of the state that the scenario entered.
    Place place;
};

/// Sets an attribute, or (with a condition) makes one of two other changes.
struct Change {
    ConditionIndex condition = NoIndex;
    ChangeIndex then = NoIndex;
    ChangeIndex otherwise = NoIndex;
    PathIndex path = NoIndex;
    ValueIndex value = NoIndex;
    ValueIndex futureTime = NoIndex; ///< When it happens, ns.
    Place place;
};

/// The events that something is for: regular expressions, any of which fits a whole name. NoIndex: all events.
struct EventNames {
    std::vector<std::string> patterns;
    bool operator==(const EventNames&) const = default;
};

/// What a state provider does at an event.
struct EventHandler {
    EventNames events;
    std::vector<ChangeIndex> changes;
    std::string name; ///< As in the file.
    Place place;
};

/// A field of a segment.
struct SegmentField {
    std::string name;
    ValueIndex value = NoIndex;
    std::optional<Type> type; ///< That its value is turned into. Nothing: it is left out.
};

struct SegmentRule {
    ValueIndex name = NoIndex;
    ValueIndex begin = NoIndex; ///< NoIndex: where the scenario began.
    ValueIndex end = NoIndex; ///< NoIndex: the event's time.
    ValueIndex duration = NoIndex; ///< Instead of the end.
    std::vector<SegmentField> fields;
    Place place;
};

/// One thing that an action does.
struct ActionPart {
    enum class Kind : std::uint8_t { Change, Segment, Action };
    Kind kind = Kind::Change;
    std::uint32_t index = NoIndex; ///< In Program::changes, segments or actions.
};

struct Action {
    std::string id;
    std::vector<ActionPart> parts;
    Place place;
};

struct Transition {
    EventNames events;
    std::vector<ConditionIndex> conditions; ///< All must hold.
    std::vector<ActionIndex> actions;
    std::uint32_t target = NoIndex; ///< Index in Fsm::states; NoIndex: it stays where it is.
    bool savesFields = false;
    bool clearsFields = false;
    std::string text; ///< "sys_futex -> waiting": for people.
    Place place;
};

struct FsmState {
    std::string id;
    std::vector<Transition> transitions; ///< Without any it is final.
    std::vector<ActionIndex> onEntry;
    std::vector<ActionIndex> onExit;
    bool isFinal = false; ///< A scenario that enters it has matched.
    Place place;
};

/// A state machine, run by any number of scenarios.
struct Fsm {
    std::string id;
    std::vector<FsmState> states;
    std::uint32_t initial = 0; ///< Index in states.
    std::vector<Transition> preconditions; ///< One must pass for the machine to see an event. NoIndex: it sees all.
    bool isMultiple = true; ///< More than one scenario at a time.
    bool isConsuming = true; ///< An event is for one scenario only.
    bool startsAtBegin = true; ///< False: nothing ever starts it.
    Place place;
};

/// A field of events that scenarios keep.
struct StoredField {
    FieldIndex field = NoIndex;
    std::string alias; ///< What it is called in the tree.
};

/// A state provider, or a pattern: one analysis.
struct Program {
    bool isPattern = false;
    std::string id;
    std::int64_t version = 0;
    std::string label; ///< Empty: as the id.
    std::string segmentLabel; ///< What a pattern's segments are called; may be empty.
    std::vector<std::string> traceTypes; ///< NoIndex: all traces.
    Place place;

    std::vector<std::string> fields; ///< Each name once.
    std::vector<Path> paths;
    std::vector<ValueRule> values;
    std::vector<Mapping> mappings;
    std::vector<Condition> conditions;
    std::vector<Change> changes;

    std::vector<EventHandler> handlers; ///< Of a state provider.

    // Of a pattern.
    std::vector<StoredField> storedFields;
    std::vector<Action> actions;
    std::vector<SegmentRule> segments;
    std::vector<Fsm> fsms;

    const std::string& title() const { return label.empty() ? id : label; }
};

/// What a value that an analysis sets is called and looks like.
struct DefinedValue {
    std::string name;
    std::string value;
    std::string color; ///< "#rrggbb"; empty: one by its name.
    Place place;
};

/// An attribute that a view needs, seen from a row's own or (absolute) from the tree's root.
struct ViewAttribute {
    bool isAbsolute = false;
    std::vector<std::string> names; ///< NoIndex: the row's own.
    std::vector<std::string> query; ///< Seen from the root: the attribute whose value is one more name, the last. Empty: there is no more.
};

/// Rows of a view: one for each attribute that the path leads to.
struct ViewEntry {
    std::vector<std::string> path; ///< "*" is any name; "$1" what the first "*" above stands for.
    std::string analysis; ///< Id of another analysis whose tree it is of; empty: as what it is in.
    bool showsText = false; ///< Bars say their value.
    std::optional<ViewAttribute> display; ///< Whose values are drawn. NoIndex: rows that group others.
    std::optional<ViewAttribute> id;
    std::optional<ViewAttribute> parent; ///< Whose value is the id of the row that this one hangs below.
    std::optional<ViewAttribute> name;
    std::vector<ViewEntry> entries; ///< Below each of its rows.
    Place place;
};

/// A view of rows, or of curves.
struct View {
    enum class Kind : std::uint8_t { Rows, Curves, Calls };
    Kind kind = Kind::Rows;
    std::string id;
    std::string label; ///< Empty: as the id.
    std::vector<std::string> analyses; ///< Ids of those whose trees it shows.
    std::vector<DefinedValue> values;
    std::vector<ViewEntry> entries;
    bool isDelta = false; ///< Curves: of how much a value grew.
    Place place;

    const std::string& title() const { return label.empty() ? id : label; }
};

/// Call stacks in an analysis's tree.
struct CallStackGroup {
    std::string name;
    std::vector<std::vector<std::string>> levels; ///< Paths, each from the one above.
    std::optional<std::int64_t> threadLevel; ///< The level that says which thread it is.
    bool isThreadByValue = false; ///< By its value, else by its name.
    Place place;
};

struct CallStacks {
    std::string id;
    std::string analysis; ///< Id of the analysis; where that stands in the element itself, the element's own id.
    std::vector<CallStackGroup> groups;
    Place place;
};

} // namespace helio::xml
