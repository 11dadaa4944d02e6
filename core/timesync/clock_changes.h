#pragma once

#include "core/base/result.h"
#include "core/experiment/timeline.h"

#include <cstdint>

namespace helio {

/// Changes that the user can make to the clocks of an experiment. Each function receives the current clock settings (`choice`) and returns
/// the changed settings for Experiment::setClocks(). A host is passed as an index into Timeline::hosts; the settings store its id.
///
/// Clocks that the settings do not contain are taken from the timeline. The timeline may still be aligned by older settings, but must
/// have the same reference host. The offset of a host is the reference's time minus the host's time, in the middle of the host's traces; it
/// is positive if the host's clock is behind. A change of the reference host's own clock returns the settings unchanged, because the other
/// hosts are aligned to this clock.
/// Cost: negligible for each of the functions.

/// Returns the clock that the choice sets for the host; nullptr if the host is aligned by the messages that correlators found.
const ClockOverride* givenOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host);

/// Returns one straight line from the host's clock to the reference's clock: the line set in `choice`; if none is set, the line computed
/// from messages; else the identity.
ClockLine lineOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host);
/// Returns the host's offset in ns; positive if the host's clock is behind.
Duration offsetOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host);

/// Moves the host's clock so that the time `at` of the host becomes the time `is` of the reference's clock. The drift stays.
ClockSettings withMoment(const Timeline& timeline, ClockSettings choice, std::uint32_t host, HostTimestamp at, Timestamp is);
/// Sets the offset in the middle of the host's traces. The drift stays.
ClockSettings withOffset(const Timeline& timeline, ClockSettings choice, std::uint32_t host, Duration offset);
/// Moves all times of the host by `later`, for example when the user drags the host's rows.
ClockSettings shifted(const Timeline& timeline, ClockSettings choice, std::uint32_t host, Duration later);
/// Sets the gain (ClockLine::gain): the additional time that passes on the reference's clock while 1 passes on the host's clock. The offset
/// stays.
ClockSettings withGain(const Timeline& timeline, ClockSettings choice, std::uint32_t host, std::int64_t gain);
/// Sets the host's clock so that the host's times are shown as they were recorded, without any correction.
ClockSettings withRawTimes(const Timeline& timeline, ClockSettings choice, std::uint32_t host);
/// Removes the clock that `choice` sets for the host, so that the host is aligned by the messages that correlators found.
ClockSettings withoutClockOverride(const Timeline& timeline, ClockSettings choice, std::uint32_t host);

/// Makes `host` the reference host: all times are then on the clock of `host`. Clocks set by hand keep their offsets to each other.
ClockSettings withReference(const Timeline& timeline, ClockSettings choice, std::uint32_t host);

/// Adds all settings of `more`, for example settings from a file. The clocks in `more` are relative to the reference host of `more`; if the
/// timeline does not have this host, they are converted to a host that it has. Settings for hosts outside the timeline are ignored.
/// Errors: NotFound, with the names of the hosts, if the timeline has none of the hosts of `more`.
Result<ClockSettings> withAll(const Timeline& timeline, ClockSettings choice, const ClockSettings& more);

/// Converts `more` so that its clocks are relative to a host of the timeline, preferably the timeline's reference. Returns `more` unchanged
/// if its own reference is in the timeline. Returns nullopt if `more` has no usable setting for a host of the timeline.
std::optional<ClockSettings> onAvailableClock(const Timeline& timeline, const ClockSettings& more);

/// Converts the time `at` of the timeline `from` to a time of `timeline`. Both timelines have the same traces, but may have different
/// reference hosts; the result is a time on the clock of the reference host of `timeline`. Returns `at` unchanged if both have the same
/// reference host.
Timestamp convertTimeBetween(const Timeline& timeline, const Timeline& from, Timestamp at);

} // namespace helio
