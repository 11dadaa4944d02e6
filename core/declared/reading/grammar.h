#pragma once

#include "core/declared/reading/element.h"

#include <vector>

namespace helio::declared {

/// Checks which elements stand in which, in what order and how often, and with which attributes: the language's schema. Adds a problem for
/// each fault, at the place of an element; a child of the root in which it finds nothing wrong can be read without looking again.
/// Attributes that the language does not have are warned of.
void checkGrammar(const Element& root, std::vector<Problem>& problems);

} // namespace helio::declared
