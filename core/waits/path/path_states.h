#pragma once

#include "core/store/states.h"
#include "core/waits/path/path.h"

namespace helio {

/// Returns the states of path segments, indexed by PathKind; look.md, section 3, defines their style.
const StateSet& pathStates();
inline const StateKind& stateOf(PathKind kind) { return pathStates().states[static_cast<std::size_t>(kind)]; }

} // namespace helio
