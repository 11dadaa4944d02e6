#pragma once

#include "core/base/time.h"
#include "widgets/time/time_scale.h"

#include <QString>

#include <vector>

namespace helio {

/// Choice of how times are written: as local time, as UTC, or relative to `origin`.
struct TimeFormat {
    enum class Mode { Local, Utc, Relative };

    Mode mode = Mode::Local;
    Timestamp origin{}; ///< Zero of Relative times.
    bool hasEpoch = true; ///< False if the clock does not count from 1970, so that only Relative and plain seconds are meaningful.
    QString originText = {}; ///< Name of the origin in texts; "the start" if empty.
    bool operator==(const TimeFormat&) const = default;
};

/// Returns the number of digits after the decimal point of seconds, for pixels of this duration: 0, 3, 6 or 9.
int digitsFor(Duration pixel);

/// Formats a time, e.g. "14:02:11.213 210", or "+1.204 000 s" for relative times. Thin spaces separate groups of three digits.
QString timeText(Timestamp at, const TimeFormat& format, int digits = 9);

/// Formats only the part of a time that changes within a second, e.g. ".217 930", for the flag at the cursor.
QString shortTimeText(Timestamp at, const TimeFormat& format, int digits);

/// Formats a range, e.g. "14:02:11.204 000 – .228 000": the common part of both ends is written once.
QString rangeText(TimeRange range, const TimeFormat& format, int digits);

/// Formats a duration, e.g. "6.102 ms", in the unit with one to three digits before the decimal point, and with three digits after it;
/// from two minutes on, e.g. "39 min 47.6 s" or "2 h 13 min 20 s". "0 s" for zero; the minus sign is U+2212.
QString durationText(Duration d);

/// Formats a minimum duration, e.g. "≥6.102 ms". Rounded down, so that the text is never too high.
QString atLeastText(Duration d);

/// Formats a count with thin spaces between thousands.
QString countText(qint64 n);

/// Returns the date, e.g. "Fri 21 Nov 2026", and the zone, e.g. "UTC+1". For relative times, "from the start" and an empty zone.
QString dateText(Timestamp at, const TimeFormat& format);
QString zoneText(Timestamp at, const TimeFormat& format);

/// Tick of the ruler.
struct Tick {
    Timestamp at;
    bool isMajor = false;
    QString label; ///< Label of a major tick; empty for minor ticks.
    bool operator==(const Tick&) const = default;
};

/// Ticks of the ruler, and the common part of their labels.
struct Ticks {
    std::vector<Tick> ticks; ///< Ticks in time order, from one major tick before the window to one major tick after it.
    QString prefix; ///< Common part of all labels, which the labels omit, e.g. "14:02:11".
    Duration step{}; ///< Time between two major ticks.
};

/// Makes ticks at round times of the format's clock. Major ticks are at least `spacing` pixels apart.
Ticks ticksFor(const TimeScale& scale, const TimeFormat& format, double spacing = 92);

} // namespace helio
