#pragma once

#include "core/xml_analysis/reading/element.h"

#include <vector>

namespace helio::xml {

/// Repairs the parts of a file in which the grammar found faults, so that they can be read and their other faults are found, too. Removes
/// elements that cannot be where they are, moves elements that come too late, and adds missing elements and attributes with harmless
/// values. Added elements have no place (line 0).
void mend(Element& root);

/// Removes problems that follow from the repair and not from the file: problems without a place, and problems of elements with a repaired
/// attribute. The first `known` problems are the grammar's and stay.
void removeConsequentialProblems(std::vector<Problem>& problems, std::size_t known);

} // namespace helio::xml
