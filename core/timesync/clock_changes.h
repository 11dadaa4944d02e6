#pragma once

#include "core/base/result.h"
#include "core/experiment/timeline.h"

#include <cstdint>

namespace helio {

/// Changes that the user can make to the clocks of an experiment. Each function accepts the current choice of clock settings and returns
/// the changed choice, for Experiment::setClocks(). A host is given as an index into Timeline::hosts and stored in the choice by its id.
///
/// The timeline supplies the clocks that the choice does not set. Except for the reference host, the timeline need not be aligned by the
/// choice yet. The offset of a host is the reference's time minus the host's time, in the middle of the host's traces; it is positive if
/// the host's clock is behind. Changes of the reference host's own clock return the choice unchanged, because other hosts are aligned to
/// this clock.
/// Cost: little, for all of these functions.

/// Returns the clock that the choice sets for the host; nullptr if the host is aligned by the messages that correlators found.
const ClockOverride* givenOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host);

/// Returns the single line from the host's clock to the reference's clock: the choice's line, else the computed line, else the identity.
ClockLine lineOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host);
/// Returns the host's offset in ns; positive if the host's clock is behind.
Duration offsetOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host);

/// Sets the host's clock so that it showed `at` when the reference's clock showed `is`. The drift stays.
ClockSettings withMoment(const Timeline& timeline, ClockSettings choice, std::uint32_t host, HostTimestamp at, Timestamp is);
/// Sets the offset in the middle of the host's traces. The drift stays.
ClockSettings withOffset(const Timeline& timeline, ClockSettings choice, std::uint32_t host, Duration offset);
/// Moves all times of the host by `later`, for example when the user drags the host's rows.
ClockSettings shifted(const Timeline& timeline, ClockSettings choice, std::uint32_t host, Duration later);
/// Sets the gain (ClockLine::gain): the additional time that passes on the reference's clock while 1 passes on the host's clock. The offset
/// stays.
ClockSettings withGain(const Timeline& timeline, ClockSettings choice, std::uint32_t host, std::int64_t gain);
/// Keeps the host's times as they were recorded.
ClockSettings withRawTimes(const Timeline& timeline, ClockSettings choice, std::uint32_t host);
/// Removes the choice for the host, so that the host is aligned by the messages that correlators found.
ClockSettings withoutClockOverride(const Timeline& timeline, ClockSettings choice, std::uint32_t host);

/// Makes `host` the reference host: all times are then on the clock of `host`. Clocks set by hand keep their offsets to each other.
ClockSettings withReference(const Timeline& timeline, ClockSettings choice, std::uint32_t host);

/// Adds all settings of `more`, for example settings from a file. The clocks in `more` are relative to the reference host of `more`; if the
/// timeline does not have this host, they are converted to a host that it has. Settings for hosts outside the timeline are ignored.
/// Errors: NotFound, with the names of the hosts, if the timeline has none of the hosts of `more`.
Result<ClockSettings> withAll(const Timeline& timeline, ClockSettings choice, const ClockSettings& more);

/// Converts `more` to the clock of a host in the timeline, preferably the timeline's reference. Returns `more` unchanged if its own
/// reference is in the timeline; nullopt if `more` relates no host of the timeline.
std::optional<ClockSettings> onAvailableClock(const Timeline& timeline, const ClockSettings& more);

/// Converts a time of timeline `from` to `timeline`, which has the same traces but may have another reference host, by the clock of the
/// reference host of `timeline`. Returns `at` unchanged if both timelines have the same reference.
Timestamp convertTimeBetween(const Timeline& timeline, const Timeline& from, Timestamp at);

} // namespace helio
