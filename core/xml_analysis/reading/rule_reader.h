#pragma once

#include "core/xml_analysis/reading/definitions.h"

#include <map>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Reads what state providers and patterns have in common into a program: paths, values, conditions, changes. Requires: the grammar found
/// no fault in the elements. A reference to an undefined thing becomes a problem and is otherwise ignored.
class RuleReader {
public:
    /// Ownership: all arguments outlive the reader.
    RuleReader(Program& program, const Element& owner, std::vector<Problem>& problems);

    FieldIndex field(std::string_view name);
    /// Reads the stateAttribute children of `parent`.
    PathIndex path(const Element& parent);
    ValueIndex value(const Element& element);
    ValueIndex constant(const Element& element, Type type, std::string_view text);
    /// Reads the element condition, not, and, or below an "if".
    ConditionIndex condition(const Element& parent);
    ChangeIndex change(const Element& element);
    EventNames eventNames(const Element& element, std::string_view text);
    /// Returns an empty list, which stands for all events, and counts it as one name.
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
    std::vector<std::uint64_t> m_mappingCosts; ///< Maximum number of comparisons in a look-up, by mapping.
    std::size_t m_knownMappings = 0; ///< Number of mappings that are read; values can only be mapped by these.
    std::vector<std::string_view> m_inside; ///< Ids of the locations around the current step, the outermost first.
    int m_pathDepth = 0; ///< Nesting depth of the current path; queries in a path contain paths.
    std::size_t m_steps = 0; ///< Number of steps of the current outermost path so far, including the steps of its locations and queries.
    std::size_t m_allSteps = 0;
    std::size_t m_patterns = 0; ///< Number of event names.
};

} // namespace helio::xml
