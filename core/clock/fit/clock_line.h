#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace helio {

/// Linear relation of two clocks that run evenly: the other clock shows `is` when this clock shows `at`, and its rate is 1 + gain / PerOne.
struct ClockLine {
    static constexpr std::int64_t PerOne = 1'000'000'000'000'000'000; ///< Number that stands for a gain of 1.0 in `gain`.

    HostTimestamp at{};
    Timestamp is{};
    std::int64_t gain = 0; ///< Rate of the other clock relative to this clock, minus 1, in 10^-18; may be negative.

    /// Converts a time of this clock to the other clock, rounded to the nearest ns; saturates.
    Timestamp operator()(HostTimestamp t) const;
    /// Returns the rate of the other clock relative to this clock, with 20 decimal places, for example "0.99995030000000000000".
    std::string rate() const;
    double driftPpm() const { return static_cast<double>(gain) * 1e-12; }
    /// Returns the other clock's time when this clock shows 0, rounded to the nearest ns. With rate() it describes the whole line.
    std::int64_t offsetAtZero() const;

    bool operator==(const ClockLine&) const = default;
};

/// Parses a decimal rate such as "0.9999503" (no exponent), rounded to 18 decimal places. Returns the gain; nullopt if `digits` is not a
/// decimal number, or if the rate is out of range for clocks (half to twice the speed).
std::optional<std::int64_t> parseRate(std::string_view digits);

/// Returns the composition of two lines: from the clock of `first` to the clock that `second` converts to.
ClockLine composed(const ClockLine& first, const ClockLine& second);
ClockLine inverse(const ClockLine& line);

} // namespace helio
