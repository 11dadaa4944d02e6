#pragma once

#include "app/gui/common/action_table.h"

namespace helio {

std::span<const ActionSpec> comparisonActions();

} // namespace helio
