#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cstdint>

namespace helio {

/// Stored times lie within less than +-2^62 ns (146 years each way), so that no difference of two can overflow.
constexpr std::int64_t TimeLimit = (std::int64_t(1) << 62) - 1;

constexpr std::int64_t limitedTime(std::int64_t ns) { return std::clamp(ns, -TimeLimit, TimeLimit); }
constexpr std::int64_t limitedTime(HostTimestamp t) { return limitedTime(nanoseconds(t)); }

/// A stored time and so much, or a time past all limits.
constexpr std::int64_t laterTime(std::int64_t ns, std::uint64_t by)
{
    std::int64_t sum = 0;
    return by <= INT64_MAX && !__builtin_add_overflow(ns, static_cast<std::int64_t>(by), &sum) ? sum : INT64_MAX;
}

} // namespace helio
