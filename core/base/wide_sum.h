#pragma once

#include <cstdint>

namespace helio {

/// A sum of numbers that are added and taken away again, exact however large they are: recorded sizes may be any number. A value.
class WideSum {
public:
    void add(std::uint64_t number)
    {
        m_low += number;
        m_high += m_low < number ? 1 : 0;
    }
    /// Requires: it was added.
    void remove(std::uint64_t number)
    {
        m_high -= m_low < number ? 1 : 0;
        m_low -= number;
    }
    /// INT64_MAX where it is more.
    std::int64_t value() const { return m_high > 0 || m_low > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(m_low); }

private:
    std::uint64_t m_low = 0;
    std::uint64_t m_high = 0;
};

} // namespace helio
