#pragma once

#include "core/base/time.h"
#include "widgets/time/time_scale.h"

#include <QString>

#include <vector>

namespace helio {

/// Format of times in texts.
struct TimeFormat {
    enum class Mode { Local, Utc, Relative };

    Mode mode = Mode::Local;
    Timestamp origin{}; ///< Zero of Relative times; also the day for clocks without an epoch.
    bool hasEpoch = true; ///< False: times do not count from 1970, so only Relative and plain seconds make sense.
    QString originText = {}; ///< Name of the origin in texts; if it is empty, "the start".
    bool operator==(const TimeFormat&) const = default;
};

/// Number of digits after the decimal point of seconds for pixels of this duration: 0, 3, 6 or 9.
int digitsFor(Duration pixel);

/// E.g. "14:02:11.213 210", or "+1.204 000 s" for relative times. Thin spaces separate groups of three digits.
QString timeText(Timestamp at, const TimeFormat& format, int digits = 9);

/// The part that changes within a second, e.g. ".217 930", for the flag at the cursor.
QString shortTimeText(Timestamp at, const TimeFormat& format, int digits);

/// E.g. "14:02:11.204 000 – .228 000": the common part of both ends is written once.
QString rangeText(TimeRange range, const TimeFormat& format, int digits);

/// E.g. "6.102 ms": in the unit that leaves one to three digits before the decimal point, with three digits after it. "0 s" for zero; minus
/// is U+2212.
QString durationText(Duration d);

/// E.g. "≥6.102 ms", for something that lasted at least `d`. Rounded down, so that the text never claims too much.
QString atLeastText(Duration d);

/// A count with thin spaces between thousands.
QString countText(qint64 n);

/// Date, e.g. "Fri 21 Nov 2026", and zone, e.g. "UTC+1"; for relative times "from the start" and an empty zone.
QString dateText(Timestamp at, const TimeFormat& format);
QString zoneText(Timestamp at, const TimeFormat& format);

/// A tick of the ruler.
struct Tick {
    Timestamp at;
    bool isMajor = false;
    QString label; ///< Empty for minor ticks.
    bool operator==(const Tick&) const = default;
};

/// Ticks of the ruler, and the common part that their labels leave out.
struct Ticks {
    std::vector<Tick> ticks; ///< In time order, from one major tick before the window to one major tick after it.
    QString prefix; ///< Common part of all labels, e.g. "14:02:11".
    Duration step{}; ///< Time between major ticks.
};

/// Makes ticks at round times of the format's clock, major ticks at least `spacing` pixels apart.
Ticks ticksFor(const TimeScale& scale, const TimeFormat& format, double spacing = 92);

} // namespace helio
