#pragma once

#include "core/xml_analysis/reading/element.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// What the text of an attribute may be.
enum class Text { Any, Boolean, Integer, OneOf };

struct AttributeRule {
    const char* name;
    bool isRequired = false;
    Text text = Text::Any;
    std::vector<const char*> words{}; ///< OneOf.
};

constexpr int AnyNumber = 1'000'000;

/// Children that stand beside each other: so many of these names.
struct Slot {
    std::vector<const char*> names;
    int least = 0;
    int most = AnyNumber;
};

/// Of elements, by what may stand in them.
enum class Kind {
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

/// The kinds of children whose kind does not follow from the name alone.
struct ChildKind {
    const char* name;
    Kind kind;
};

struct Rule {
    Kind kind;
    std::vector<AttributeRule> attributes;
    std::vector<std::vector<Slot>> sequences; ///< Of children; one of them fits. NoIndex: no children.
    std::vector<ChildKind> children{};
    const char* last = nullptr; ///< The name of the last child.
    bool hasAnyAttribute = false;
};

/// The language's schema has one for each kind of element. They live as long as the program does.
const Rule& ruleOf(Kind kind);

/// Of an element that stands in another one.
Kind kindOf(const Rule& parent, const Element& child);

/// Whether any element may have one of that name in it.
bool isOfLanguage(std::string_view name);

/// "a, b".
std::string listed(std::span<const char* const> words);

/// How far the children of an element are in the order of a rule.
struct Fit {
    const std::vector<Slot>* slots = nullptr; ///< The sequence that the most of them fit; null: there are to be none.
    std::size_t count = 0; ///< So many of the first ones fit.
    std::string lacks; ///< What was needed next; of the slot's names.
    bool isWhole = false; ///< Nothing is wrong.
};
Fit fitOf(const std::vector<Element>& children, const Rule& rule);

/// Where in the slots an element stands; the number of slots: nowhere.
std::size_t slotOf(const std::vector<Slot>& slots, std::string_view name);

} // namespace helio::xml
