#pragma once

#include "core/timesync/link_times.h"

#include <QString>

namespace helio {

// Texts about the ends and times of an arrow, for tooltips and Details.

/// Name of an end: "apache2 1184"; with several hosts "apache2 1184 on web". If the thread is unknown, "CPU 0 on web" or "web".
QString linkEndText(const Timeline& timeline, TrackRef end, std::uint32_t host);

/// Duration of a link: "290 µs ±64 µs"; "−5 µs" if it goes back in time; "290 µs ± ?" if the error bound is unknown. Empty if the clocks
/// are not related, as a duration has no meaning then.
QString linkDurationText(const LinkTimes& times);

/// Error bound: " ±64 µs"; empty if it is only rounding, or unknown.
QString plusMinus(Duration error);

/// Explains in a sentence why a link goes back in time, or that the clocks of its ends are not related; empty if neither applies.
QString linkDoubtText(const Timeline& timeline, const LinkTimes& times);

} // namespace helio
