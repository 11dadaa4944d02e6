#pragma once

#include "core/base/time.h"
#include "tests/support/dice.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace helio::test {

/// Random time ranges of all sizes. Many begin or end exactly at the time of an event, because mistakes are likely there.
class RandomWindows {
public:
    RandomWindows(std::vector<std::int64_t> times, std::uint64_t seed)
        : m_times(std::move(times))
        , m_dice(seed)
    {
    }

    std::int64_t place()
    {
        if (m_times.empty() || m_dice.below(8) == 0)
            return std::array<std::int64_t, 4>{INT64_MIN, INT64_MAX, 0, 1'500'000'000'000'000'000}[m_dice.below(4)];
        return m_times[m_dice.below(m_times.size())] + static_cast<std::int64_t>(m_dice.below(3)) - 1;
    }
    HostRange window()
    {
        const std::int64_t begin = place();
        if (const std::int64_t other = place(); m_dice.below(3) == 0)
            return {hostTime(std::min(begin, other)), hostTime(std::max(begin, other))};
        const auto length = static_cast<std::int64_t>(m_dice.below(std::uint64_t(1) << m_dice.below(40)));
        return {hostTime(begin), hostTime(begin > INT64_MAX - length ? INT64_MAX : begin + length)};
    }
    /// Returns a random resolution at which `window` has at most some thousand columns.
    Duration resolution(HostRange window)
    {
        const std::uint64_t length =
            static_cast<std::uint64_t>(nanoseconds(window.end)) - static_cast<std::uint64_t>(nanoseconds(window.begin));
        const std::uint64_t column = length / (1 + m_dice.below(4000)) + 1 + m_dice.below(2);
        return Duration(static_cast<std::int64_t>(std::min<std::uint64_t>(column, INT64_MAX)));
    }
    std::size_t count() { return m_dice.below(2) ? m_dice.below(20) : m_dice.below(3000); }

private:
    std::vector<std::int64_t> m_times;
    Dice m_dice;
};

} // namespace helio::test
