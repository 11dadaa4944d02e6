#pragma once

#include "app/gui/common/action_table.h"

namespace helio {

/// Returns the table of actions of the comparison window.
std::span<const ActionSpec> comparisonActions();

} // namespace helio
