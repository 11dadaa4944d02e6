#pragma once

#include "core/xml_analysis/reading/element.h"

#include <vector>

namespace helio::xml {

/// Checks a file against the schema of the language: the nesting of elements, their order and number, and their attributes. Adds a problem
/// with a position for each fault. Without faults, the elements below the root can be read without further checks.
///
/// Unknown attributes cause warnings. Elements that extensions of the language define cause warnings and are removed. Returns false if the
/// root belongs to another language.
bool checkGrammar(Element& root, std::vector<Problem>& problems);

/// Repairs the elements in which the grammar check found faults, so that they can be read and further faults in them are found. Removes
/// misplaced elements, moves elements that come too late, and adds missing elements and attributes with harmless values. Added elements
/// have no position (line 0).
void mend(Element& root);

/// Removes problems that mend() caused: problems without a position, and problems of elements in which mend() added an attribute. The first
/// `known` problems come from the grammar check and stay.
void removeConsequentialProblems(std::vector<Problem>& problems, std::size_t known);

} // namespace helio::xml
