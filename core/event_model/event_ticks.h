#pragma once

#include "core/base/time.h"

#include <cstdint>

namespace helio {

// Values of the intervals of tracks with the role Events: the CPU of an event, and a bit that differs between neighbouring events.

/// Encodes a value. `cpu`: -1 if unknown; 2^31 - 1 does not fit and reads back as unknown.
inline std::uint32_t tickValue(std::int32_t cpu, HostTimestamp at)
{
    return (static_cast<std::uint32_t>(cpu) + 1) << 1 | static_cast<std::uint32_t>(nanoseconds(at) & 1);
}

/// Returns the CPU of a value; -1 if unknown.
inline std::int32_t cpuOfTick(std::uint32_t value) { return static_cast<std::int32_t>(value >> 1) - 1; }

} // namespace helio
