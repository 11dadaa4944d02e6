#pragma once

#include "core/xml_analysis/reading/element.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Definitions to which the elements of one provider, pattern or view may refer: defined values, locations and mapping groups.
/// Ownership: the elements must outlive the object.
class Definitions {
public:
    /// Reads the definedValue, location and mappingGroup children of `owner`.
    Definitions(const Element& owner, std::vector<Problem>& problems);

    /// Returns the defined value for a text such as "$name"; the text itself if no such value is defined.
    std::string_view resolve(std::string_view text) const;
    /// Returns the location with this id; nullptr if there is none.
    const Element* location(std::string_view id) const;
    const std::vector<const Element*>& mappingGroups() const { return m_mappingGroups; }

private:
    std::map<std::string, std::string, std::less<>> m_values;
    std::map<std::string, const Element*, std::less<>> m_locations;
    std::vector<const Element*> m_mappingGroups;
};

/// Returns the text in quotes; a long text is truncated.
std::string inQuotes(std::string_view text);

/// Adds an error about an element. Does nothing if there are already 1,000 problems.
void addError(std::vector<Problem>& problems, const Element& element, std::string what);
/// Adds a warning about an element. Does nothing if there are already 500 problems, so that space for errors remains.
void addWarning(std::vector<Problem>& problems, const Element& element, std::string what);

/// Returns true if the attribute is "true" or "1"; `fallback` if the attribute is missing.
bool isTrue(const Element& element, std::string_view attribute, bool fallback = false);

/// Returns the value of an integer attribute; 0 if the attribute is missing. Requires: the grammar check found no fault in the value.
std::int64_t integerOf(const Element& element, std::string_view attribute);

/// Splits a list of ids such as "a:b" at its colons. Empty ids are left out.
std::vector<std::string_view> idsIn(std::string_view text);

} // namespace helio::xml
