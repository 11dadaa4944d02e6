#pragma once

#include "core/xml_analysis/reading/element.h"
#include "core/xml_analysis/reading/view_locations.h"

#include <vector>

namespace helio::xml {

// Requires: the grammar found no fault in the element.

/// `locations` are the locations of the file.
View readRowsView(const Element& element, const ViewLocations& locations, std::vector<Problem>& problems);
View readCurvesView(const Element& element, const ViewLocations& locations, std::vector<Problem>& problems);
/// Reads a callstack element, but not the providers and patterns in it.
CallStacks readCallStacks(const Element& element, std::vector<Problem>& problems);

} // namespace helio::xml
