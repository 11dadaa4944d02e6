#pragma once

#include "core/base/time.h"

#include <cstdint>

namespace helio {

// Values of the intervals of 1 ns on tracks with the role Events, one for each event. A value contains the CPU of its event. It also
// contains the lowest bit of the time: two intervals without a gap between them then have different values, and the store does not merge
// them.

/// Encodes a CPU number, -1 if unknown, and the lowest bit of `at`. The CPU number 2^31 - 1 cannot be encoded and is decoded as unknown.
inline std::uint32_t tickValue(std::int32_t cpu, HostTimestamp at)
{
    return (static_cast<std::uint32_t>(cpu) + 1) << 1 | static_cast<std::uint32_t>(nanoseconds(at) & 1);
}

/// Decodes the CPU number of a value; -1 if unknown.
inline std::int32_t cpuOfTick(std::uint32_t value) { return static_cast<std::int32_t>(value >> 1) - 1; }

} // namespace helio
