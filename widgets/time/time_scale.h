#pragma once

#include "core/base/time.h"

namespace helio {

/// Time against pixels: a stretch of time laid over a width. A value; times are subtracted as integers, so that nanoseconds
/// count however far from zero they are.
class TimeScale {
public:
    TimeScale() = default;
    /// Width in pixels (of whatever kind the caller paints in).
    TimeScale(TimeRange window, double width)
        : m_window(window)
        , m_width(width)
    {
    }

    TimeRange window() const { return m_window; }
    double width() const { return m_width; }
    bool isValid() const { return !m_window.isEmpty() && m_width > 0; }

    double xAt(Timestamp t) const { return double((t - m_window.begin).count()) * m_width / double(m_window.duration().count()); }
    /// The time at a pixel's position, rounded to the nearest nanosecond.
    Timestamp timeAt(double x) const;
    Duration durationOf(double pixels) const;
    double pixelsOf(Duration d) const { return double(d.count()) * m_width / double(m_window.duration().count()); }

    /// The length of one pixel, at least 1 ns: what queries are asked with.
    Duration resolution() const;

    bool operator==(const TimeScale&) const = default;

private:
    TimeRange m_window;
    double m_width = 0;
};

} // namespace helio
