#pragma once

#include "core/store/track_ref.h"

#include <string_view>

namespace helio {

struct Timeline;

/// The first row of the kernel's locks that is called as a class of locks is in a text of /proc/lock_stat: its first word is the class's
/// name, without the "-W" or "-R" of locks that readers share. Not valid: there is none. Recordings that know locks by their addresses have
/// none but for classes that the text calls by an address, too. Cost: as rows().
TrackRef rowOfLock(const Timeline& timeline, std::string_view className);

} // namespace helio
