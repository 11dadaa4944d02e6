#include "core/xml_analysis/reading/grammar_rules.h"

#include <algorithm>
#include <array>
#include <utility>

namespace helio::xml {
namespace {

const std::vector<AttributeRule> NoAttributes;
const std::vector<AttributeRule> IdOnly{{"id", true}};
const std::vector<const char*> Units{"ns", "us", "ms", "s"};

std::vector<ElementRule> makeRules()
{
    const std::vector<std::vector<ChildSlot>> viewParts{{{{"head"}, 0, 1}, {{"definedValue"}}, {{"entry"}}}};
    const std::vector<std::vector<ChildSlot>> change{{{{"stateAttribute"}, 1}, {{"stateValue"}, 1, 1}, {{"futureTime"}, 0, 1}},
                                                     {{{"if"}, 1, 1}, {{"then"}, 1, 1}, {{"else"}, 0, 1}}};
    const std::vector<ChildSlot> oneValue{{{"stateValue"}, 1, 1}};
    return {
        {ElementKind::Root,
         NoAttributes,
         {{{{"timeGraphView", "xyView", "stateProvider", "pattern", "callstack"}, 1}}},
         {{"timeGraphView", ElementKind::RowsView},
          {"xyView", ElementKind::CurvesView},
          {"stateProvider", ElementKind::Provider},
          {"pattern", ElementKind::Pattern},
          {"callstack", ElementKind::CallStacks}},
         nullptr,
         true},
        {ElementKind::Provider,
         {{"id", true}, {"version", true, AttributeText::Integer}},
         {{{{"head"}, 0, 1}, {{"definedValue", "location", "mappingGroup", "eventHandler"}, 1}}},
         {{"head", ElementKind::ProviderHead}, {"eventHandler", ElementKind::Handler}},
         "eventHandler"},
        {ElementKind::ProviderHead,
         NoAttributes,
         {{{{"traceType"}}, {{"label"}, 0, 1}, {{"viewLabelPrefix"}, 0, 1}}},
         {{"traceType", ElementKind::TypeOfTraces}, {"label", ElementKind::Label}, {"viewLabelPrefix", ElementKind::Label}}},
        {ElementKind::Pattern,
         {{"id", true}, {"version", true, AttributeText::Integer}},
         {{{{"head"}, 0, 1}, {{"storedField"}}, {{"definedValue"}}, {{"location"}}, {{"mappingGroup"}}, {{"patternHandler"}, 1, 1}}},
         {{"head", ElementKind::ProviderHead}, {"storedField", ElementKind::StoredField}, {"patternHandler", ElementKind::PatternHandler}}},
        {ElementKind::ViewHead,
         NoAttributes,
         {{{{"analysis"}}, {{"label"}, 0, 1}}},
         {{"analysis", ElementKind::AnalysisId}, {"label", ElementKind::Label}}},
        {ElementKind::Leaf, NoAttributes, {}},
        {ElementKind::Label, {{"value"}}, {}},
        {ElementKind::TypeOfTraces, IdOnly, {}},
        {ElementKind::AnalysisId, {{"id", true}, {"ssid"}}, {}},
        {ElementKind::DefinedValue, {{"name", true}, {"value", true}, {"color"}}, {}},
        {ElementKind::Location, IdOnly, {{{{"stateAttribute"}}}}, {}, nullptr, true},
        {ElementKind::MappingGroup, IdOnly, {{{{"entry"}, 1}}}, {{"entry", ElementKind::MapEntry}}},
        {ElementKind::MapEntry, NoAttributes, {{{{"stateValue"}, 2, 2}}}},
        {ElementKind::Handler, {{"eventName", true}}, {{{{"stateChange"}, 1}}}, {}, nullptr, true},
        {ElementKind::Change,
         NoAttributes,
         change,
         {{"then", ElementKind::Change}, {"else", ElementKind::Change}, {"futureTime", ElementKind::Value}}},
        {ElementKind::Condition,
         {{"operator", false, AttributeText::OneOf, {"eq", "ne", "ge", "gt", "le", "lt"}}},
         {{{{"stateAttribute"}, 1}, {{"stateValue"}, 1, 1}},
          {{{"field"}, 1, 1}, {{"stateValue"}, 1, 1}},
          {{{"stateValue"}, 2, 2}},
          {{{"timerange"}, 1, 1}},
          {{{"elapsedTime"}, 1, 1}}},
         {{"field", ElementKind::Field}, {"timerange", ElementKind::TimeRange}, {"elapsedTime", ElementKind::Elapsed}}},
        {ElementKind::SingleCondition, NoAttributes, {{{{"condition", "not", "and", "or"}, 1, 1}}}, {}, nullptr, true},
        {ElementKind::ManyConditions, NoAttributes, {{{{"condition", "not", "and", "or"}, 1}}}, {}, nullptr, true},
        {ElementKind::TimeRange,
         {{"unit", false, AttributeText::OneOf, Units}},
         {{{{"in", "out"}, 1, 1}}},
         {{"in", ElementKind::TimeLimits}, {"out", ElementKind::TimeLimits}}},
        {ElementKind::TimeLimits, {{"begin", true, AttributeText::Integer}, {"end", true, AttributeText::Integer}}, {}},
        {ElementKind::Elapsed,
         {{"unit", false, AttributeText::OneOf, Units}},
         {{{{"less", "equal", "more"}, 1, 1}}},
         {{"less", ElementKind::ElapsedLimit}, {"equal", ElementKind::ElapsedLimit}, {"more", ElementKind::ElapsedLimit}}},
        {ElementKind::ElapsedLimit, {{"since", true}, {"value", true, AttributeText::Integer}}, {}},
        {ElementKind::Field, {{"name", true}}, {}},
        {ElementKind::Attribute,
         {{"type", true, AttributeText::OneOf, {"constant", "eventField", "eventName", "location", "query", "null", "pool"}}, {"value"}},
         {{{{"stateAttribute"}}}}},
        {ElementKind::Value,
         {{"type", true, AttributeText::OneOf, {"null", "int", "long", "string", "eventField", "eventName", "delete", "query", "script"}},
          {"value"},
          {"id"},
          {"increment", false, AttributeText::Boolean},
          {"update", false, AttributeText::Boolean},
          {"stack", false, AttributeText::OneOf, {"push", "pop", "popAll", "peek"}},
          {"forcedType", false, AttributeText::OneOf, {"int", "long", "string", "double"}},
          {"mappingGroup"},
          {"scriptEngine"}},
         {{{{"stateAttribute"}}, {{"stateValue"}}}}},
        {ElementKind::StoredField, {{"id", true}, {"alias"}}, {}},
        {ElementKind::PatternHandler,
         {{"initial"}},
         {{{{"test", "action", "fsm"}, 1}}},
         {{"test", ElementKind::Test}, {"fsm", ElementKind::State}},
         "fsm"},
        {ElementKind::Test, IdOnly, {{{{"if"}, 0, 1}}}},
        {ElementKind::Action,
         IdOnly,
         {{{{"stateChange", "segment", "fsmScheduleAction", "action"}}}},
         {{"segment", ElementKind::Segment}, {"fsmScheduleAction", ElementKind::Schedule}}},
        {ElementKind::Schedule, IdOnly, {}},
        {ElementKind::Segment,
         NoAttributes,
         {{{{"segType"}, 1, 1}, {{"segTime"}, 0, 1}, {{"segContent"}, 0, 1}}},
         {{"segType", ElementKind::SegmentType}, {"segTime", ElementKind::SegmentTime}, {"segContent", ElementKind::SegmentContent}}},
        {ElementKind::SegmentType, {{"segName"}}, {{{{"segName"}, 0, 1}}}, {{"segName", ElementKind::OneValue}}},
        {ElementKind::SegmentTime,
         NoAttributes,
         {{{{"begin"}, 1, 1}, {{"end", "duration"}, 1, 1}}},
         {{"begin", ElementKind::TimeOfSegment}, {"end", ElementKind::TimeOfSegment}, {"duration", ElementKind::TimeOfSegment}}},
        {ElementKind::OneValue, NoAttributes, {oneValue}},
        {ElementKind::SegmentContent, NoAttributes, {{{{"segField"}, 1}}}, {{"segField", ElementKind::SegmentField}}},
        {ElementKind::SegmentField,
         {{"name", true}, {"type", true, AttributeText::OneOf, {"null", "int", "long", "string", "double"}}, {"value"}},
         {{{{"stateValue"}, 0, 1}}}},
        {ElementKind::State,
         {{"id", true},
          {"initial"},
          {"automatic"},
          {"multiple", false, AttributeText::Boolean},
          {"consuming", false, AttributeText::Boolean}},
         {{{{"onentry"}, 0, 1},
           {{"onexit"}, 0, 1},
           {{"precondition"}},
           {{"initial"}, 0, 1},
           {{"initialState"}, 0, 1},
           {{"state"}},
           {{"final"}, 0, 1},
           {{"transition"}}}},
         {{"onentry", ElementKind::Actions},
          {"onexit", ElementKind::Actions},
          {"precondition", ElementKind::Transition},
          {"initial", ElementKind::Initial},
          {"initialState", ElementKind::Initial},
          {"state", ElementKind::State},
          {"final", ElementKind::Final}}},
        {ElementKind::Initial, NoAttributes, {{{{"transition"}, 1}}}},
        {ElementKind::Final, IdOnly, {}},
        {ElementKind::Transition,
         {{"event"},
          {"cond"},
          {"target"},
          {"action"},
          {"saveStoredFields", false, AttributeText::Boolean},
          {"clearStoredFields", false, AttributeText::Boolean}},
         {}},
        {ElementKind::Actions, {{"action", true}}, {}},
        {ElementKind::RowsView, IdOnly, viewParts, {{"head", ElementKind::ViewHead}, {"entry", ElementKind::RowEntry}}},
        {ElementKind::CurvesView,
         IdOnly,
         {{{{"head"}, 0, 1}, {{"entry"}, 1, 1}}},
         {{"head", ElementKind::ViewHead}, {"entry", ElementKind::CurveEntry}}},
        {ElementKind::RowEntry,
         {{"path", true}, {"analysisId"}, {"displayText", false, AttributeText::Boolean}},
         {{{{"display"}, 0, 1}, {{"id"}, 0, 1}, {{"parent"}, 0, 1}, {{"name"}, 0, 1}, {{"entry"}}}},
         {{"display", ElementKind::ViewAttribute},
          {"id", ElementKind::ViewAttribute},
          {"parent", ElementKind::ViewAttribute},
          {"name", ElementKind::ViewAttribute},
          {"entry", ElementKind::RowEntry}}},
        {ElementKind::CurveEntry,
         {{"path", true}, {"displayType", false, AttributeText::OneOf, {"absolute", "delta"}}},
         {{{{"display"}, 0, 1}, {{"name"}, 0, 1}}},
         {{"display", ElementKind::ViewAttribute}, {"name", ElementKind::ViewAttribute}}},
        {ElementKind::ViewAttribute,
         {{"type", true, AttributeText::OneOf, {"constant", "location", "query", "self"}},
          {"value"},
          {"reference", false, AttributeText::OneOf, {"relative", "absolute"}}},
         {{{{"stateAttribute"}}}},
         {{"stateAttribute", ElementKind::ViewAttribute}}},
        {ElementKind::CallStacks,
         IdOnly,
         {{{{"callstackGroup"}, 1}, {{"analysis", "pattern", "stateProvider"}, 1}}},
         {{"callstackGroup", ElementKind::CallStackGroup},
          {"analysis", ElementKind::AnalysisId},
          {"pattern", ElementKind::Pattern},
          {"stateProvider", ElementKind::Provider}}},
        {ElementKind::CallStackGroup,
         {{"name"}},
         {{{{"level"}}, {{"thread"}, 0, 1}, {{"host"}, 0, 1}}},
         {{"level", ElementKind::Level}, {"thread", ElementKind::ThreadOfLevel}, {"host", ElementKind::HostOfLevel}}},
        {ElementKind::Level, {{"path", true}}, {}},
        {ElementKind::ThreadOfLevel,
         {{"cpu"}, {"level", false, AttributeText::Integer}, {"type", false, AttributeText::OneOf, {"name", "value"}}},
         {}},
        {ElementKind::HostOfLevel, {{"level", true, AttributeText::Integer}, {"type", false, AttributeText::OneOf, {"name", "value"}}}, {}},
    };
}

/// Returns the rules, indexed by kind.
const std::vector<ElementRule>& allRules()
{
    static const std::vector<ElementRule> Rules = [] {
        std::vector<ElementRule> byKind(static_cast<std::size_t>(ElementKind::HostOfLevel) + 1, ElementRule{ElementKind::Leaf, {}, {}});
        for (ElementRule& rule : makeRules())
            byKind[static_cast<std::size_t>(rule.kind)] = std::move(rule);
        return byKind;
    }();
    return Rules;
}

/// Returns the kind of an element that has the same kind in every parent; Leaf if the kind depends on the parent or the name is unknown.
ElementKind commonKindOf(std::string_view name)
{
    static constexpr std::array Common{
        std::pair("definedValue", ElementKind::DefinedValue), std::pair("location", ElementKind::Location),
        std::pair("mappingGroup", ElementKind::MappingGroup), std::pair("stateChange", ElementKind::Change),
        std::pair("if", ElementKind::SingleCondition),        std::pair("not", ElementKind::SingleCondition),
        std::pair("and", ElementKind::ManyConditions),        std::pair("or", ElementKind::ManyConditions),
        std::pair("condition", ElementKind::Condition),       std::pair("stateAttribute", ElementKind::Attribute),
        std::pair("stateValue", ElementKind::Value),          std::pair("action", ElementKind::Action),
        std::pair("transition", ElementKind::Transition)};
    const auto found = std::ranges::find_if(Common, [name](const auto& it) { return name == it.first; });
    return found != Common.end() ? found->second : ElementKind::Leaf;
}

/// Returns how many children at the start of the list match the slots in order. If a required element is missing after them, sets `lacks`
/// to the names that are allowed there; otherwise to an empty text.
std::size_t countMatching(const std::vector<Element>& children, const std::vector<ChildSlot>& slots, std::string& lacks)
{
    std::size_t at = 0;
    lacks.clear();
    for (const ChildSlot& slot : slots) {
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

const ElementRule& ruleOf(ElementKind kind) { return allRules()[static_cast<std::size_t>(kind)]; }

ElementKind kindOf(const ElementRule& parent, const Element& child)
{
    const auto own = std::ranges::find_if(parent.children, [&child](const ChildKind& it) { return child.name == it.name; });
    const ElementKind kind = own != parent.children.end() ? own->kind : commonKindOf(child.name);
    // An XML file states the time of a segment in one of two forms: the element itself is the value and has the attribute "type", or it
    // contains an element with the value.
    if (kind == ElementKind::TimeOfSegment)
        return child.find("type") ? ElementKind::Value : ElementKind::OneValue;
    return kind;
}

std::string listed(std::span<const char* const> words)
{
    std::string all;
    for (const char* word : words)
        all += (all.empty() ? "" : ", ") + std::string(word);
    return all;
}

ChildMatch matchChildren(const std::vector<Element>& children, const ElementRule& rule)
{
    ChildMatch best;
    best.isWhole = rule.sequences.empty() && children.empty();
    for (const std::vector<ChildSlot>& slots : rule.sequences) {
        std::string lacks;
        const std::size_t count = countMatching(children, slots, lacks);
        best.isWhole = best.isWhole || (count == children.size() && lacks.empty());
        if (!best.slots || count > best.count) {
            best.slots = &slots;
            best.count = count;
            best.lacks = lacks;
        }
    }
    return best;
}

std::size_t findSlot(const std::vector<ChildSlot>& slots, std::string_view name)
{
    const auto has = [name](const ChildSlot& it) { return std::ranges::any_of(it.names, [name](const char* one) { return name == one; }); };
    return static_cast<std::size_t>(std::ranges::find_if(slots, has) - slots.begin());
}

bool isKnownElement(std::string_view name)
{
    for (const ElementRule& rule : allRules())
        for (const std::vector<ChildSlot>& slots : rule.sequences)
            if (findSlot(slots, name) < slots.size())
                return true;
    return false;
}

} // namespace helio::xml
