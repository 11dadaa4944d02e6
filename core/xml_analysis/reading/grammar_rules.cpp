#include "core/xml_analysis/reading/grammar_rules.h"

#include <algorithm>
#include <array>
#include <utility>

namespace helio::xml {
namespace {

const std::vector<AttributeRule> NoAttributes;
const std::vector<AttributeRule> IdOnly{{"id", true}};
const std::vector<const char*> Units{"ns", "us", "ms", "s"};

std::vector<Rule> makeRules()
{
    const std::vector<std::vector<Slot>> viewParts{{{{"head"}, 0, 1}, {{"definedValue"}}, {{"entry"}}}};
    const std::vector<std::vector<Slot>> change{{{{"stateAttribute"}, 1}, {{"stateValue"}, 1, 1}, {{"futureTime"}, 0, 1}},
                                                {{{"if"}, 1, 1}, {{"then"}, 1, 1}, {{"else"}, 0, 1}}};
    const std::vector<Slot> oneValue{{{"stateValue"}, 1, 1}};
    return {
        {Kind::Root,
         NoAttributes,
         {{{{"timeGraphView", "xyView", "stateProvider", "pattern", "callstack"}, 1}}},
         {{"timeGraphView", Kind::RowsView},
          {"xyView", Kind::CurvesView},
          {"stateProvider", Kind::Provider},
          {"pattern", Kind::Pattern},
          {"callstack", Kind::CallStacks}},
         nullptr,
         true},
        {Kind::Provider,
         {{"id", true}, {"version", true, Text::Integer}},
         {{{{"head"}, 0, 1}, {{"definedValue", "location", "mappingGroup", "eventHandler"}, 1}}},
         {{"head", Kind::ProviderHead}, {"eventHandler", Kind::Handler}},
         "eventHandler"},
        {Kind::ProviderHead,
         NoAttributes,
         {{{{"traceType"}}, {{"label"}, 0, 1}, {{"viewLabelPrefix"}, 0, 1}}},
         {{"traceType", Kind::TypeOfTraces}, {"label", Kind::Label}, {"viewLabelPrefix", Kind::Label}}},
        {Kind::Pattern,
         {{"id", true}, {"version", true, Text::Integer}},
         {{{{"head"}, 0, 1}, {{"storedField"}}, {{"definedValue"}}, {{"location"}}, {{"mappingGroup"}}, {{"patternHandler"}, 1, 1}}},
         {{"head", Kind::ProviderHead}, {"storedField", Kind::StoredField}, {"patternHandler", Kind::PatternHandler}}},
        {Kind::ViewHead, NoAttributes, {{{{"analysis"}}, {{"label"}, 0, 1}}}, {{"analysis", Kind::AnalysisId}, {"label", Kind::Label}}},
        {Kind::Leaf, NoAttributes, {}},
        {Kind::Label, {{"value"}}, {}},
        {Kind::TypeOfTraces, IdOnly, {}},
        {Kind::AnalysisId, {{"id", true}, {"ssid"}}, {}},
        {Kind::DefinedValue, {{"name", true}, {"value", true}, {"color"}}, {}},
        {Kind::Location, IdOnly, {{{{"stateAttribute"}}}}, {}, nullptr, true},
        {Kind::MappingGroup, IdOnly, {{{{"entry"}, 1}}}, {{"entry", Kind::MapEntry}}},
        {Kind::MapEntry, NoAttributes, {{{{"stateValue"}, 2, 2}}}},
        {Kind::Handler, {{"eventName", true}}, {{{{"stateChange"}, 1}}}, {}, nullptr, true},
        {Kind::Change, NoAttributes, change, {{"then", Kind::Change}, {"else", Kind::Change}, {"futureTime", Kind::Value}}},
        {Kind::Condition,
         {{"operator", false, Text::OneOf, {"eq", "ne", "ge", "gt", "le", "lt"}}},
         {{{{"stateAttribute"}, 1}, {{"stateValue"}, 1, 1}},
          {{{"field"}, 1, 1}, {{"stateValue"}, 1, 1}},
          {{{"stateValue"}, 2, 2}},
          {{{"timerange"}, 1, 1}},
          {{{"elapsedTime"}, 1, 1}}},
         {{"field", Kind::Field}, {"timerange", Kind::TimeRange}, {"elapsedTime", Kind::Elapsed}}},
        {Kind::SingleCondition, NoAttributes, {{{{"condition", "not", "and", "or"}, 1, 1}}}, {}, nullptr, true},
        {Kind::ManyConditions, NoAttributes, {{{{"condition", "not", "and", "or"}, 1}}}, {}, nullptr, true},
        {Kind::TimeRange,
         {{"unit", false, Text::OneOf, Units}},
         {{{{"in", "out"}, 1, 1}}},
         {{"in", Kind::TimeLimits}, {"out", Kind::TimeLimits}}},
        {Kind::TimeLimits, {{"begin", true, Text::Integer}, {"end", true, Text::Integer}}, {}},
        {Kind::Elapsed,
         {{"unit", false, Text::OneOf, Units}},
         {{{{"less", "equal", "more"}, 1, 1}}},
         {{"less", Kind::ElapsedLimit}, {"equal", Kind::ElapsedLimit}, {"more", Kind::ElapsedLimit}}},
        {Kind::ElapsedLimit, {{"since", true}, {"value", true, Text::Integer}}, {}},
        {Kind::Field, {{"name", true}}, {}},
        {Kind::Attribute,
         {{"type", true, Text::OneOf, {"constant", "eventField", "eventName", "location", "query", "null", "pool"}}, {"value"}},
         {{{{"stateAttribute"}}}}},
        {Kind::Value,
         {{"type", true, Text::OneOf, {"null", "int", "long", "string", "eventField", "eventName", "delete", "query", "script"}},
          {"value"},
          {"id"},
          {"increment", false, Text::Boolean},
          {"update", false, Text::Boolean},
          {"stack", false, Text::OneOf, {"push", "pop", "popAll", "peek"}},
          {"forcedType", false, Text::OneOf, {"int", "long", "string", "double"}},
          {"mappingGroup"},
          {"scriptEngine"}},
         {{{{"stateAttribute"}}, {{"stateValue"}}}}},
        {Kind::StoredField, {{"id", true}, {"alias"}}, {}},
        {Kind::PatternHandler, {{"initial"}}, {{{{"test", "action", "fsm"}, 1}}}, {{"test", Kind::Test}, {"fsm", Kind::State}}, "fsm"},
        {Kind::Test, IdOnly, {{{{"if"}, 0, 1}}}},
        {Kind::Action,
         IdOnly,
         {{{{"stateChange", "segment", "fsmScheduleAction", "action"}}}},
         {{"segment", Kind::Segment}, {"fsmScheduleAction", Kind::Schedule}}},
        {Kind::Schedule, IdOnly, {}},
        {Kind::Segment,
         NoAttributes,
         {{{{"segType"}, 1, 1}, {{"segTime"}, 0, 1}, {{"segContent"}, 0, 1}}},
         {{"segType", Kind::SegmentType}, {"segTime", Kind::SegmentTime}, {"segContent", Kind::SegmentContent}}},
        {Kind::SegmentType, {{"segName"}}, {{{{"segName"}, 0, 1}}}, {{"segName", Kind::OneValue}}},
        {Kind::SegmentTime,
         NoAttributes,
         {{{{"begin"}, 1, 1}, {{"end", "duration"}, 1, 1}}},
         {{"begin", Kind::TimeOfSegment}, {"end", Kind::TimeOfSegment}, {"duration", Kind::TimeOfSegment}}},
        {Kind::OneValue, NoAttributes, {oneValue}},
        {Kind::SegmentContent, NoAttributes, {{{{"segField"}, 1}}}, {{"segField", Kind::SegmentField}}},
        {Kind::SegmentField,
         {{"name", true}, {"type", true, Text::OneOf, {"null", "int", "long", "string", "double"}}, {"value"}},
         {{{{"stateValue"}, 0, 1}}}},
        {Kind::State,
         {{"id", true}, {"initial"}, {"automatic"}, {"multiple", false, Text::Boolean}, {"consuming", false, Text::Boolean}},
         {{{{"onentry"}, 0, 1},
           {{"onexit"}, 0, 1},
           {{"precondition"}},
           {{"initial"}, 0, 1},
           {{"initialState"}, 0, 1},
           {{"state"}},
           {{"final"}, 0, 1},
           {{"transition"}}}},
         {{"onentry", Kind::Actions},
          {"onexit", Kind::Actions},
          {"precondition", Kind::Transition},
          {"initial", Kind::Initial},
          {"initialState", Kind::Initial},
          {"state", Kind::State},
          {"final", Kind::Final}}},
        {Kind::Initial, NoAttributes, {{{{"transition"}, 1}}}},
        {Kind::Final, IdOnly, {}},
        {Kind::Transition,
         {{"event"},
          {"cond"},
          {"target"},
          {"action"},
          {"saveStoredFields", false, Text::Boolean},
          {"clearStoredFields", false, Text::Boolean}},
         {}},
        {Kind::Actions, {{"action", true}}, {}},
        {Kind::RowsView, IdOnly, viewParts, {{"head", Kind::ViewHead}, {"entry", Kind::RowEntry}}},
        {Kind::CurvesView, IdOnly, {{{{"head"}, 0, 1}, {{"entry"}, 1, 1}}}, {{"head", Kind::ViewHead}, {"entry", Kind::CurveEntry}}},
        {Kind::RowEntry,
         {{"path", true}, {"analysisId"}, {"displayText", false, Text::Boolean}},
         {{{{"display"}, 0, 1}, {{"id"}, 0, 1}, {{"parent"}, 0, 1}, {{"name"}, 0, 1}, {{"entry"}}}},
         {{"display", Kind::ViewAttribute},
          {"id", Kind::ViewAttribute},
          {"parent", Kind::ViewAttribute},
          {"name", Kind::ViewAttribute},
          {"entry", Kind::RowEntry}}},
        {Kind::CurveEntry,
         {{"path", true}, {"displayType", false, Text::OneOf, {"absolute", "delta"}}},
         {{{{"display"}, 0, 1}, {{"name"}, 0, 1}}},
         {{"display", Kind::ViewAttribute}, {"name", Kind::ViewAttribute}}},
        {Kind::ViewAttribute,
         {{"type", true, Text::OneOf, {"constant", "location", "query", "self"}},
          {"value"},
          {"reference", false, Text::OneOf, {"relative", "absolute"}}},
         {{{{"stateAttribute"}}}},
         {{"stateAttribute", Kind::ViewAttribute}}},
        {Kind::CallStacks,
         IdOnly,
         {{{{"callstackGroup"}, 1}, {{"analysis", "pattern", "stateProvider"}, 1}}},
         {{"callstackGroup", Kind::CallStackGroup},
          {"analysis", Kind::AnalysisId},
          {"pattern", Kind::Pattern},
          {"stateProvider", Kind::Provider}}},
        {Kind::CallStackGroup,
         {{"name"}},
         {{{{"level"}}, {{"thread"}, 0, 1}, {{"host"}, 0, 1}}},
         {{"level", Kind::Level}, {"thread", Kind::ThreadOfLevel}, {"host", Kind::HostOfLevel}}},
        {Kind::Level, {{"path", true}}, {}},
        {Kind::ThreadOfLevel, {{"cpu"}, {"level", false, Text::Integer}, {"type", false, Text::OneOf, {"name", "value"}}}, {}},
        {Kind::HostOfLevel, {{"level", true, Text::Integer}, {"type", false, Text::OneOf, {"name", "value"}}}, {}},
    };
}

/// Returns the rules, by kind.
const std::vector<Rule>& allRules()
{
    static const std::vector<Rule> Rules = [] {
        std::vector<Rule> byKind(static_cast<std::size_t>(Kind::HostOfLevel) + 1, Rule{Kind::Leaf, {}, {}});
        for (Rule& rule : makeRules())
            byKind[static_cast<std::size_t>(rule.kind)] = std::move(rule);
        return byKind;
    }();
    return Rules;
}

/// Returns the kind of an element that has the same kind in every parent; Leaf if there is none.
Kind commonKindOf(std::string_view name)
{
    static constexpr std::array Common{std::pair("definedValue", Kind::DefinedValue), std::pair("location", Kind::Location),
                                       std::pair("mappingGroup", Kind::MappingGroup), std::pair("stateChange", Kind::Change),
                                       std::pair("if", Kind::SingleCondition),        std::pair("not", Kind::SingleCondition),
                                       std::pair("and", Kind::ManyConditions),        std::pair("or", Kind::ManyConditions),
                                       std::pair("condition", Kind::Condition),       std::pair("stateAttribute", Kind::Attribute),
                                       std::pair("stateValue", Kind::Value),          std::pair("action", Kind::Action),
                                       std::pair("transition", Kind::Transition)};
    const auto found = std::ranges::find_if(Common, [name](const auto& it) { return name == it.first; });
    return found != Common.end() ? found->second : Kind::Leaf;
}

/// Returns how many leading children fit the slots in order. `lacks` gets the names that were needed next; it is empty if the slots are
/// satisfied.
std::size_t fitting(const std::vector<Element>& children, const std::vector<Slot>& slots, std::string& lacks)
{
    std::size_t at = 0;
    lacks.clear();
    for (const Slot& slot : slots) {
        int count = 0;
        while (at < children.size() && count < slot.most
               && std::ranges::any_of(slot.names, [&](const char* name) { return children[at].name == name; })) {
            ++at;
            ++count;
        }
        if (count < slot.least) {
            lacks = listed(slot.names);
            return at;
        }
    }
    return at;
}

} // namespace

const Rule& ruleOf(Kind kind) { return allRules()[static_cast<std::size_t>(kind)]; }

Kind kindOf(const Rule& parent, const Element& child)
{
    const auto own = std::ranges::find_if(parent.children, [&child](const ChildKind& it) { return child.name == it.name; });
    const Kind kind = own != parent.children.end() ? own->kind : commonKindOf(child.name);
    if (kind == Kind::TimeOfSegment) // Files use both forms: the value itself, and an element that contains it.
        return child.find("type") ? Kind::Value : Kind::OneValue;
    return kind;
}

std::string listed(std::span<const char* const> words)
{
    std::string all;
    for (const char* word : words)
        all += (all.empty() ? "" : ", ") + std::string(word);
    return all;
}

Fit fitOf(const std::vector<Element>& children, const Rule& rule)
{
    Fit best;
    best.isWhole = rule.sequences.empty() && children.empty();
    for (const std::vector<Slot>& slots : rule.sequences) {
        std::string lacks;
        const std::size_t count = fitting(children, slots, lacks);
        best.isWhole = best.isWhole || (count == children.size() && lacks.empty());
        if (!best.slots || count > best.count) {
            best.slots = &slots;
            best.count = count;
            best.lacks = lacks;
        }
    }
    return best;
}

std::size_t slotOf(const std::vector<Slot>& slots, std::string_view name)
{
    const auto has = [name](const Slot& it) { return std::ranges::any_of(it.names, [name](const char* one) { return name == one; }); };
    return static_cast<std::size_t>(std::ranges::find_if(slots, has) - slots.begin());
}

bool isOfLanguage(std::string_view name)
{
    for (const Rule& rule : allRules())
        for (const std::vector<Slot>& slots : rule.sequences)
            if (slotOf(slots, name) < slots.size())
                return true;
    return false;
}

} // namespace helio::xml
