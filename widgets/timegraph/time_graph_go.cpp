// How a time graph is walked: state by state, row by row, along arrows.

#include "core/query/rows/causes.h"
#include "widgets/timegraph/time_graph.h"

#include <QScrollBar>

namespace helio {

void TimeGraph::moveTo(const std::vector<Interval>& found, bool atEnd)
{
    if (found.empty())
        return;
    const Timestamp at = atEnd ? found[0].range.end : found[0].range.begin;
    axis().window().setCursor(at);
    axis().window().showAt(at);
}

void TimeGraph::nextState()
{
    const TrackRef row = axis().window().row();
    if (!row.isValid())
        return axis().panRight();
    if (!axis().timeline())
        return;
    const Timestamp at = axis().window().cursor();
    auto found = nextInterval(*axis().timeline(), row, at);
    const bool isLast = found.empty();
    if (isLast)
        found = intervalAt(*axis().timeline(), row, at);
    moveTo(found, isLast);
}

void TimeGraph::previousState()
{
    const TrackRef row = axis().window().row();
    if (!row.isValid())
        return axis().panLeft();
    if (!axis().timeline())
        return;
    const Timestamp at = axis().window().cursor();
    const auto here = intervalAt(*axis().timeline(), row, at);
    // Inside a state, its own begin comes first.
    const bool isInside = !here.empty() && here[0].range.begin < at;
    moveTo(isInside ? here : previousInterval(*axis().timeline(), row, at), false);
}

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

void TimeGraph::pageDown() { m_scroll->setValue(m_scroll->value() + m_scroll->pageStep() - 20); }

void TimeGraph::pageUp() { m_scroll->setValue(m_scroll->value() - m_scroll->pageStep() + 20); }

void TimeGraph::zoomToState()
{
    if (!axis().timeline() || !axis().window().row().isValid())
        return;
    const auto found = intervalAt(*axis().timeline(), axis().window().row(), axis().window().cursor());
    if (found.empty())
        return;
    const Duration margin = std::max(Duration(1), found[0].range.duration() / 8);
    axis().zoomTo({found[0].range.begin - margin, found[0].range.end + margin});
}

} // namespace helio
