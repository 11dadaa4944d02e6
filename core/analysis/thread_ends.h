#pragma once

#include "core/base/time.h"

#include <compare>
#include <cstdint>
#include <span>

namespace helio {

/// That a thread ended, on its host's clock.
struct ThreadEnd {
    std::int32_t tid = -1;
    HostTimestamp at;
    auto operator<=>(const ThreadEnd&) const = default;
};

/// When the thread ends that has the tid at a time. `ends` is sorted. HostTimestamp::max(): nobody saw it end.
HostTimestamp endOf(std::span<const ThreadEnd> ends, std::int32_t tid, HostTimestamp at);

} // namespace helio
