#pragma once

#include "core/xml_analysis/reading/element.h"

#include <vector>

namespace helio::xml {

/// Checks a file against the language's schema: which elements contain which, in what order and how often, and with which attributes. Adds
/// a problem for each fault, at the place of an element; without any, the parts of the root can be read without further checks. Warns of
/// unknown attributes, and of parts that extensions of the language define; removes those parts. Returns false if the root belongs to
/// another language.
bool checkGrammar(Element& root, std::vector<Problem>& problems);

/// Repairs the parts of a file in which the grammar found faults, so that they can be read and their other faults are found, too. Removes
/// elements that cannot be where they are, moves elements that come too late, and adds missing elements and attributes with harmless
/// values. Added elements have no place (line 0).
void mend(Element& root);

/// Removes problems that follow from the repair and not from the file: problems without a place, and problems of elements with a repaired
/// attribute. The first `known` problems are the grammar's and stay.
void removeConsequentialProblems(std::vector<Problem>& problems, std::size_t known);

} // namespace helio::xml
