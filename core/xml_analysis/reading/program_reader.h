#pragma once

#include "core/xml_analysis/reading/element.h"

#include <vector>

namespace helio::xml {

// All functions below require that the grammar check found no fault in the element. A reference to an undefined id becomes a problem.

Program readStateProvider(const Element& element, std::vector<Problem>& problems);
Program readPattern(const Element& element, std::vector<Problem>& problems);

} // namespace helio::xml
