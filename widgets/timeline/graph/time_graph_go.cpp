// How a time graph is walked: row by row, and along arrows.

#include "core/query/rows/causes.h"
#include "widgets/timeline/graph/lanes/column_calls.h"
#include "widgets/timeline/graph/time_graph.h"

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

/// Where on a row beside a call's its caller is, or a callee: at the cursor, else, of callees, anywhere in the call. None: it has no such.
std::optional<TimeRange> callBeside(const Timeline& timeline, TrackRef row, Timestamp cursor, TimeRange call, bool isDeeper)
{
    if (!intervalAt(timeline, row, cursor).empty())
        return TimeRange{cursor, cursor + Duration(1)};
    if (!isDeeper || !callsIn(timeline, row, call).longest)
        return std::nullopt;
    return call;
}

} // namespace

/// To the caller, or to a callee: the one that the cursor is in, else the longest of those that the call made. While a call is selected,
/// there is no other way up or down: where there is no such call, that is reported. False where none is selected.
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
    const auto next = there.isValid() ? callBeside(*axis().timeline(), there, window.cursor(), call[0].range, isDeeper) : std::nullopt;
    if (!next) {
        emit remark(!isDeeper                           ? tr("No caller")
                        : m_rows[here].hiddenDepths > 0 ? tr("The calls below are hidden")
                                                        : tr("It calls nothing"));
        return true;
    }
    ensureRowVisible(row); // Before others bring it into view, as after a jump.
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
    ensureRowVisible(row); // Before others bring it into view, as after a jump.
    TimeWindow& window = axis().window();
    window.setRow(m_rows[row].ref);
    selectCall(axis(), window.row(), {window.cursor(), window.cursor() + Duration(1)});
}

} // namespace helio
