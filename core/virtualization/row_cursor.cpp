#include "core/virtualization/row_cursor.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio::machines {

RowCursor::RowCursor(const Timeline& timeline, TrackRef row)
    : m_timeline(timeline)
    , m_row(row)
{
    constexpr std::uint64_t AtATime = 4096;
    const Track* track = trackOf(timeline, row);
    if (!track)
        return;
    m_life = clockOf(timeline, row.store)(track->life);
    const auto parts = static_cast<std::int64_t>(track->intervals / AtATime + 1);
    m_step = std::max(Duration(1), (m_life.end - m_life.begin) / parts + Duration(1));
}

bool RowCursor::load(Timestamp time)
{
    if (time >= m_life.end)
        return false;
    if (m_loaded.contains(time))
        return true;
    const std::int64_t step = (std::max(time, m_life.begin) - m_life.begin) / m_step;
    m_loaded.begin = m_life.begin + step * m_step;
    m_loaded.end = std::min(m_life.end, m_loaded.begin + m_step);
    m_intervals = intervals(m_timeline, m_row, m_loaded);
    return true;
}

const Interval* RowCursor::at(Timestamp time)
{
    if (time < m_life.begin || !load(time))
        return nullptr;
    const auto next = std::ranges::upper_bound(m_intervals, time, {}, [](const Interval& it) { return it.range.begin; });
    return next != m_intervals.begin() && time < next[-1].range.end ? &next[-1] : nullptr;
}

void RowCursor::each(TimeRange range, const std::function<void(const Interval&)>& take)
{
    range = range.clippedTo(m_life);
    for (Timestamp from = range.begin; from < range.end && load(from); from = m_loaded.end) {
        const TimeRange part{from, std::min(range.end, m_loaded.end)};
        auto it = std::ranges::upper_bound(m_intervals, part.begin, {}, [](const Interval& i) { return i.range.end; });
        for (; it != m_intervals.end() && it->range.begin < part.end; ++it) {
            if (it->range.begin < part.begin && from != range.begin)
                // The range is read in parts. Skip an interval that began in the previous part, because it was already passed to `take`.
                continue;
            Interval cut = *it;
            cut.range = cut.range.clippedTo(range);
            if (!cut.range.isEmpty())
                take(cut);
        }
    }
}

} // namespace helio::machines
