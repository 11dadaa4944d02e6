#pragma once

#include "core/analyses/locks/lock.h"

#include <cstdint>
#include <string>

namespace helio::locks {

// What analyses of locks share.

/// More locks are not told apart: their waits have names, and no rows.
constexpr std::size_t MostRows = 16'384;
constexpr std::size_t MostLocks = 1 << 20; ///< Of still more nothing is known.

/// The kinds of segments, declared where they are not yet: waits for locks, and that they were held.
SegmentKindId waitsIn(StateSink& sink);
SegmentKindId holdsIn(StateSink& sink);

/// A row for a lock that is the `number`th, from 0. NoTrack: there are too many.
TrackId addLockRow(StateSink& sink, const std::string& key, const std::string& label, const char* kind, std::int32_t pid,
                   std::size_t number);

/// "0xffff888100044880"
std::string hexadecimal(std::uint64_t number);

} // namespace helio::locks
