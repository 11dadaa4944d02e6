#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cstdint>

namespace helio {

/// Stored times lie within less than +-2^62 ns (146 years each way), so that no difference of two can overflow.
constexpr std::int64_t TimeLimit = (std::int64_t(1) << 62) - 1;

constexpr std::int64_t limitedTime(std::int64_t ns) { return std::clamp(ns, -TimeLimit, TimeLimit); }
constexpr std::int64_t limitedTime(HostTimestamp t) { return limitedTime(nanoseconds(t)); }

} // namespace helio
