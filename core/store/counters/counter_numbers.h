#pragma once

#include "core/store/counters.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace helio {

/// True if the value `a` of a series is less than `b`.
inline bool isLess(CounterValue a, CounterValue b, CounterNumber number)
{
    return number == CounterNumber::Integer ? a.integer() < b.integer() : a.real() < b.real();
}
inline CounterValue lesser(CounterValue a, CounterValue b, CounterNumber number) { return isLess(b, a, number) ? b : a; }
inline CounterValue greater(CounterValue a, CounterValue b, CounterNumber number) { return isLess(a, b, number) ? b : a; }

inline bool isFinite(CounterValue value, CounterNumber number) { return number == CounterNumber::Integer || std::isfinite(value.real()); }

inline CounterValue numberOf(std::int64_t value, CounterNumber number)
{
    return number == CounterNumber::Integer ? CounterValue::fromInteger(value) : CounterValue::fromReal(static_cast<double>(value));
}
/// Returns the value of the series' type that is nearest to the double; nullopt if the double is not finite.
inline std::optional<CounterValue> numberOf(double value, CounterNumber number)
{
    if (!std::isfinite(value))
        return {};
    if (number == CounterNumber::Real)
        return CounterValue::fromReal(value + 0.0); // The addition turns -0 into 0, so that equal values have equal bits.
    constexpr double Limit = 0x1p63; // The lowest positive double that does not fit into an integer.
    const double nearest = std::round(value);
    return CounterValue::fromInteger(nearest >= Limit ? INT64_MAX : nearest < -Limit ? INT64_MIN : static_cast<std::int64_t>(nearest));
}

/// Returns the integral of a constant value over a time range. The unit of time is 2^63 ns: ranges are shorter than 1 in this unit, so the
/// result is never greater than the value and cannot overflow.
inline double integralOf(CounterValue value, HostTimestamp from, HostTimestamp to, CounterNumber number)
{
    return value.number(number) * (static_cast<double>((to - from).count()) * 0x1p-63);
}

} // namespace helio
