#pragma once

#include "core/xml_analysis/reading/element.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Allowed text of an attribute.
enum class AttributeText { Any, Boolean, Integer, OneOf };

struct AttributeRule {
    const char* name;
    bool isRequired = false;
    AttributeText text = AttributeText::Any;
    std::vector<const char*> words{}; ///< Allowed texts if `text` is OneOf.
};

constexpr int AnyNumber = 1'000'000;

/// Position in a sequence of children: takes `least` to `most` elements with any of the names.
struct ChildSlot {
    std::vector<const char*> names;
    int least = 0;
    int most = AnyNumber;
};

/// Kinds of elements, distinguished by what an element may contain.
enum class ElementKind {
    Root,
    Provider,
    ProviderHead,
    Pattern,
    ViewHead,
    Leaf,
    Label,
    TypeOfTraces,
    AnalysisId,
    DefinedValue,
    Location,
    MappingGroup,
    MapEntry,
    Handler,
    Change,
    Condition,
    SingleCondition,
    ManyConditions,
    TimeRange,
    TimeLimits,
    Elapsed,
    ElapsedLimit,
    Field,
    Attribute,
    Value,
    StoredField,
    PatternHandler,
    Test,
    Action,
    Schedule,
    Segment,
    SegmentType,
    SegmentName,
    SegmentTime,
    TimeOfSegment,
    OneValue,
    SegmentContent,
    SegmentField,
    State,
    Initial,
    Final,
    Transition,
    Actions,
    RowsView,
    CurvesView,
    RowEntry,
    CurveEntry,
    ViewAttribute,
    CallStacks,
    CallStackGroup,
    Level,
    ThreadOfLevel,
    HostOfLevel,
};

/// Name and kind of a child, if the kind does not follow from the name alone.
struct ChildKind {
    const char* name;
    ElementKind kind;
};

struct ElementRule {
    ElementKind kind;
    std::vector<AttributeRule> attributes;
    std::vector<std::vector<ChildSlot>> sequences; ///< Allowed sequences of children, one of which must fit. Empty: no children.
    std::vector<ChildKind> children{};
    const char* last = nullptr; ///< Required name of the last child; nullptr if there is none.
    bool hasAnyAttribute = false;
};

/// Returns the rule of the language's schema for a kind of elements.
/// Ownership: rules live as long as the program.
const ElementRule& ruleOf(ElementKind kind);

/// Returns the kind of a child of an element with the rule `parent`; Leaf if the name is unknown.
ElementKind kindOf(const ElementRule& parent, const Element& child);

/// True if any element may contain an element with the name.
bool isKnownElement(std::string_view name);

/// Joins words with commas: "a, b".
std::string listed(std::span<const char* const> words);

/// Result of matching the children of an element with a rule.
struct ChildMatch {
    const std::vector<ChildSlot>* slots = nullptr; ///< Sequence that fits the most children; nullptr if no children are allowed.
    std::size_t count = 0; ///< Number of leading children that fit the sequence.
    std::string lacks; ///< Names that were needed next, e.g. "a, b"; empty if none was.
    bool isWhole = false; ///< True if the children match the rule.
};
ChildMatch matchChildren(const std::vector<Element>& children, const ElementRule& rule);

/// Returns the index of the slot for an element name; slots.size() if no slot has it.
std::size_t findSlot(const std::vector<ChildSlot>& slots, std::string_view name);

} // namespace helio::xml
