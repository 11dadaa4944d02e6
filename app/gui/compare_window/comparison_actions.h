#pragma once

#include "app/gui/common/action_table.h"

namespace helio {

/// What a person can do in the window of a comparison.
std::span<const ActionSpec> comparisonActions();

} // namespace helio
