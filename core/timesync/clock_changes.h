#pragma once

#include "core/base/result.h"
#include "core/experiment/timeline.h"

#include <cstdint>

namespace helio {

/// Changes that the user can make to the clocks of an experiment. Each function takes the choice so far and returns the changed choice, for
/// Experiment::setClocks(). A host is given as an index into Timeline::hosts and stored in the choice by its id.
///
/// The timeline supplies the clocks that the choice does not set. It need not be aligned by the choice yet, except for the reference host.
/// The offset of a host is the reference's time minus the host's time in the middle of the host's traces. It is above 0 if the host's clock
/// is behind. Changes of the reference host's own clock return the choice unchanged, because other hosts are aligned to it.
/// Cost: little, for all of these functions.

/// Returns the clock that the choice sets for the host; nullptr if it sets none, so that the host is aligned by what relations find.
const ClockOverride* givenOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host);

/// Returns the single line from the host's clock to the reference's: the choice's line, else the computed line, else the identity.
ClockLine lineOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host);
/// Returns the host's offset, in ns; above 0 if its clock is behind.
Duration offsetOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host);

/// Sets the clock so that it showed `at` when the reference's clock showed `is`. The drift stays.
ClockSettings withMoment(const Timeline& timeline, ClockSettings choice, std::uint32_t host, HostTimestamp at, Timestamp is);
/// Sets the offset in the middle of the host's traces. The drift stays.
ClockSettings withOffset(const Timeline& timeline, ClockSettings choice, std::uint32_t host, Duration offset);
/// Moves all times of the host later by `later`, for example when the user drags the host.
ClockSettings shifted(const Timeline& timeline, ClockSettings choice, std::uint32_t host, Duration later);
/// Sets the gain: how much more the reference's clock advances while the host's clock advances by 1 (ClockLine::gain). The offset stays.
ClockSettings withGain(const Timeline& timeline, ClockSettings choice, std::uint32_t host, std::int64_t gain);
/// Keeps the host's times as they were recorded.
ClockSettings withRawTimes(const Timeline& timeline, ClockSettings choice, std::uint32_t host);
/// Removes the choice for the host, so that it is aligned by what relations find.
ClockSettings withoutClockOverride(const Timeline& timeline, ClockSettings choice, std::uint32_t host);

/// Makes `host` the reference host, so that all times are on its clock. Clocks set by hand keep their offsets to each other.
ClockSettings withReference(const Timeline& timeline, ClockSettings choice, std::uint32_t host);

/// Adds all settings of `more`, for example read from a file. Its clocks are relative to its own reference host. Hosts that the timeline
/// does not have are left out. If its reference is not in the timeline, the clocks are converted to one of its hosts that is.
/// Errors: NotFound, with the names of the hosts, if none of them is in the timeline.
Result<ClockSettings> withAll(const Timeline& timeline, ClockSettings choice, const ClockSettings& more);

/// Converts `more` to the clock of a host that the timeline has, preferably the timeline's reference. Returns `more` unchanged if its own
/// reference is in the timeline; nullopt if it relates no host of the timeline.
std::optional<ClockSettings> onAvailableClock(const Timeline& timeline, const ClockSettings& more);

/// Converts a time of `from` to `timeline`, which has the same traces but maybe another reference host. Uses the clock of `timeline`'s
/// reference. Returns `at` unchanged if both have the same reference.
Timestamp convertTimeBetween(const Timeline& timeline, const Timeline& from, Timestamp at);

} // namespace helio
