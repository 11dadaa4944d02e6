#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace helio {

/// A clock that runs evenly beside another: `is` on the other one where it shows `at`, and faster or slower by a share.
struct ClockLine {
    static constexpr std::int64_t PerOne = 1'000'000'000'000'000'000; ///< Of `gain`.

    HostTimestamp at{};
    Timestamp is{};
    std::int64_t gain = 0; ///< What the other one goes on more while this one goes on by 1, in 10^-18.

    /// Rounded to the nearest ns, where it does not saturate.
    Timestamp operator()(HostTimestamp t) const;
    /// "0.99995030000000000000": 20 digits.
    std::string rate() const;
    double driftPpm() const { return static_cast<double>(gain) * 1e-12; }
    /// What its time is on the other clock where it shows 0 itself; with rate() that is the whole line. To the nearest ns.
    std::int64_t offsetAtZero() const;

    bool operator==(const ClockLine&) const = default;
};

/// The gain of a rate in digits, "0.9999503" or "1.0000497e0" not: what is beyond 18 digits is rounded. Nothing: it is no number, or
/// clocks cannot be so far apart (twice the speed, or half).
std::optional<std::int64_t> gainOfRate(std::string_view digits);

/// From a clock to a second one, and from that to a third.
ClockLine composed(const ClockLine& first, const ClockLine& second);
ClockLine inverse(const ClockLine& line);

} // namespace helio
