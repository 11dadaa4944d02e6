#pragma once

#include "core/trace/trace.h"

#include <algorithm>

namespace helio {

/// Whether only some events of the type were recorded: what was between two of them is not known, and no state follows from them.
inline bool isSampled(const Trace& trace, EventTypeId type)
{
    const SampleReader* const samples = trace.samples();
    return samples && std::ranges::any_of(samples->events(), [type](const SampleEvent& it) { return it.isSampled && it.type == type; });
}

} // namespace helio
