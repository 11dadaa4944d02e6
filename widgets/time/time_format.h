#pragma once

#include "core/base/time.h"
#include "widgets/time/time_scale.h"

#include <QString>

#include <vector>

namespace helio {

/// How moments are written.
struct TimeFormat {
    enum class Mode { Local, Utc, Relative };

    Mode mode = Mode::Local;
    Timestamp origin{}; ///< What Relative counts from; also the day that clocks without an epoch lack.
    bool hasEpoch = true; ///< False: times are not since 1970, so only Relative and plain seconds make sense.
    QString originText = {}; ///< What Relative counts from, in words: "the start" where it is empty.
    bool operator==(const TimeFormat&) const = default;
};

/// Digits behind the second that a pixel of this length deserves: 0, 3, 6 or 9.
int digitsFor(Duration pixel);

/// "14:02:11.213 210", or "+1.204 000 s" where times are relative. Digits in groups of three parted by thin spaces.
QString timeText(Timestamp at, const TimeFormat& format, int digits = 9);

/// The part that changes inside a second: ".217 930"; for the flag at the cursor.
QString shortTimeText(Timestamp at, const TimeFormat& format, int digits);

/// "14:02:11.204 000 – .228 000": what both ends share is said once.
QString rangeText(TimeRange range, const TimeFormat& format, int digits);

/// "6.102 ms": the unit that leaves one to three digits before the point, three behind. "0 s", "-" as U+2212.
QString durationText(Duration d);

/// "≥6.102 ms", of what lasted that long or longer: never more than is known.
QString atLeastText(Duration d);

/// A count with thousands parted by thin spaces.
QString countText(qint64 n);

/// "Fri 21 Nov 2026" and "UTC+1"; for relative times "from the start" and nothing.
QString dateText(Timestamp at, const TimeFormat& format);
QString zoneText(Timestamp at, const TimeFormat& format);

/// One mark of the ruler.
struct Tick {
    Timestamp at;
    bool isMajor = false;
    QString label; ///< Of major ticks.
    bool operator==(const Tick&) const = default;
};

/// The ruler's marks and what their labels leave out.
struct Ticks {
    std::vector<Tick> ticks; ///< In time order; from one major tick before the window to one after it.
    QString prefix; ///< "14:02:11"
    Duration step{}; ///< Between major ticks.
};

/// Major ticks at least `spacing` pixels apart, at round times of the format's clock.
Ticks ticksFor(const TimeScale& scale, const TimeFormat& format, double spacing = 92);

} // namespace helio
