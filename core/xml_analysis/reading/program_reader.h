#pragma once

#include "core/xml_analysis/reading/element.h"

#include <vector>

namespace helio::xml {

// Require: the grammar found nothing wrong with the element. What refers to something that is not there is a problem.

Program readStateProvider(const Element& element, std::vector<Problem>& problems);
Program readPattern(const Element& element, std::vector<Problem>& problems);

} // namespace helio::xml
