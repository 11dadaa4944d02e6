#pragma once

#include "core/timesync/host_clocks.h"
#include "widgets/time/time_format.h"

#include <QString>

namespace helio {

/// Returns how the host's clock is aligned, in a word for a table: "packets", "by hand", "reference", "raw".
QString methodText(const Timeline& timeline, const HostClockFacts& clock);

/// Returns two or three sentences: why the clock is aligned so, how certain that is and what limits it; or what is missing and what to do.
QString clockReason(const Timeline& timeline, const HostClockFacts& clock, const TimeFormat& format);

/// Returns e.g. "±18 µs"; "± ?" if unknown, "–" if there can be no error.
QString errorText(const HostClockFacts& clock);

} // namespace helio
