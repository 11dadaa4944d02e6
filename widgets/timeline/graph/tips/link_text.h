#pragma once

#include "core/timesync/link_times.h"

#include <QString>

namespace helio {

// What there is to say of an arrow's ends and times, for tooltips and Details.

/// "apache2 1184"; with several hosts "apache2 1184 on web". Where nobody knows who it was "CPU 0 on web", "web".
QString linkEndText(const Timeline& timeline, TrackRef end, std::uint32_t host);

/// "290 µs ±64 µs"; "−5 µs" of one that goes back; "290 µs ± ?" where nobody knows how sure that is. Of one between clocks that nothing
/// relates: no length, as it would mean nothing.
QString linkLength(const LinkTimes& times);

/// " ±64 µs"; empty where that is nothing but rounding, or not known.
QString plusMinus(Duration error);

/// Why it goes back in time, in a sentence, or that nothing relates the clocks of its ends. Empty: neither.
QString linkDoubt(const Timeline& timeline, const LinkTimes& times);

} // namespace helio
