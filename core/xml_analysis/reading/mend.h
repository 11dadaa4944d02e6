#pragma once

#include "core/xml_analysis/reading/element.h"

#include <vector>

namespace helio::xml {

/// Makes of the parts of a file in which the grammar found faults such as can be read, so that what else is wrong in them is found, too:
/// what cannot stand where it does is taken away, what comes too late is put where it belongs, what is missing is put in, saying nothing.
/// What is put in has no place (line 0).
void mend(Element& root);

/// Problems that follow from what was put in, and so are none of the file: those without a place, and those of elements with an attribute
/// missing. `known`: so many of the first ones are the grammar's.
void dropConsequences(std::vector<Problem>& problems, std::size_t known);

} // namespace helio::xml
