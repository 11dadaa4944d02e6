#include "widgets/time/time_scale.h"

#include <cmath>

namespace helio {

Timestamp TimeScale::timeAt(double x) const { return m_window.begin + durationOf(x); }

Duration TimeScale::durationOf(double pixels) const
{
    if (m_width <= 0)
        return {};
    const double ns = pixels / m_width * double(m_window.duration().count());
    return Duration(std::llround(std::clamp(ns, -4e18, 4e18)));
}

Duration TimeScale::resolution() const
{
    if (m_width <= 0)
        return Duration(1);
    return Duration(std::max<std::int64_t>(1, std::int64_t(double(m_window.duration().count()) / m_width)));
}

} // namespace helio
