#pragma once

#include "core/xml_analysis/reading/element.h"

#include <vector>

namespace helio::xml {

/// Checks a file against the language's schema: which elements contain which, in what order and how often, and with which attributes. Adds
/// a problem for each fault, at the place of an element; without any, the parts of the root can be read without further checks. Warns of
/// unknown attributes, and of parts that extensions of the language define; removes those parts. Returns false if the root belongs to
/// another language.
bool checkGrammar(Element& root, std::vector<Problem>& problems);

} // namespace helio::xml
