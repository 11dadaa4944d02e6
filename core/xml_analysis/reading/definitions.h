#pragma once

#include "core/xml_analysis/reading/element.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Names that elements of one provider, pattern or view may refer to: its defined values, locations and mapping groups.
/// Ownership: the elements outlive the object.
class Definitions {
public:
    /// Reads the definedValue, location and mappingGroup children of `owner`.
    Definitions(const Element& owner, std::vector<Problem>& problems);

    /// Returns the value that "$name" stands for; the text itself if no value of that name is defined.
    std::string_view resolve(std::string_view text) const;
    /// Returns nullptr if there is no such location.
    const Element* location(std::string_view id) const;
    const std::vector<const Element*>& mappingGroups() const { return m_mappingGroups; }

private:
    std::map<std::string, std::string, std::less<>> m_values;
    std::map<std::string, const Element*, std::less<>> m_locations;
    std::vector<const Element*> m_mappingGroups;
};

/// Returns the text in quotes; a long text is cut.
std::string inQuotes(std::string_view text);

/// Adds an error about an element; does nothing if there are already 1,000 problems.
void addError(std::vector<Problem>& problems, const Element& element, std::string what);
/// Adds a warning about an element; does nothing if there are already 500 problems, so that errors have room.
void addWarning(std::vector<Problem>& problems, const Element& element, std::string what);

/// Returns `fallback` if the attribute is missing, else true if it is "true" or "1".
bool isTrue(const Element& element, std::string_view attribute, bool fallback = false);

/// Returns the value of an integer attribute; 0 if it is missing. Requires: the grammar found no fault in it.
std::int64_t integerOf(const Element& element, std::string_view attribute);

/// Splits a list of ids such as "a:b" at its colons. Empty ids are left out.
std::vector<std::string_view> idsIn(std::string_view text);

} // namespace helio::xml
