#include "core/query/machines/stolen_times.h"

#include "core/query/rows/row_notes.h"

namespace helio {

StolenTimes::StolenTimes(const Timeline& timeline)
    : m_timeline(timeline)
{
    for (const auto& [recorded, shown] : rowsOfInside(timeline))
        m_rows.try_emplace(recorded, timeline, shown);
}

Duration StolenTimes::in(TrackRef row, TimeRange range)
{
    Duration stolen{};
    const auto found = m_rows.find(row);
    if (found == m_rows.end() || range.isEmpty())
        return stolen;
    machines::RowCursor& states = found->second;
    states.each(range, [&](const Interval& it) {
        if (meaningOf(m_timeline, states.row(), it.state) == Meaning::Preempted)
            stolen += it.range.duration();
    });
    return stolen;
}

} // namespace helio
