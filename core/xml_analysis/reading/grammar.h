#pragma once

#include "core/xml_analysis/reading/element.h"

#include <vector>

namespace helio::xml {

/// Checks which elements stand in which, in what order and how often, and with which attributes: the language's schema. Adds a problem for
/// each fault, at the place of an element. Where it finds none, the parts of the root can be read without looking again. Attributes that
/// the language does not have are warned of, and so are parts of extensions, which it takes away. False: the root is that of another
/// language.
bool checkGrammar(Element& root, std::vector<Problem>& problems);

} // namespace helio::xml
