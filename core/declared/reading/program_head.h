#pragma once

#include "core/declared/reading/element.h"

namespace helio::declared {

/// Reads what a stateProvider or pattern says of itself.
void readHead(const Element& element, Program& program);

} // namespace helio::declared
