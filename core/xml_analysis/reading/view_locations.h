#pragma once

#include "core/xml_analysis/reading/element.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::xml {

/// The locations that the analyses of a file define, for its views. The elements outlive it. Cost: what it is made of, once.
class ViewLocations {
public:
    /// `file`: its root.
    explicit ViewLocations(const Element& file);

    /// The names on the way to a location of one of the analyses. Nothing: there is none, or a view cannot know it; `why` says so then.
    std::optional<std::vector<std::string>> path(std::span<const std::string> analyses, std::string_view id, std::string& why) const;

private:
    /// Of an analysis and a name in it.
    using Key = std::pair<std::string_view, std::string_view>;

    void add(const Element& owner);
    std::string whyNot(std::string_view analysis, const Element& location, std::vector<std::string>& names, int depth, int& steps) const;

    std::map<Key, const Element*> m_locations; ///< The last of a name counts.
    std::map<Key, std::string_view> m_values; ///< Those that are defined: the first of a name counts.
};

} // namespace helio::xml
