#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cstdint>

namespace helio {

/// Largest absolute value of a stored time in ns, just below 2^62 (146 years before and after 0). The difference of two times therefore
/// never overflows.
constexpr std::int64_t TimeLimit = (std::int64_t(1) << 62) - 1;

constexpr std::int64_t limitedTime(std::int64_t ns) { return std::clamp(ns, -TimeLimit, TimeLimit); }
constexpr std::int64_t limitedTime(HostTimestamp t) { return limitedTime(nanoseconds(t)); }

/// Returns `ns + by`; INT64_MAX if the sum overflows.
constexpr std::int64_t laterTime(std::int64_t ns, std::uint64_t by)
{
    std::int64_t sum = 0;
    return by <= INT64_MAX && !__builtin_add_overflow(ns, static_cast<std::int64_t>(by), &sum) ? sum : INT64_MAX;
}

} // namespace helio
