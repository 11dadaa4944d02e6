#pragma once

#include "core/analyses/locks/lock.h"

#include <cstdint>
#include <string>

namespace helio::locks {

// Shared by the analyses of locks.

/// Maximum count of locks with rows. Waits of further locks have names, but no rows.
constexpr std::size_t MostRows = 16'384;
constexpr std::size_t MostLocks = 1 << 20; ///< Maximum count of locks that are tracked at all.

/// Return the kinds of segments of waits for locks and of holds, and declare them at the first call.
SegmentKindId waitsIn(StateSink& sink);
SegmentKindId holdsIn(StateSink& sink);

/// Adds the row of the `number`th lock, counted from 0; returns NoTrack if there are too many.
TrackId addLockRow(StateSink& sink, const std::string& key, const std::string& label, const char* kind, std::int32_t pid,
                   std::size_t number);

/// Returns the number as text, e.g. "0xffff888100044880".
std::string hexadecimal(std::uint64_t number);

} // namespace helio::locks
