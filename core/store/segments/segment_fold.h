#pragma once

#include "core/store/picture_columns.h"
#include "core/store/segments/segment_order.h"

#include <algorithm>
#include <vector>

namespace helio {

/// Aggregates segments by the pixel column in which they begin. Segments may be added in any order.
class SegmentColumnFold {
public:
    SegmentColumnFold(HostRange window, Duration resolution)
        : m_window(window)
        , m_resolution(resolution)
    {
    }

    /// True if segments that begin at any time from `first` to `last` (both inclusive) belong to the same column and the time range. A
    /// block with these begin times can then be added as a whole.
    bool isOneColumn(HostTimestamp first, HostTimestamp last) const
    {
        return first >= m_window.begin && last < m_window.end && columnOf(first, m_resolution) == columnOf(last, m_resolution);
    }
    void add(HostTimestamp begin, const SegmentSum& sum)
    {
        const HostTimestamp column = columnBegin(begin, m_resolution);
        if (m_columns.empty() || m_columns.back().begin != column)
            m_columns.push_back({column, {}});
        m_columns.back().sum.add(sum);
    }
    void add(const HostSegment& segment)
    {
        if (!overlaps(segment, m_window))
            return;
        if (segment.begin < m_window.begin)
            m_earlier.add(segment.length());
        else
            add(segment.begin, {1, segment.length(), segment.length(), segment.length()});
    }

    SegmentColumns take()
    {
        std::stable_sort(m_columns.begin(), m_columns.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
        SegmentColumns result{m_earlier, {}};
        for (const SegmentColumn& column : m_columns) {
            if (result.columns.empty() || result.columns.back().begin != column.begin)
                result.columns.push_back({column.begin, {}});
            result.columns.back().sum.add(column.sum);
        }
        return result;
    }

private:
    HostRange m_window;
    Duration m_resolution;
    SegmentSum m_earlier;
    std::vector<SegmentColumn> m_columns; ///< Columns in the order in which segments were added; a column may occur more than once.
};

} // namespace helio
