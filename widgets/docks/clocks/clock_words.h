#pragma once

#include "core/timesync/host_clocks.h"
#include "widgets/time/time_format.h"

#include <QString>

namespace helio {

/// How its clock is related, in a word for a table: "packets", "by hand", "reference", "raw".
QString methodWord(const Timeline& timeline, const HostClockFacts& clock);

/// Why its clock is where it is, how sure that is and what decides it; else what is missing, and what can be done. Two or three sentences.
QString clockReason(const Timeline& timeline, const HostClockFacts& clock, const TimeFormat& format);

/// "±18 µs"; "± ?" where it is not known, "–" where there is nothing to be wrong about.
QString errorText(const HostClockFacts& clock);

} // namespace helio
