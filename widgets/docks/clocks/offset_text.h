#pragma once

#include "core/base/time.h"

#include <QString>

#include <optional>

namespace helio {

/// Parses a time difference, e.g. "-0.387 s", "12 ms", "+4.412 118 3", "1500ns"; without a unit in seconds. Rounded to ns. Empty if it is
/// not a number or its absolute value is more than 73 years.
std::optional<Duration> parseOffset(const QString& text);

/// Returns seconds with a sign, e.g. "+4.412 118 3", or "0". Digits are limited to what `error` makes meaningful, in groups of three with
/// thin spaces. `error`: Duration::max() if unknown, 0 for all digits.
QString secondsText(Duration offset, Duration error = {});

/// Parses a drift in ppm, e.g. "-11.82", and returns it as a gain, see ClockLine. Empty if it is not a number or more than 1 in 10.
std::optional<std::int64_t> parseDrift(const QString& ppm);
/// Returns e.g. "+3.107" with four digits, or "0".
QString ppmText(double ppm);

} // namespace helio
