#pragma once

#include "core/xml_analysis/reading/definitions.h"

#include <map>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Reads the elements that state providers and patterns have in common into a Program: paths, values, conditions, changes. Requires: the
/// grammar check found no fault in the elements. A reference to an undefined id becomes a problem and is otherwise ignored.
class RuleReader {
public:
    /// Ownership: all arguments must outlive the reader.
    RuleReader(Program& program, const Element& owner, std::vector<Problem>& problems);

    FieldIndex field(std::string_view name);
    /// Reads the stateAttribute children of `parent` as a path.
    PathIndex path(const Element& parent);
    ValueIndex value(const Element& element);
    ValueIndex constant(const Element& element, Type type, std::string_view text);
    /// Reads the child of an "if" element: `condition`, `not`, `and` or `or`.
    ConditionIndex condition(const Element& parent);
    ChangeIndex change(const Element& element);
    EventNames eventNames(const Element& element, std::string_view text);
    /// Returns an empty list of names, which stands for all events. The list counts as one name towards the maximum number of event names
    /// in a file.
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
    std::string_view readValueAttribute(const Element& element);
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
    std::vector<std::uint64_t> m_mappingCosts; ///< Largest number of comparisons that a lookup can need, for each mapping.
    std::size_t m_knownMappings = 0; ///< Number of mappings read so far; values can refer only to these mappings.
    std::vector<std::string_view> m_inside; ///< Ids of the locations that contain the current step, outermost first.
    int m_pathDepth = 0; ///< Nesting depth of the current path; queries in a path contain paths.
    std::size_t m_steps = 0; ///< Number of steps of the current outermost path, including the steps of its locations and queries.
    std::size_t m_allSteps = 0;
    std::size_t m_patterns = 0; ///< Number of event names read so far.
};

} // namespace helio::xml
