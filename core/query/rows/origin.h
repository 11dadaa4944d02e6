#pragma once

#include "core/store/track_ref.h"

namespace helio {

struct Timeline;

/// Whether what a store has is of all traces together: then the trace that it stands with says nothing.
bool isOfAllTraces(const Timeline& timeline, StoreIndex store);

} // namespace helio
