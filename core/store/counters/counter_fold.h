#pragma once

#include "core/store/counters/counter_blocks.h"
#include "core/store/counters/counter_numbers.h"
#include "core/store/picture_columns.h"

#include <algorithm>

namespace helio {

/// Aggregates the points of a series by pixel column. Points and directory entries must be added in order.
class CounterFold {
public:
    CounterFold(HostRange window, Duration resolution, CounterNumber number)
        : m_window(window)
        , m_resolution(resolution)
        , m_number(number)
    {
    }

    bool isBefore(const CounterEntry& entry) const { return hostTime(entry.lastTime) < m_window.begin; }
    bool isBehind(const CounterEntry& entry) const { return hostTime(entry.firstTime) >= m_window.end; }
    /// True if all points of the entry are in one column and in the time range.
    bool isOneColumn(const CounterEntry& entry) const
    {
        const HostTimestamp first = hostTime(entry.firstTime);
        const HostTimestamp last = hostTime(entry.lastTime);
        return first >= m_window.begin && last < m_window.end && columnOf(first, m_resolution) == columnOf(last, m_resolution);
    }

    /// Sets the last point before the time range.
    void setBefore(const CounterPoint& point) { m_result.before = point; }

    /// Adds all points that the entry summarizes. Requires: isOneColumn(entry).
    void add(const CounterEntry& entry)
    {
        CounterColumn& column = columnFrom(entry.firstPoint());
        m_integral += entry.integral;
        column.last = entry.lastPoint();
        column.least = lesser(column.least, CounterValue::fromBits(entry.least), m_number);
        column.most = greater(column.most, CounterValue::fromBits(entry.most), m_number);
        column.count += entry.count;
    }
    void add(const CounterPoint& point)
    {
        if (point.time >= m_window.end)
            return;
        if (point.time < m_window.begin)
            return setBefore(point);
        CounterColumn& column = columnFrom(point);
        column.last = point;
        column.least = lesser(column.least, point.value, m_number);
        column.most = greater(column.most, point.value, m_number);
        ++column.count;
    }

    CounterColumns take()
    {
        close();
        return std::move(m_result);
    }

private:
    /// Returns the column to which `point` belongs; begins a new column if necessary. Extends m_integral, the integral of the values in
    /// this column, up to the time of `point`. The caller adds the point to the column.
    CounterColumn& columnFrom(const CounterPoint& point)
    {
        auto& columns = m_result.columns;
        const HostTimestamp begin = columnBegin(point.time, m_resolution);
        if (columns.empty() || columns.back().begin != begin) {
            const std::optional<CounterPoint> held = columns.empty() ? m_result.before : std::optional(columns.back().last);
            close();
            columns.push_back({begin, 0, point, point, point.value, point.value});
            m_begin = held ? std::max(begin, m_window.begin) : point.time;
            m_integral = held ? integralOf(held->value, m_begin, point.time, m_number) : 0;
        } else {
            m_integral += integralOf(columns.back().last.value, columns.back().last.time, point.time, m_number);
        }
        return columns.back();
    }

    /// Completes the last column by computing its mean. The value of the column's last point is valid until the end of the column.
    void close()
    {
        if (m_result.columns.empty())
            return;
        CounterColumn& column = m_result.columns.back();
        const HostTimestamp end = columnEnd(column.begin, m_resolution, m_window.end);
        const double all = m_integral + integralOf(column.last.value, column.last.time, end, m_number);
        column.mean = all / (static_cast<double>((end - m_begin).count()) * 0x1p-63);
    }

    HostRange m_window;
    Duration m_resolution;
    CounterNumber m_number;
    CounterColumns m_result;
    HostTimestamp m_begin; ///< Time from which the last column has a value: its start, or the first point.
    double m_integral = 0; ///< Integral of the values in the last column, from m_begin to the last point.
};

} // namespace helio
