#pragma once

#include "core/xml_analysis/reading/definitions.h"

#include <map>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Reads what state providers and patterns have in common into a program: paths, values, conditions, changes. Requires of elements that the
/// grammar found nothing wrong with them. What refers to something that is not there is a problem, and reads as if it said nothing.
class RuleReader {
public:
    /// All of them outlive it.
    RuleReader(Program& program, const Element& owner, std::vector<Problem>& problems);

    FieldIndex field(std::string_view name);
    /// Of the stateAttribute children.
    PathIndex path(const Element& parent);
    ValueIndex value(const Element& element);
    ValueIndex constant(const Element& element, Type type, std::string_view text);
    /// Of the condition, not, and, or below an "if".
    ConditionIndex condition(const Element& parent);
    ChangeIndex change(const Element& element);
    EventNames eventNames(const Element& element, std::string_view text);
    /// Of all events.
    EventNames anyEvent(const Element& element);

    std::string_view resolve(std::string_view text) const { return m_definitions.resolve(text); }
    std::vector<Problem>& problems() { return m_problems; }

private:
    void readMappings();
    void readMapping(std::size_t group, const Element& element);
    void addSteps(const Element& parent, Path& path);
    void addStep(const Element& element, Path& path);
    void addLocation(const Element& element, Path& path);
    PathIndex queryPath(const Element& element);
    bool isTooMuch(const Element& element);
    bool areTooMany(const Element& element, std::size_t patterns);
    std::string_view nameIn(const Element& element);
    void readKind(const Element& element, ValueRule& rule);
    void readUse(const Element& element, ValueRule& rule);
    bool readConstant(const Element& element, Type type, std::string_view text, Constant& constant);
    ConditionIndex oneCondition(const Element& element);
    Condition comparison(const Element& element);
    Condition timeRange(const Element& element);
    Condition elapsed(const Element& element);
    ValueIndex addQuery(const Element& parent);
    template <typename Item> std::uint32_t add(std::vector<Item>& list, Item item);

    Program& m_program;
    std::vector<Problem>& m_problems;
    const Definitions m_definitions;
    std::map<std::string, FieldIndex, std::less<>> m_fields;
    std::vector<std::uint64_t> m_mappingCosts; ///< By mapping: values that it may have to look at.
    std::size_t m_knownMappings = 0; ///< Values may be mapped by those before it.
    std::vector<std::string_view> m_inside; ///< The locations that a step is in, the outermost first.
    int m_pathDepth = 0; ///< Paths stand in the queries of paths.
    std::size_t m_steps = 0; ///< Of the outermost path, with all that it is made of.
    std::size_t m_allSteps = 0;
    std::size_t m_patterns = 0; ///< Of event names.
};

} // namespace helio::xml
