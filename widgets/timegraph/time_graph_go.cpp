// How a time graph is walked: row by row, and along arrows.

#include "core/query/rows/causes.h"
#include "widgets/timegraph/time_graph.h"

namespace helio {

void TimeGraph::followArrow(bool forward)
{
    TimeWindow& window = axis().window();
    const TrackRef row = window.row();
    if (!axis().timeline() || !row.isValid())
        return;
    const auto found = arrowToFollow(*axis().timeline(), row, window.cursor(), forward, shownLinks());
    if (found.empty())
        return;
    const Arrow& arrow = found[0];
    window.visit();
    const TrackRef there = forward ? arrow.to : arrow.from;
    if (there.isValid())
        window.setRow(there);
    window.setCursor(forward ? arrow.toTime : arrow.fromTime);
    window.showAt(window.cursor());
    m_followed = arrow;
    const int from = m_rows.find(arrow.from);
    const int to = m_rows.find(arrow.to);
    forward || from < 0 ? showRow(to, from) : showRow(from, to);
    update();
}

namespace {

/// The nearest row that has bars, from a place on.
int rowFrom(const GraphRows& rows, int row, int step)
{
    while (row >= 0 && row < rows.count() && !rows[row].ref.isValid())
        row += step;
    return row;
}

} // namespace

void TimeGraph::nextRow()
{
    const int row = rowFrom(m_rows, selectedRow() + 1, 1);
    ensureRowVisible(row); // Before others bring it into view, as after a jump.
    if (row < m_rows.count())
        axis().window().setRow(m_rows[row].ref);
}

void TimeGraph::previousRow()
{
    const int row = rowFrom(m_rows, selectedRow() - 1, -1);
    ensureRowVisible(row);
    if (row >= 0)
        axis().window().setRow(m_rows[row].ref);
}

} // namespace helio
