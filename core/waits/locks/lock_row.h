#pragma once

#include "core/store/track_ref.h"

#include <string_view>

namespace helio {

struct Timeline;

/// Returns the row of the kernel's locks of one class in /proc/lock_stat: the first row whose first word is `className` without the suffix
/// "-W" or "-R" of locks with readers and writers. Not valid if there is none. In recordings that know locks only by their addresses, there
/// is a row only for a class that the text names by an address, too.
/// Cost: one rows().
TrackRef findLockRow(const Timeline& timeline, std::string_view className);

} // namespace helio
