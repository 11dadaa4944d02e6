#pragma once

#include "core/trace/trace.h"

#include <algorithm>

namespace helio {

/// True if only some events of the type were recorded: what happened between two of them is unknown, and no states follow from them.
/// Cost: a binary search.
inline bool isSampled(const Trace& trace, EventTypeId type)
{
    const SampleReader* const samples = trace.samples();
    if (!samples)
        return false;
    const auto found = std::ranges::lower_bound(samples->events(), type, {}, &SampleEvent::type);
    return found != samples->events().end() && found->type == type && found->isSampled;
}

} // namespace helio
