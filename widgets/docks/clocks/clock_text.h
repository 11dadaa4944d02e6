#pragma once

#include "core/timesync/host_clocks.h"
#include "widgets/time/time_format.h"

#include <QString>

namespace helio {

/// Returns how the clock of a host is aligned, in one or two words for a table: "packets", "by hand", "reference", "raw".
QString methodText(const Timeline& timeline, const HostClockFacts& clock);

/// Explains the alignment of a clock in two or three sentences: why it was chosen, how certain it is and what limits it; or what is missing
/// and what to do.
QString clockReason(const Timeline& timeline, const HostClockFacts& clock, const TimeFormat& format);

/// Returns the error bound of a clock, e.g. "±18 µs"; "± ?" if unknown, "–" if the clock cannot have an error: the reference clock, or a
/// clock that the user set exactly.
QString errorText(const HostClockFacts& clock);

} // namespace helio
