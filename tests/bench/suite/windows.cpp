#include "tests/bench/suite/windows.h"

#include <algorithm>
#include <cmath>

namespace helio::bench {

TimeRange Windows::next()
{
    const double whole = double(std::max<std::int64_t>(m_whole.duration().count(), m_pixels));
    const double share = double(m_random() >> 11) / 0x1p53;
    const double length = double(m_pixels) * std::pow(whole / double(m_pixels), share);
    const auto ticks = std::int64_t(std::min(length, whole));
    const auto left = std::uint64_t(std::max<std::int64_t>(0, m_whole.duration().count() - ticks));
    const Timestamp begin = m_whole.begin + Duration(std::int64_t(below(left + 1)));
    return {begin, begin + Duration(std::max<std::int64_t>(ticks, m_pixels))};
}

} // namespace helio::bench
