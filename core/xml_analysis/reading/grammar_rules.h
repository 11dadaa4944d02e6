#pragma once

#include "core/xml_analysis/reading/element.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Kind of text that an attribute may have.
enum class AttributeText { Any, Boolean, Integer, OneOf };

struct AttributeRule {
    const char* name;
    bool isRequired = false;
    AttributeText text = AttributeText::Any;
    std::vector<const char*> words{}; ///< Allowed texts if `text` is OneOf.
};

constexpr int AnyNumber = 1'000'000;

/// Slot in a sequence of children: it accepts `least` to `most` elements with any of the names.
struct ChildSlot {
    std::vector<const char*> names;
    int least = 0;
    int most = AnyNumber;
};

/// Kinds of elements. Elements of the same kind may contain the same children and attributes.
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

/// Name of a child and its kind, if the kind does not follow from the name alone.
struct ChildKind {
    const char* name;
    ElementKind kind;
};

struct ElementRule {
    ElementKind kind;
    std::vector<AttributeRule> attributes;
    /// Alternative sequences of children, one of which must match. If the list is empty, no children are allowed.
    std::vector<std::vector<ChildSlot>> sequences;
    std::vector<ChildKind> children{};
    const char* last = nullptr; ///< Name that the last child must have; nullptr if any name is allowed.
    bool hasAnyAttribute = false;
};

/// Returns the rule of the language's schema for a kind of elements.
/// Ownership: rules exist until the program ends.
const ElementRule& ruleOf(ElementKind kind);

/// Returns the kind of a child in an element with the rule `parent`; Leaf if the child's name is unknown.
ElementKind kindOf(const ElementRule& parent, const Element& child);

/// True if the language has elements with this name.
bool isKnownElement(std::string_view name);

/// Joins words with commas: "a, b".
std::string listed(std::span<const char* const> words);

/// Result of matching the children of an element against a rule.
struct ChildMatch {
    const std::vector<ChildSlot>* slots = nullptr; ///< Sequence that matches the most children; nullptr if no children are allowed.
    std::size_t count = 0; ///< Number of children, counted from the first child, that match `slots`.
    /// If a required element is missing after the first `count` children: the element names that are allowed in this place, for example "a,
    /// b". Empty if no element is missing.
    std::string lacks;
    bool isWhole = false; ///< True if all children match and nothing is missing.
};
ChildMatch matchChildren(const std::vector<Element>& children, const ElementRule& rule);

/// Returns the index of the slot for an element name; slots.size() if no slot accepts the name.
std::size_t findSlot(const std::vector<ChildSlot>& slots, std::string_view name);

} // namespace helio::xml
