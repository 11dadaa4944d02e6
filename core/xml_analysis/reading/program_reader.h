#pragma once

#include "core/xml_analysis/reading/element.h"

#include <vector>

namespace helio::xml {

// Requires: the grammar found no fault in the element. References to undefined things become problems.

Program readStateProvider(const Element& element, std::vector<Problem>& problems);
Program readPattern(const Element& element, std::vector<Problem>& problems);

} // namespace helio::xml
