#pragma once

#include "core/store/store_format.h"
#include "core/store/time_limits.h"
#include "core/store/track.h"

#include <cstdint>

namespace helio {

/// Begin of an interval or gap on a track. The interval or gap ends at the track's next boundary.
struct Boundary {
    std::int64_t begin = 0; ///< Time of the boundary in ns, within TimeLimit.
    std::uint64_t key = 0; ///< State and value of the interval, combined by keyOf(); GapKey for a gap.
};

/// Key of a gap: a time in which the track does not exist.
constexpr std::uint64_t GapKey = format::GapState;

constexpr std::uint64_t keyOf(State state, std::uint32_t value)
{
    return static_cast<std::uint64_t>(value) << format::KeyStateBits | (static_cast<unsigned>(state) % 32);
}
/// Returns the number of the state in a key; GapState for GapKey.
constexpr std::size_t stateIn(std::uint64_t key) { return key % (1u << format::KeyStateBits); }
constexpr State stateOf(std::uint64_t key) { return State(static_cast<std::uint8_t>(stateIn(key) % 32)); }
constexpr std::uint32_t valueIn(std::uint64_t key) { return static_cast<std::uint32_t>(key >> format::KeyStateBits); }

} // namespace helio
