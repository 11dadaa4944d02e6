#pragma once

#include "core/xml_analysis/reading/element.h"
#include "core/xml_analysis/reading/view_locations.h"

#include <vector>

namespace helio::xml {

// Require: the grammar found nothing wrong with the element.

/// `locations`: those of the file.
View readRowsView(const Element& element, const ViewLocations& locations, std::vector<Problem>& problems);
View readCurvesView(const Element& element, const ViewLocations& locations, std::vector<Problem>& problems);
/// Of a callstack element; what provider stands in it is not read.
CallStacks readCallStacks(const Element& element, std::vector<Problem>& problems);

} // namespace helio::xml
