#pragma once

namespace helio {

/// Exit statuses.
constexpr int ExitDone = 0;
constexpr int ExitInput = 1; ///< The input could not be used.
constexpr int ExitUsage = 2;

} // namespace helio
