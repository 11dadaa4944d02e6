#pragma once

#include "core/xml_analysis/reading/element.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// What a file's elements may refer to by a name: what one provider, pattern or view defines. The elements outlive it.
class Definitions {
public:
    /// Takes the definedValue, location and mappingGroup children.
    Definitions(const Element& owner, std::vector<Problem>& problems);

    /// The text, or what "$name" stands for where a value of that name is defined.
    std::string_view resolve(std::string_view text) const;
    /// Null: there is no such location.
    const Element* location(std::string_view id) const;
    const std::vector<const Element*>& mappingGroups() const { return m_mappingGroups; }

private:
    std::map<std::string, std::string, std::less<>> m_values;
    std::map<std::string, const Element*, std::less<>> m_locations;
    std::vector<const Element*> m_mappingGroups;
};

/// Of a long text its begin.
std::string inQuotes(std::string_view text);

/// Adds an error about an element. Where there are hundreds, nobody reads more: it is left out.
void addError(std::vector<Problem>& problems, const Element& element, std::string what);
void addWarning(std::vector<Problem>& problems, const Element& element, std::string what);

/// "true" or "1"; else `fallback` where it is not given.
bool isTrue(const Element& element, std::string_view attribute, bool fallback = false);

/// An attribute that the grammar found to be an integer. 0 where it is not there.
std::int64_t integerOf(const Element& element, std::string_view attribute);

/// Ids that a colon separates: "a:b". Empty ones are left out.
std::vector<std::string_view> idsIn(std::string_view text);

} // namespace helio::xml
