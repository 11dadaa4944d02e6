#pragma once

#include "core/xml_analysis/reading/element.h"

namespace helio::xml {

/// Reads what a stateProvider or pattern says of itself.
void readHead(const Element& element, Program& program);

} // namespace helio::xml
