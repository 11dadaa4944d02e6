#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace helio {

/// A time as people write it, before it is known what it is counted from.
struct TimeText {
    enum class Kind {
        Absolute, ///< "1416241234567890123": ns on the experiment's clock.
        FromStart, ///< "+1.5s": after the experiment's first event.
        OfDay, ///< "12:34:56.789012345": local time, the first such moment at or after the first event.
    };
    Kind kind = Kind::Absolute;
    std::int64_t value = 0; ///< ns; of OfDay: since midnight.
    bool operator==(const TimeText&) const = default;
};

/// "10us", "1.5s", "2min", "3h" in ns, exactly; digits beyond a nanosecond are cut. None where it is no duration or does not fit. As
/// windows write it, too: "1.204 000 s" with spaces between groups of digits, a blank before the unit, U+2212 as a sign.
std::optional<std::int64_t> parseDuration(std::string_view text);

/// Any of the three notations; digits may be in groups of three with thin, unbreakable or ordinary spaces between them. A moment of a clock
/// without an epoch is also read as windows write it: "12345.678901234 s", with nine digits behind the point. The error says which
/// notations there are.
Result<TimeText> parseTime(std::string_view text);

/// The moment that is meant in an experiment that begins at `begin`. Local time is what the TZ variable or the system says.
Timestamp resolve(TimeText time, Timestamp begin);

} // namespace helio
