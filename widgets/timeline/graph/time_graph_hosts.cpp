// Mouse and keys on the headings of hosts, and the bands that show their clocks' error bounds.

#include "widgets/timeline/graph/time_graph.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

namespace helio {

std::optional<std::uint32_t> TimeGraph::hostAt(QPoint at) const
{
    const int row = rowAt(at);
    return row >= 0 && m_rows[row].isHost ? std::optional(m_rows[row].host) : std::nullopt;
}

int TimeGraph::clockChipAt(QPoint at) const
{
    const int row = isInLabels(at) ? rowAt(at) : -1;
    if (row < 0 || !m_rows[row].isHost)
        return -1;
    const QRect rect(0, m_rows.top(row) - m_scroll->value(), axis().labelWidth(), m_rows.metrics(row).height);
    return clockChipOf(scene(), row, rect).contains(at) ? row : -1;
}

Qt::CursorShape TimeGraph::shapeAt(QPoint at) const { return clockChipAt(at) >= 0 ? Qt::PointingHandCursor : TimeBody::shapeAt(at); }

/// Tooltips in the label column explain the headings of hosts and the rows of virtual machines.
bool TimeGraph::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return TimeBody::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = isInLabels(help->pos()) ? rowAt(help->pos()) : -1;
    const bool isHost = row >= 0 && m_rows[row].isHost && m_rows[row].host < m_hosts.size();
    const QString words = isHost ? QString::fromStdString(m_hosts[m_rows[row].host].sentence) : row >= 0 ? m_rows[row].tip : QString();
    // Names from a trace are shown as plain text.
    words.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), "<qt>" + words.toHtmlEscaped() + "</qt>", this);
    return true;
}

/// Returns an area for each run of consecutive rows in view that have the same host.
std::vector<HostArea> TimeGraph::hostAreas() const
{
    std::vector<HostArea> areas;
    const QRect area = timeArea();
    const int scrollY = m_scroll->value();
    for (int row = std::max(0, m_rows.at(scrollY)); row < m_rows.count() && m_rows.top(row) < scrollY + height(); ++row) {
        const QRect rect(area.left(), m_rows.top(row) - scrollY, area.width(), m_rows.metrics(row).height);
        if (!areas.empty() && areas.back().hosts.front() == m_rows[row].host)
            areas.back().rect |= rect;
        else
            areas.push_back({rect, {m_rows[row].host}});
    }
    return areas;
}

MarkBands TimeGraph::bandsOf(const TimeMarks& marks) const
{
    if (!m_rows.hasHosts() || !axis().timeline())
        return {};
    return {*axis().timeline(), clockHost(axis()), marks, timeArea(), axis().scale(width()), hostAreas()};
}

/// Remembers a press on a host's name, outside of the chevron and the clock chip. Returns true if it was one.
bool TimeGraph::pressHeading(const QMouseEvent& event)
{
    const QPoint at = event.position().toPoint();
    const auto host = isInLabels(at) && clockChipAt(at) < 0 ? hostAt(at) : std::nullopt;
    m_pressedHost.reset();
    if (host && event.button() == Qt::LeftButton && event.modifiers() == Qt::NoModifier)
        m_pressedHost = {*host, at};
    return m_pressedHost.has_value();
}

/// Reports the row under the pointer, which may be in another panel of the same axis.
void TimeGraph::carryHost(const QMouseEvent& event)
{
    const QPoint at = event.globalPosition().toPoint();
    QWidget* under = window()->childAt(window()->mapFromGlobal(at));
    while (under && !qobject_cast<TimeGraph*>(under))
        under = under->parentWidget();
    const auto* graph = qobject_cast<TimeGraph*>(under);
    axis().hosts().carryOver(graph && &graph->axis() == &axis() ? graph->trackAt(graph->mapFromGlobal(at)) : TrackRef());
    setCursor(axis().hosts().target().isValid() ? Qt::DragMoveCursor : Qt::ForbiddenCursor);
}

/// With Ctrl, a host's lane is dragged; without, a range is selected. A host's name is dragged onto the row of its virtual machine.
void TimeGraph::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    const auto host = hostAt(at);
    if (pressHeading(*event)) {
        TimeBody::mousePressEvent(event);
        if (isDragging()) // The edge of the label column is dragged.
            m_pressedHost.reset();
        return;
    }
    if (!host || isDragging())
        return TimeBody::mousePressEvent(event);
    if (event->button() == Qt::LeftButton && event->modifiers() & Qt::ControlModifier) {
        tips().hide();
        axis().hosts().begin(*host, timeAt(at));
        setCursor(Qt::SizeHorCursor);
    } else if (event->button() == Qt::RightButton) {
        tips().hide();
        axis().hosts().askForMenu(*host, event->globalPosition().toPoint());
    } else {
        TimeBody::mousePressEvent(event);
    }
}

void TimeGraph::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (m_pressedHost && (at - m_pressedHost->at).manhattanLength() >= QApplication::startDragDistance()) {
        axis().hosts().take(m_pressedHost->host);
        m_pressedHost.reset();
    }
    if (axis().hosts().isCarrying())
        return carryHost(*event);
    if (!axis().hosts().isDragging())
        return TimeBody::mouseMoveEvent(event);
    const bool snaps = event->modifiers() & (Qt::AltModifier | Qt::ShiftModifier);
    axis().hosts().moveTo(timeAt(at), snaps ? axis().scale(width()).durationOf(SnapPixels) : Duration{});
}

void TimeGraph::mouseReleaseEvent(QMouseEvent* event)
{
    m_pressedHost.reset();
    const bool isCarrying = axis().hosts().isCarrying();
    if (!isCarrying && !axis().hosts().isDragging())
        return TimeBody::mouseReleaseEvent(event);
    isCarrying ? axis().hosts().drop() : axis().hosts().end();
    setCursor(shapeAt(event->position().toPoint()));
}

void TimeGraph::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && (axis().hosts().isDragging() || axis().hosts().isCarrying())) {
        unsetCursor();
        return axis().hosts().cancel();
    }
    TimeBody::keyPressEvent(event);
}

} // namespace helio
