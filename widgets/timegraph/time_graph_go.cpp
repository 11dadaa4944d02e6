// How a time graph is walked: row by row, and along arrows.

#include "core/query/rows/causes.h"
#include "widgets/timegraph/lanes/column_calls.h"
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
    while (row >= 0 && row < rows.count() && (!rows[row].ref.isValid() || rows[row].isHeading))
        row += step;
    return row;
}

/// Both are depths of one call stack.
bool areOfOneStack(const GraphRows& rows, int above, int below)
{
    return above >= 0 && below == above + 1 && below < rows.count() && rows[above].hasFrames() && rows[below].drawnAs == RowShape::Frame;
}

} // namespace

/// To the caller, or to a callee: the one that the cursor is in, else the longest of those that the call made. False where the rows are
/// none of one stack, or no such call was made.
bool TimeGraph::goToDepth(int row)
{
    TimeWindow& window = axis().window();
    const int here = selectedRow();
    const bool isDeeper = row > here;
    if (!axis().timeline() || !areOfOneStack(m_rows, std::min(here, row), std::max(here, row)))
        return false;
    const TrackRef there = m_rows[row].ref;
    const auto call = intervalAt(*axis().timeline(), m_rows[here].ref, window.cursor());
    const bool isThere = !intervalAt(*axis().timeline(), there, window.cursor()).empty();
    if (call.empty() || (!isThere && !isDeeper) || (!isThere && !callsIn(*axis().timeline(), there, call[0].range).longest))
        return false;
    window.setRow(there);
    selectCall(axis(), there, isThere ? TimeRange{window.cursor(), window.cursor() + Duration(1)} : call[0].range);
    window.showAt(window.cursor());
    return true;
}

void TimeGraph::nextRow()
{
    const int row = rowFrom(m_rows, selectedRow() + 1, 1);
    ensureRowVisible(row); // Before others bring it into view, as after a jump.
    if (goToDepth(row))
        return;
    if (row < m_rows.count())
        axis().window().setRow(m_rows[row].ref);
}

void TimeGraph::previousRow()
{
    const int row = rowFrom(m_rows, selectedRow() - 1, -1);
    ensureRowVisible(row);
    if (goToDepth(row))
        return;
    if (row >= 0)
        axis().window().setRow(m_rows[row].ref);
}

} // namespace helio
