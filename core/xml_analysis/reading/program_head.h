#pragma once

#include "core/xml_analysis/reading/element.h"

namespace helio::xml {

/// Reads id, version, labels and trace types of a stateProvider or pattern.
void readHead(const Element& element, Program& program);

} // namespace helio::xml
