#pragma once

#include "core/declared/reading/element.h"

#include <vector>

namespace helio::declared {

// Require: the grammar found nothing wrong with the element.

View readRowsView(const Element& element, std::vector<Problem>& problems);
View readCurvesView(const Element& element, std::vector<Problem>& problems);
/// Of a callstack element; what provider stands in it is not read.
CallStacks readCallStacks(const Element& element, std::vector<Problem>& problems);

} // namespace helio::declared
