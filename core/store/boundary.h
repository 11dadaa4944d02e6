#pragma once

#include "core/store/store_format.h"
#include "core/store/time_limits.h"
#include "core/store/track.h"

#include <cstdint>

namespace helio {

/// The begin of an interval or gap on a track, which lasts until the next boundary of the track.
struct Boundary {
    std::int64_t begin = 0; ///< ns, within TimeLimit.
    std::uint64_t key = 0; ///< A state and its value (keyOf()), or GapKey.
};

/// Key of a gap: the track does not exist.
constexpr std::uint64_t GapKey = format::GapState;

constexpr std::uint64_t keyOf(State state, std::uint32_t value)
{
    return static_cast<std::uint64_t>(value) << format::KeyStateBits | (static_cast<unsigned>(state) % 32);
}
/// Returns the state's number; GapState if the key is a gap.
constexpr std::size_t stateIn(std::uint64_t key) { return key % (1u << format::KeyStateBits); }
constexpr State stateOf(std::uint64_t key) { return State(static_cast<std::uint8_t>(stateIn(key) % 32)); }
constexpr std::uint32_t valueIn(std::uint64_t key) { return static_cast<std::uint32_t>(key >> format::KeyStateBits); }

} // namespace helio
