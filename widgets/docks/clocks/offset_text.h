#pragma once

#include "core/base/time.h"

#include <QString>

#include <optional>

namespace helio {

/// A difference of times as a person writes it: "-0.387 s", "12 ms", "+4.412 118 3", "1500ns"; without a unit it is seconds. To the nearest
/// ns. Nothing: it is none, or longer than times can be apart (73 years).
std::optional<Duration> offsetFrom(const QString& text);

/// "+4.412 118 3": seconds with a sign, "0" without one; so many digits behind the point as far as `error` allows to say, in groups of
/// three parted by thin spaces. Duration::max(): it is not known; no error: all digits that there are.
QString secondsText(Duration offset, Duration error = {});

/// A drift in ppm, "-11.82": as a gain (ClockLine). Nothing: it is none, or more than 1 in 10.
std::optional<std::int64_t> gainFrom(const QString& ppm);
/// "+3.107", four digits; "0".
QString ppmText(double ppm);

} // namespace helio
