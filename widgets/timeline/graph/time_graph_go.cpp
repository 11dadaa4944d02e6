// Navigation in a time graph: row by row, and along arrows.

#include "core/query/rows/state_causes.h"
#include "widgets/timeline/graph/lanes/column_calls.h"
#include "widgets/timeline/graph/time_graph.h"

namespace helio {

void TimeGraph::followArrow(bool forward)
{
    TimeWindow& window = axis().window();
    const TrackRef row = window.row();
    if (!axis().timeline() || !row.isValid())
        return;
    const auto found = findArrowToFollow(*axis().timeline(), row, window.cursor(), forward, shownLinks());
    if (found.empty())
        return;
    const Arrow& arrow = found[0];
    const TrackRef there = forward ? arrow.to : arrow.from;
    window.jump({.row = there.isValid() ? there : row, .cursor = forward ? arrow.toTime : arrow.fromTime});
    m_followed = arrow;
    if (arrow.message != NoMessage)
        axis().chooseArrow(arrow);
    const int from = m_rows.find(arrow.from);
    const int to = m_rows.find(arrow.to);
    forward || from < 0 ? showRow(to, from) : showRow(from, to);
    update();
}

namespace {

/// Returns the nearest row with bars, from `row` on in the direction of `step`.
int rowFrom(const GraphRows& rows, int row, int step)
{
    while (row >= 0 && row < rows.count() && (!rows[row].ref.isValid() || rows[row].isHeading))
        row += step;
    return row;
}

/// True if both rows are depths of one call stack.
bool areOfOneStack(const GraphRows& rows, int above, int below)
{
    return above >= 0 && below == above + 1 && below < rows.count() && rows[above].hasFrames() && rows[below].drawnAs == RowShape::Frame;
}

/// Returns the range of the caller or callee on a row next to a call's row: at the cursor; for callees otherwise anywhere within the call.
/// nullopt if there is none.
std::optional<TimeRange> findAdjacentCall(const Timeline& timeline, TrackRef row, Timestamp cursor, TimeRange call, bool isDeeper)
{
    if (!intervalAt(timeline, row, cursor).empty())
        return TimeRange{cursor, cursor + Duration(1)};
    if (!isDeeper || !findColumnCalls(timeline, row, call).longest)
        return std::nullopt;
    return call;
}

} // namespace

/// Moves to the caller, or to a callee: the one at the cursor, otherwise the longest one that the call made. If there is none, that is
/// reported, and the selection stays. Returns false if no call is selected.
bool TimeGraph::goToDepth(int row)
{
    TimeWindow& window = axis().window();
    const int here = selectedRow();
    if (!axis().timeline() || here < 0 || !m_rows[here].hasFrames())
        return false;
    const auto call = intervalAt(*axis().timeline(), m_rows[here].ref, window.cursor());
    if (call.empty())
        return false;
    const bool isDeeper = row > here;
    const TrackRef there = areOfOneStack(m_rows, std::min(here, row), std::max(here, row)) ? m_rows[row].ref : TrackRef();
    const auto next =
        there.isValid() ? findAdjacentCall(*axis().timeline(), there, window.cursor(), call[0].range, isDeeper) : std::nullopt;
    if (!next) {
        emit remark(!isDeeper                           ? tr("No caller")
                        : m_rows[here].hiddenDepths > 0 ? tr("The calls below are hidden")
                                                        : tr("It calls nothing"));
        return true;
    }
    ensureRowVisible(row); // Comes first, as other code would bring the row into view like after a jump.
    window.setRow(there);
    selectCall(axis(), there, *next);
    window.showAt(window.cursor());
    return true;
}

void TimeGraph::nextRow() { goToRow(rowFrom(m_rows, selectedRow() + 1, 1)); }

void TimeGraph::previousRow() { goToRow(rowFrom(m_rows, selectedRow() - 1, -1)); }

void TimeGraph::goToRow(int row)
{
    if (goToDepth(row) || row < 0 || row >= m_rows.count())
        return;
    ensureRowVisible(row); // Comes first, as other code would bring the row into view like after a jump.
    TimeWindow& window = axis().window();
    window.setRow(m_rows[row].ref);
    selectCall(axis(), window.row(), {window.cursor(), window.cursor() + Duration(1)});
}

} // namespace helio
