#pragma once

#include <cstdint>

namespace helio {

/// First number that readers make up for processes and threads whose recorded id is no valid PID or TID, e.g. 0 or a name. Larger than any
/// PID or TID of Linux. Views show such processes and threads by name only.
inline constexpr std::int32_t FirstMadeId = 1 << 30;

} // namespace helio
