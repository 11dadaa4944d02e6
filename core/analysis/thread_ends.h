#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>

namespace helio {

/// The end of a thread, on the clock of the thread's host.
struct ThreadEnd {
    std::int32_t tid = -1;
    HostTimestamp at;
    auto operator<=>(const ThreadEnd&) const = default;
};

/// Returns the end of the thread that has the TID `tid` at time `at`; HostTimestamp::max() if that end was not recorded. `at` matters
/// because a TID may be reused.
/// Requires: `ends` is sorted.
inline HostTimestamp endOf(std::span<const ThreadEnd> ends, std::int32_t tid, HostTimestamp at)
{
    const auto next = std::ranges::lower_bound(ends, ThreadEnd{tid, at});
    return next != ends.end() && next->tid == tid ? next->at : HostTimestamp::max();
}

} // namespace helio
