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
    m_axis.window().setCursor(at);
    m_axis.window().showAt(at);
}

void TimeGraph::nextState()
{
    const TrackRef row = m_axis.window().row();
    if (!row.isValid())
        return m_axis.panRight();
    if (!m_axis.timeline())
        return;
    const Timestamp at = m_axis.window().cursor();
    auto found = nextInterval(*m_axis.timeline(), row, at);
    const bool isLast = found.empty();
    if (isLast)
        found = intervalAt(*m_axis.timeline(), row, at);
    moveTo(found, isLast);
}

void TimeGraph::previousState()
{
    const TrackRef row = m_axis.window().row();
    if (!row.isValid())
        return m_axis.panLeft();
    if (!m_axis.timeline())
        return;
    const Timestamp at = m_axis.window().cursor();
    const auto here = intervalAt(*m_axis.timeline(), row, at);
    // Inside a state, its own begin comes first.
    const bool isInside = !here.empty() && here[0].range.begin < at;
    moveTo(isInside ? here : previousInterval(*m_axis.timeline(), row, at), false);
}

void TimeGraph::followArrow(bool forward)
{
    TimeWindow& window = m_axis.window();
    const TrackRef row = window.row();
    if (!m_axis.timeline() || !row.isValid())
        return;
    const auto found = arrowToFollow(*m_axis.timeline(), row, window.cursor(), forward, shownLinks());
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
        m_axis.window().setRow(m_rows[row].ref);
}

void TimeGraph::previousRow()
{
    const int row = rowFrom(m_rows, selectedRow() - 1, -1);
    ensureRowVisible(row);
    if (row >= 0)
        m_axis.window().setRow(m_rows[row].ref);
}

void TimeGraph::pageDown() { m_scroll->setValue(m_scroll->value() + m_scroll->pageStep() - 20); }

void TimeGraph::pageUp() { m_scroll->setValue(m_scroll->value() - m_scroll->pageStep() + 20); }

void TimeGraph::zoomToState()
{
    if (!m_axis.timeline() || !m_axis.window().row().isValid())
        return;
    const auto found = intervalAt(*m_axis.timeline(), m_axis.window().row(), m_axis.window().cursor());
    if (found.empty())
        return;
    const Duration margin = std::max(Duration(1), found[0].range.duration() / 8);
    m_axis.zoomTo({found[0].range.begin - margin, found[0].range.end + margin});
}

} // namespace helio
