#pragma once

#include "core/xml_analysis/reading/element.h"

#include <vector>

namespace helio::xml {

// Requirement of all functions below: the grammar check found no fault in the element. References to undefined things become problems.

Program readStateProvider(const Element& element, std::vector<Problem>& problems);
Program readPattern(const Element& element, std::vector<Problem>& problems);

} // namespace helio::xml
