#include "core/clock/fit/clock_line.h"

#include <algorithm>
#include <limits>

namespace helio {
namespace {

__extension__ using Int128 = __int128;

/// Returns value / by, rounded to the nearest integer.
Int128 rounded(Int128 value, std::int64_t by) { return (value >= 0 ? value + by / 2 : value - by / 2) / by; }

std::int64_t saturated(Int128 value)
{
    using Limits = std::numeric_limits<std::int64_t>;
    return static_cast<std::int64_t>(std::clamp<Int128>(value, Limits::min(), Limits::max()));
}

} // namespace

Timestamp ClockLine::operator()(HostTimestamp t) const
{
    const Int128 passed = Int128(nanoseconds(t)) - nanoseconds(at);
    return timestamp(saturated(nanoseconds(is) + passed + rounded(passed * gain, PerOne)));
}

std::string ClockLine::rate() const
{
    const Int128 rate = std::max<Int128>(Int128(PerOne) + gain, 0);
    std::string digits = std::to_string(static_cast<std::int64_t>(rate % PerOne));
    digits.insert(0, 18 - digits.size(), '0');
    return std::to_string(static_cast<std::int64_t>(rate / PerOne)) + '.' + digits + "00";
}

std::int64_t ClockLine::offsetAtZero() const
{
    const Int128 passed = nanoseconds(at);
    return saturated(nanoseconds(is) - passed - rounded(passed * gain, PerOne));
}

std::optional<std::int64_t> parseRate(std::string_view digits)
{
    const auto point = std::min(digits.find('.'), digits.size());
    const std::string_view whole = digits.substr(0, point);
    const std::string_view fraction = digits.substr(std::min(point + 1, digits.size()));
    if ((whole != "0" && whole != "1") || !std::ranges::all_of(fraction, [](char c) { return c >= '0' && c <= '9'; }))
        return {};
    std::int64_t rate = whole == "1" ? ClockLine::PerOne : 0;
    std::int64_t unit = ClockLine::PerOne;
    for (std::size_t i = 0; i < fraction.size() && unit >= 10; ++i)
        rate += (fraction[i] - '0') * (unit /= 10);
    constexpr std::size_t Digits = 18;
    if (fraction.size() > Digits && fraction[Digits] >= '5')
        ++rate;
    if (rate < ClockLine::PerOne / 2)
        return {};
    return rate - ClockLine::PerOne;
}

ClockLine composed(const ClockLine& first, const ClockLine& second)
{
    const HostTimestamp between = hostTime(nanoseconds(first.is));
    const Int128 both = Int128(first.gain) * second.gain;
    return {first.at, second(between), saturated(Int128(first.gain) + second.gain + rounded(both, ClockLine::PerOne))};
}

ClockLine inverse(const ClockLine& line)
{
    const Int128 one = ClockLine::PerOne;
    const Int128 slowest = one / 8; // Lower limit of rates, far below that of any real clock; it keeps the inverse rate representable.
    const Int128 rate = std::clamp<Int128>(one + line.gain, slowest, std::numeric_limits<std::int64_t>::max());
    return {hostTime(nanoseconds(line.is)), timestamp(nanoseconds(line.at)),
            static_cast<std::int64_t>(rounded((one - rate) * one, static_cast<std::int64_t>(rate)))};
}

} // namespace helio
