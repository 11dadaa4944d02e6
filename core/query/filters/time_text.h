#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace helio {

/// A time as the user wrote it. Its meaning depends on the experiment's start; see resolve().
struct TimeText {
    enum class Kind {
        Absolute, ///< A time in ns on the experiment's clock: "1416241234567890123".
        FromStart, ///< A time relative to the experiment's first event: "+1.5s".
        OfDay, ///< A local time of day, "12:34:56.789012345": its first occurrence at or after the experiment's first event.
    };
    Kind kind = Kind::Absolute;
    /// Time in ns: since the clock's origin (Absolute), since the first event (FromStart) or since midnight (OfDay).
    std::int64_t value = 0;
    bool operator==(const TimeText&) const = default;
};

/// Parses a duration such as "10us", "1.5s", "2min" or "3h" and returns it in ns. Digits below a nanosecond are cut off. Returns nullopt if
/// the text is not a duration or overflows. Also accepts the window's format "1.204 000 s": spaces between groups of digits and before the
/// unit, U+2212 as minus sign.
std::optional<std::int64_t> parseDuration(std::string_view text);

/// Parses a time in any of the three notations of TimeText. Digits may be in groups of three, separated by thin, no-break or ordinary
/// spaces. Also accepts the window's format for clocks without an epoch: "12345.678901234 s", with nine decimals.
/// Errors: the text lists the notations.
Result<TimeText> parseTime(std::string_view text);

/// A time or a time range as the user wrote it, or the first error in it.
struct TimesText {
    std::optional<TimeText> begin; ///< The time, or the start of the range; nullopt after an error.
    std::optional<TimeText> end; ///< End of the range; nullopt if the text is a single time.
    std::string problem; ///< Description of the error, without a full stop; empty if there is none.
    std::size_t problemAt = 0; ///< Offset of the error in the text, in bytes.
};

/// Parses a time, or a range "T1 .. T2" of two times in any notation of TimeText. A unit at the end of the range applies to both times:
/// "+2.0 .. +2.05 s". Also accepts the window's format of ranges, "14:02:11.204 000 – .228 000". In this format, the end omits the leading
/// digits that are equal to the digits of the start.
TimesText parseTimes(std::string_view text);

/// Converts a time that the user wrote to a timestamp of an experiment that begins at `begin`. Local time follows the TZ variable or the
/// system's time zone.
Timestamp resolve(TimeText time, Timestamp begin);

} // namespace helio
