#pragma once

#include <cstdint>

namespace helio {

/// Exact sum of 64-bit numbers that can be added and removed again. The sum has 128 bits, because recorded sizes may be any 64-bit number.
class WideSum {
public:
    void add(std::uint64_t number)
    {
        m_low += number;
        m_high += m_low < number ? 1 : 0;
    }
    /// Subtracts `number`. Requires: `number` was added before.
    void remove(std::uint64_t number)
    {
        m_high -= m_low < number ? 1 : 0;
        m_low -= number;
    }
    /// Returns the sum; INT64_MAX if the sum is larger.
    std::int64_t value() const { return m_high > 0 || m_low > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(m_low); }

private:
    std::uint64_t m_low = 0;
    std::uint64_t m_high = 0;
};

} // namespace helio
