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

/// Locations that the analyses of a file define, for use in the views of that file.
/// Ownership: the elements must outlive the object.
/// Cost: construction is linear in the number of elements.
class ViewLocations {
public:
    /// `file` is the root element of the file.
    explicit ViewLocations(const Element& file);

    /// Returns the names on the path to a location of one of the analyses. Returns nullopt, and stores the reason in `why`, if there is
    /// no such location or if its path depends on events.
    std::optional<std::vector<std::string>> path(std::span<const std::string> analyses, std::string_view id, std::string& why) const;

private:
    /// Id of an analysis, and the name of one of its definitions.
    using Key = std::pair<std::string_view, std::string_view>;

    void add(const Element& owner);
    std::string whyNot(std::string_view analysis, const Element& location, std::vector<std::string>& names, int depth, int& steps) const;

    /// Locations, keyed by the id of the analysis and the id of the location. If an id is defined several times, the last definition is
    /// used.
    std::map<Key, const Element*> m_locations;
    /// Defined values, keyed by the id of the analysis and the name of the value. If a name is defined several times, the first definition
    /// is used.
    std::map<Key, std::string_view> m_values;
};

// All functions below require that the grammar check found no fault in the element.

/// Reads a timeGraphView element. `locations`: named paths that the analyses in the file define; the view may refer to them by id.
View readRowsView(const Element& element, const ViewLocations& locations, std::vector<Problem>& problems);
View readCurvesView(const Element& element, const ViewLocations& locations, std::vector<Problem>& problems);
/// Reads a callstack element, but not the providers and patterns in it.
CallStacks readCallStacks(const Element& element, std::vector<Problem>& problems);

} // namespace helio::xml
