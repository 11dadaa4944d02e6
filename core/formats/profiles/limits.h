#pragma once

#include <cstddef>

namespace helio::profiles {

constexpr std::size_t StopStep = 1024; ///< Number of steps of a loop, e.g. of samples, between two checks of a stop token.
/// Maximum size in bytes of the beginning of a text in which the keys that identify its format are searched.
constexpr std::size_t MostSearched = std::size_t{16} << 20;
constexpr std::size_t MostFrames = std::size_t{1} << 20; ///< Maximum number of frames of one stack.

} // namespace helio::profiles
