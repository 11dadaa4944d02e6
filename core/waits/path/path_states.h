#pragma once

#include "core/store/states.h"
#include "core/waits/path/path.h"

namespace helio {

/// What stretches of a path are, by PathKind, as look.md 3 has them.
const StateSet& pathStates();
inline const StateKind& stateOf(PathKind kind) { return pathStates().states[static_cast<std::size_t>(kind)]; }

} // namespace helio
