#pragma once

#include "core/base/time.h"

namespace helio {

/// Linear map between a time range and a width in pixels. A value type. Times are subtracted as integers, so that nanoseconds are exact
/// however far times are from zero.
class TimeScale {
public:
    TimeScale() = default;
    /// Makes the map. `width`: width in pixels; the caller decides whether these are device pixels or device-independent pixels.
    TimeScale(TimeRange window, double width)
        : m_window(window)
        , m_width(width)
    {
    }

    TimeRange window() const { return m_window; }
    double width() const { return m_width; }
    bool isValid() const { return !m_window.isEmpty() && m_width > 0; }

    double xAt(Timestamp t) const { return double((t - m_window.begin).count()) * m_width / double(m_window.duration().count()); }
    /// Time at x, rounded to the nearest nanosecond.
    Timestamp timeAt(double x) const;
    Duration durationOf(double pixels) const;
    double pixelsOf(Duration d) const { return double(d.count()) * m_width / double(m_window.duration().count()); }

    /// Duration of one pixel, at least 1 ns; used as the resolution of queries.
    Duration resolution() const;

    bool operator==(const TimeScale&) const = default;

private:
    TimeRange m_window;
    double m_width = 0;
};

} // namespace helio
