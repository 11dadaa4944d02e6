#pragma once

#include "app/gui/common/action_table.h"

namespace helio {

std::span<const ActionSpec> fleetActions(); ///< Returns the actions of the window of a fleet.

} // namespace helio
