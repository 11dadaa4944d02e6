#pragma once

#include "core/base/time.h"

#include <QString>

#include <optional>

namespace helio {

/// Parses a time difference, e.g. "-0.387 s", "12 ms", "+4.412 118 3", "1500ns". A number without a unit is in seconds. The result is
/// rounded to ns; nullopt if the text is not a number or its absolute value exceeds 73 years.
std::optional<Duration> parseOffset(const QString& text);

/// Formats an offset as seconds with a sign, e.g. "+4.412 118 3", or "0", in groups of three digits with thin spaces. The number of digits
/// depends on `error`, the error bound: Duration::max() if unknown, 0 for all digits.
QString secondsText(Duration offset, Duration error = {});

/// Parses a drift in ppm, e.g. "-11.82", and returns it as a gain (see ClockLine); nullopt if the text is not a number or its absolute
/// value exceeds 100,000 ppm.
std::optional<std::int64_t> parseDrift(const QString& ppm);
/// Formats a drift in ppm with a sign and four digits, e.g. "+3.107"; "0" if it is 0.
QString ppmText(double ppm);

} // namespace helio
