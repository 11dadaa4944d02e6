#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace helio {

/// Correlation of two clocks that run evenly: the other clock shows `is` when this clock shows `at`, and runs faster by `gain`.
struct ClockLine {
    static constexpr std::int64_t PerOne = 1'000'000'000'000'000'000; ///< Scale of `gain`: the value of 1.0.

    HostTimestamp at{};
    Timestamp is{};
    std::int64_t gain = 0; ///< Gain of the other clock while this clock advances by 1, in 10^-18; may be negative.

    /// Converts a time of this clock to the other clock, rounded to the nearest ns; saturates.
    Timestamp operator()(HostTimestamp t) const;
    /// Rate of the other clock with 20 digits after the point: "0.99995030000000000000".
    std::string rate() const;
    double driftPpm() const { return static_cast<double>(gain) * 1e-12; }
    /// Time of the other clock when this clock shows 0, to the nearest ns. Together with rate() it describes the whole line.
    std::int64_t offsetAtZero() const;

    bool operator==(const ClockLine&) const = default;
};

/// Returns the gain of a decimal rate such as "0.9999503" (no exponent), rounded to 18 digits after the point. nullopt if `digits` is not a
/// decimal number, or if clocks cannot differ that much (twice or half the speed).
std::optional<std::int64_t> parseRate(std::string_view digits);

/// Returns the line from the clock of `first` to the clock that `second` leads to.
ClockLine composed(const ClockLine& first, const ClockLine& second);
ClockLine inverse(const ClockLine& line);

} // namespace helio
