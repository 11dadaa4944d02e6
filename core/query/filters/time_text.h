#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace helio {

/// A time as the user writes it, before its origin is known.
struct TimeText {
    enum class Kind {
        Absolute, ///< "1416241234567890123": ns on the experiment's clock.
        FromStart, ///< "+1.5s": after the experiment's first event.
        OfDay, ///< "12:34:56.789012345": local time, the first such moment at or after the first event.
    };
    Kind kind = Kind::Absolute;
    std::int64_t value = 0; ///< In ns; for OfDay, since midnight.
    bool operator==(const TimeText&) const = default;
};

/// Parses "10us", "1.5s", "2min" or "3h" into ns, exactly; digits beyond a nanosecond are cut. nullopt if the text is no duration or does
/// not fit. Also accepts the format of the window: "1.204 000 s" with spaces between groups of digits, a space before the unit, U+2212 as
/// minus sign.
std::optional<std::int64_t> parseDuration(std::string_view text);

/// Parses a time in any of the three notations. Digits may be in groups of three, separated by thin, unbreakable or ordinary spaces. Also
/// accepts the format of the window for clocks without an epoch: "12345.678901234 s", with nine digits behind the point.
/// Errors: the text lists the notations.
Result<TimeText> parseTime(std::string_view text);

/// Returns the moment that a time means in an experiment that begins at `begin`. Local time follows the TZ variable or the system.
Timestamp resolve(TimeText time, Timestamp begin);

} // namespace helio
