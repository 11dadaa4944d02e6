// Input of TimeGraph: navigation between rows, and the handling of mouse and keys that TimeBody leaves to its subclasses.

#include "core/query/rows/state_causes.h"
#include "widgets/timeline/graph/label_metrics.h"
#include "widgets/timeline/graph/lanes/lane.h"
#include "widgets/timeline/graph/rows/row_calls.h"
#include "widgets/timeline/graph/state_steps.h"
#include "widgets/timeline/graph/time_graph.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace helio {

namespace {

constexpr int TickPixels = 4; ///< Maximum distance in pixels between a click and an event that it hits.
constexpr int RowKept = 20; ///< Height in pixels of the previous page that stays in view when the user pages.

/// Returns the first row with bars, from `row` on in the direction of `step`.
int rowFrom(const GraphRows& rows, int row, int step)
{
    while (row >= 0 && row < rows.count() && (!rows[row].ref.isValid() || rows[row].isHeading))
        row += step;
    return row;
}

/// True if the two rows are depths of the same call stack.
bool areOfOneStack(const GraphRows& rows, int above, int below)
{
    return above >= 0 && below == above + 1 && below < rows.count() && rows[above].hasFrames() && rows[below].drawnAs == RowShape::Frame;
}

/// A step from a call at the cursor to its caller or callee.
struct CallStep {
    TrackRef from; ///< Row of the call.
    TrackRef to; ///< Row next to it, of the same call stack; invalid if there is none.
    Timestamp cursor;
    bool isDeeper; ///< True for a step to a callee.
};

/// Result of a CallStep.
struct AdjacentCall {
    bool hasCall = false; ///< False if there is no call at the cursor.
    /// Time range in which to select the caller or callee: the time of the cursor if there is a call at the cursor; else the range of the
    /// call, for a callee that is elsewhere in it. nullopt if there is no caller or callee.
    std::optional<TimeRange> range{};
};

AdjacentCall findAdjacentCall(const Timeline& timeline, const CallStep& step)
{
    const auto call = intervalAt(timeline, step.from, step.cursor);
    if (call.empty())
        return {};
    AdjacentCall found{.hasCall = true};
    if (!step.to.isValid())
        return found;
    if (!intervalAt(timeline, step.to, step.cursor).empty())
        found.range = {step.cursor, step.cursor + Duration(1)};
    else if (step.isDeeper && findColumnCalls(timeline, step.to, call[0].range).longest)
        found.range = call[0].range;
    return found;
}

} // namespace

bool TimeGraph::scrollBy(QPoint, double notches)
{
    const int before = m_scroll->value();
    m_scroll->setValue(before - int(std::lround(notches * 60)));
    return m_scroll->value() != before;
}

/// Handles a press in the label column: opens or closes the row, or selects it.
void TimeGraph::pressLabel(QPoint at)
{
    const int row = rowAt(at);
    if (row < 0)
        return;
    const GraphRow& it = m_rows[row];
    const int chevron = 7 + it.depth * indentOf(axis().labelWidth());
    const QRect rect = rowRect(row);
    if (clockChipAt(at) >= 0)
        return axis().hosts().askForClock(it.host);
    if (isOnPin(at)) {
        emit pinToggled(it.ref);
        return;
    }
    if (it.hiddenDepths > 0 && hiddenDepthsChip(rect).contains(at)) {
        emit hiddenDepthsWanted(row);
        return;
    }
    if (it.isFold || (it.hasChildren && at.x() >= chevron - 2 && at.x() < chevron + 17)) {
        emit rowToggled(row);
        return;
    }
    if (it.ref.isValid())
        axis().window().setRow(it.ref);
}

void TimeGraph::click(QPoint at)
{
    if (const TrackRef row = trackAt(at); row.isValid())
        axis().window().setRow(row);
    const Timestamp here = timeAt(at);
    const Lane* lane = laneAt(at);
    const auto event = lane ? nearestEvent(*lane, here, axis().scale(width()).durationOf(TickPixels)) : std::nullopt;
    axis().window().setCursor(event.value_or(here));
    const ArrowLine* line = m_frame.arrows().lineAt(at - timeArea().topLeft(), ArrowHitDistance);
    // Only messages have tooltips; other arrows are described by the tooltips of the states at their ends.
    if (line && line->arrow.message != NoMessage)
        return axis().chooseArrow(line->arrow);
    if (const int row = rowAt(at); row >= 0 && m_rows[row].hasFrames()) {
        const TimeRange folded = lane ? foldedRangeAt(*lane, here) : TimeRange();
        selectCall(axis(), m_rows[row].ref, folded.isEmpty() ? TimeRange{here, timeAt(at + QPoint(1, 0))} : folded);
    }
}

TrackRef TimeGraph::trackAt(QPoint at) const
{
    const int row = rowAt(at);
    if (row < 0)
        return {};
    // The label beside the outermost calls is the thread's name, so a press there selects the thread.
    const bool isThread = isInLabels(at) && m_rows[row].drawnAs == RowShape::FirstFrame;
    return isThread ? m_rows[row].meter() : m_rows[row].ref;
}

TrackRef TimeGraph::laneTrackAt(QPoint at) const
{
    const int row = rowAt(at);
    if (row < 0 || m_rows[row].lanes.empty())
        return row < 0 ? TrackRef() : m_rows[row].lane();
    const int y = at.y() + m_scroll->value() - m_rows.top(row) - LaneMargin;
    if (y < 0 || y / LanePitch >= int(m_rows[row].lanes.size()))
        return {};
    const auto lane = std::size_t(y / LanePitch);
    const TrackRef track = m_rows[row].lanes[lane];
    const TrackRef ground = lane < m_rows[row].laneGrounds.size() ? m_rows[row].laneGrounds[lane] : TrackRef();
    const auto hasBar = [&](TrackRef of) {
        const Lane* const bars = of.isValid() ? m_fetcher.lane(of) : nullptr;
        return bars && std::ranges::any_of(bars->spans.spans, [time = timeAt(at)](const Span& it) { return it.range.contains(time); });
    };
    return !hasBar(track) && hasBar(ground) ? ground : track;
}

const Lane* TimeGraph::laneAt(QPoint at) const { return m_fetcher.lane(laneTrackAt(at)); }

std::optional<Timestamp> TimeGraph::snapped(QPoint at, Timestamp time) const
{
    const Lane* lane = laneAt(at);
    return lane ? nearestBoundary(*lane, time, axis().scale(width()).durationOf(SnapPixels)) : std::nullopt;
}

void TimeGraph::hoverOver(std::optional<QPoint> at)
{
    const int row = at ? rowAt(*at) : -1;
    if (const bool isInside = at && isInLabels(*at); std::exchange(m_isInLabels, isInside) != isInside)
        m_frame.refreshRow(row >= 0 ? row : m_hoveredRow); // Repaints the row whose pin button appears or disappears.
    axis().setPointedRow(row >= 0 && !isInLabels(*at) ? m_rows[row].ref : TrackRef());
    axis().setHoveredHost(row >= 0 && m_rows.hasHosts() ? std::optional(m_rows[row].host) : std::nullopt);
    if (std::exchange(m_hoveredRow, row) == row)
        return;
    tips().hide();
    m_frame.refreshLitRows(m_hoveredRow, selectedRow());
    if (at)
        requestRowArrows();
}

void TimeGraph::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    const int row = rowAt(at);
    if (event->button() != Qt::LeftButton || row < 0)
        return;
    if (isInLabels(at)) {
        if (m_rows[row].hasChildren && !m_rows[row].isFold) // The first click of a double click already opened or closed a fold.
            emit rowToggled(row);
        return;
    }
    if (!m_rows[row].ref.isValid())
        return;
    axis().window().setRow(m_rows[row].ref);
    axis().window().setCursor(timeAt(at));
    helio::zoomToState(axis());
}

bool TimeGraph::pressKey(const QKeyEvent& event)
{
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: stepState(axis(), event.key() == Qt::Key_Right); return true;
    case Qt::Key_Up: previousRow(); return true;
    case Qt::Key_Down: nextRow(); return true;
    case Qt::Key_PageUp: m_scroll->setValue(m_scroll->value() - m_scroll->pageStep() + RowKept); return true;
    case Qt::Key_PageDown: m_scroll->setValue(m_scroll->value() + m_scroll->pageStep() - RowKept); return true;
    case Qt::Key_Period: followArrow(true); return true;
    case Qt::Key_Comma: followArrow(false); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: helio::zoomToState(axis()); return true;
    default: return false;
    }
}

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
    return clockChipOf(scene(), row, rowRect(row)).contains(at) ? row : -1;
}

QRect TimeGraph::rowRect(int row) const
{
    QRect rect = rowArea(row);
    rect.setWidth(axis().labelWidth());
    return rect;
}

bool TimeGraph::isOnPin(QPoint at) const
{
    const int row = isInLabels(at) ? rowAt(at) : -1;
    return row >= 0 && pinButtonOf(scene(), row, rowRect(row)).contains(at);
}

Qt::CursorShape TimeGraph::shapeAt(QPoint at) const
{
    return clockChipAt(at) >= 0 || isOnPin(at) ? Qt::PointingHandCursor : TimeBody::shapeAt(at);
}

/// Shows tooltips in the label column for the headings of hosts and the rows of virtual machines.
bool TimeGraph::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return TimeBody::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = isInLabels(help->pos()) ? rowAt(help->pos()) : -1;
    const bool isHost = row >= 0 && m_rows[row].isHost && m_rows[row].host < m_hosts.size();
    const QString words = row >= 0 && isOnPin(help->pos()) ? (m_isPinned ? tr("Unpin this row (P)") : tr("Pin this row to the top (P)"))
        : isHost                                           ? QString::fromStdString(m_hosts[m_rows[row].host].sentence)
        : row >= 0                                         ? m_rows[row].tip
                                                           : QString();
    // A name from a trace must be shown as plain text, not as HTML.
    words.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), "<qt>" + words.toHtmlEscaped() + "</qt>", this);
    return true;
}

/// Returns one area for each run of consecutive rows in view with the same host.
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

/// Stores a press on a host's name, which may begin a drag; the chevron and the clock chip do not count. Returns true for such a press.
bool TimeGraph::pressHeading(const QMouseEvent& event)
{
    const QPoint at = event.position().toPoint();
    const auto host = isInLabels(at) && clockChipAt(at) < 0 ? hostAt(at) : std::nullopt;
    m_pressedHost.reset();
    if (host && event.button() == Qt::LeftButton && event.modifiers() == Qt::NoModifier)
        m_pressedHost = {*host, at};
    return m_pressedHost.has_value();
}

/// Passes the row under the pointer to TimeAxis::hosts() while the user drags a host's name. The row may be in another panel of the axis.
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

/// True if the press begins to drag a box over rows and a range: Ctrl and the left button in the time area.
bool TimeGraph::startsBox(const QMouseEvent& event) const
{
    const QPoint at = event.position().toPoint();
    return event.button() == Qt::LeftButton && event.modifiers() & Qt::ControlModifier && !isInLabels(at) && rowAt(at) >= 0 && !hostAt(at);
}

/// Selects the rows between the start of the box and the pointer. TimeBody has already selected the time range of the box.
void TimeGraph::dragBox(QPoint at)
{
    const int last = std::clamp(rowAt({at.x(), std::clamp(at.y(), 0, height() - 1)}), -1, m_rows.count() - 1);
    // -1 means that the pointer is below the last row: the box then ends with the last row.
    const int to = last < 0 ? m_rows.count() - 1 : last;
    std::vector<TrackRef> rows;
    if (m_rows.count() == 0)
        return;
    const int from = std::min(*m_boxFrom, m_rows.count() - 1); // Limited, because there may be fewer rows than when the drag began.
    for (int row = std::min(from, to); row <= std::max(from, to); ++row)
        if (m_rows[row].ref.isValid())
            rows.push_back(m_rows[row].ref);
    axis().setBoxRows(std::move(rows));
}

/// Moves a pinned row below the pointer while the user drags its label. Returns false if no pinned row is dragged.
bool TimeGraph::dragPinned(const QMouseEvent& event)
{
    const int from = m_pressedPin.isValid() ? m_rows.find(m_pressedPin) : -1;
    const int to = from < 0 ? -1 : rowAt({0, std::clamp(event.position().toPoint().y(), 0, height() - 1)});
    if (to >= 0 && to != from) {
        // Swap once the dragged row would lie below the pointer; otherwise, rows of different heights would swap back and forth.
        const QRect there = rowRect(to);
        const int y = event.position().toPoint().y();
        const int height = rowRect(from).height();
        if (to > from ? y > there.bottom() - height : y < there.top() + height)
            emit rowMoved(m_pressedPin, to);
    }
    return from >= 0;
}

/// Begins a drag in the time area: of a range; with Ctrl, of a box over rows, or of a host's lane if the press is on the heading of a host.
/// A press on a host's name in the label column begins to drag the name.
void TimeGraph::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    const auto host = hostAt(at);
    m_boxFrom = startsBox(*event) ? std::optional(rowAt(at)) : std::nullopt;
    const bool isLabel = event->button() == Qt::LeftButton && isInLabels(at) && !isOnPin(at) && shapeAt(at) != Qt::SplitHCursor;
    m_pressedPin = m_isPinned && isLabel && rowAt(at) >= 0 ? m_rows[rowAt(at)].ref : TrackRef();
    if (pressHeading(*event)) {
        TimeBody::mousePressEvent(event);
        if (isDragging()) // The user drags the edge of the label column.
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
    if (!axis().hosts().isDragging()) {
        if (event->buttons() & Qt::LeftButton && dragPinned(*event))
            return;
        TimeBody::mouseMoveEvent(event);
        if (m_boxFrom && isDragging() && !axis().window().selection().isEmpty())
            dragBox(at);
        return;
    }
    const bool snaps = event->modifiers() & (Qt::AltModifier | Qt::ShiftModifier);
    axis().hosts().moveTo(timeAt(at), snaps ? axis().scale(width()).durationOf(SnapPixels) : Duration{});
}

void TimeGraph::mouseReleaseEvent(QMouseEvent* event)
{
    m_pressedHost.reset();
    m_pressedPin = {};
    m_boxFrom.reset();
    const bool isCarrying = axis().hosts().isCarrying();
    if (!isCarrying && !axis().hosts().isDragging()) {
        const std::vector<TrackRef> box = isDragging() ? axis().boxRows() : std::vector<TrackRef>();
        TimeBody::mouseReleaseEvent(event);
        if (box.empty() || axis().boxRows() != box)
            return;
        if (std::ranges::find(box, axis().window().row()) == box.end())
            // A row of the box becomes the selected row, because the docks show the state of one row only.
            axis().window().setRow(box.front());
        return axis().setBoxRows(box);
    }
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

void TimeGraph::followArrow(bool forward)
{
    TimeWindow& window = axis().window();
    const TrackRef row = window.row();
    if (!axis().timeline() || !row.isValid())
        return;
    const auto find = [timeline = axis().timeline(), row, at = window.cursor(), forward, links = shownLinks()] {
        return findArrowToFollow(*timeline, row, at, forward, links);
    };
    axis().stepOnceFetched(*this, find, [this, find, row, forward] {
        if (const auto found = find(); !found.empty())
            goAlong(found[0], row, forward);
    });
}

/// Goes from `row` to the other end of an arrow.
void TimeGraph::goAlong(const Arrow& arrow, TrackRef row, bool forward)
{
    TimeWindow& window = axis().window();
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

void TimeGraph::selectRow(int row)
{
    if (row < 0 || row >= m_rows.count() || !m_rows[row].ref.isValid())
        return;
    // Called before setRow(), so that the row is in view already. Otherwise slots of rowChanged() would centre the row, as after a jump.
    ensureRowVisible(row);
    axis().window().setRow(m_rows[row].ref);
}

void TimeGraph::nextRow() { goToRow(rowFrom(m_rows, selectedRow() + 1, 1)); }

void TimeGraph::previousRow() { goToRow(rowFrom(m_rows, selectedRow() - 1, -1)); }

/// Goes to a row. From a call at the cursor, goes to its caller if `row` is above the selected row, otherwise to a callee: the callee at
/// the cursor, or the longest callee. If there is no caller or callee, emits remark() and keeps the selection.
void TimeGraph::goToRow(int row)
{
    const int here = selectedRow();
    const TrackRef target = row >= 0 && row < m_rows.count() ? m_rows[row].ref : TrackRef();
    if (!axis().timeline() || here < 0 || !m_rows[here].hasFrames())
        return goToTrack(target);
    const bool isDeeper = row > here;
    const TrackRef there = areOfOneStack(m_rows, std::min(here, row), std::max(here, row)) ? target : TrackRef();
    const auto find = [timeline = axis().timeline(), step = CallStep{m_rows[here].ref, there, axis().window().cursor(), isDeeper}] {
        return findAdjacentCall(*timeline, step);
    };
    axis().stepOnceFetched(*this, find, [this, find, target, isDeeper, areHidden = m_rows[here].hiddenDepths > 0] {
        const AdjacentCall found = find();
        if (!found.hasCall)
            return goToTrack(target);
        if (!found.range) {
            emit remark(!isDeeper ? tr("No caller") : areHidden ? tr("The calls below are hidden") : tr("No callee"));
            return;
        }
        const int at = m_rows.find(target);
        if (at < 0) // The row has gone while its bytes were fetched.
            return;
        selectRow(at);
        selectCall(axis(), target, *found.range);
        axis().window().showAt(axis().window().cursor());
    });
}

/// Selects a row of the graph, and its call at the cursor, if it has one. Does nothing if the graph does not have the row.
void TimeGraph::goToTrack(TrackRef track)
{
    const int row = track.isValid() ? m_rows.find(track) : -1;
    if (row < 0)
        return;
    selectRow(row);
    const TimeWindow& window = axis().window();
    selectCall(axis(), track, {window.cursor(), window.cursor() + Duration(1)});
}

} // namespace helio
