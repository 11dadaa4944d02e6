#include "core/analysis/thread_ends.h"

#include <algorithm>

namespace helio {

HostTimestamp endOf(std::span<const ThreadEnd> ends, std::int32_t tid, HostTimestamp at)
{
    const auto next = std::ranges::lower_bound(ends, ThreadEnd{tid, at});
    return next != ends.end() && next->tid == tid ? next->at : HostTimestamp::max();
}

} // namespace helio
