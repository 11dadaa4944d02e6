// Mouse and keys of a graph of curves: what is not the hand's.

#include "widgets/curves/curve_graph.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace helio {

namespace {

constexpr double Reach = 8; ///< Pixels beside a curve that mean it.
constexpr double SnapPixels = 12;

} // namespace

void CurveGraph::wheelEvent(QWheelEvent* event)
{
    hideTip();
    const int most = CurveScene::heightOf(int(m_series.size())) - height();
    const bool isTaken = m_hand.turnWheel(*event);
    if (!isTaken && (most <= 0 || !m_hand.isInLabels(event->position().toPoint())))
        return event->ignore();
    if (!isTaken) {
        m_scrollY = std::clamp(m_scrollY - int(std::lround(TimeHand::scrollNotches(*event) * 3 * CurveScene::NameHeight)), 0, most);
        refreshLabels();
    }
    event->accept();
}

int CurveGraph::lineAt(QPoint at) const
{
    const int line = at.y() - sceneNow().nameTop(0);
    const int index = line < 0 ? -1 : line / CurveScene::NameHeight;
    return at.x() >= 0 && at.x() < m_axis.labelWidth() - CurveScene::ScaleWidth && index < int(m_series.size()) ? index : -1;
}

void CurveGraph::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    hideTip();
    m_showsFocus = false;
    if (m_hand.press(*event))
        return setCursor(m_hand.shapeAt(at));
    const int line = lineAt(at);
    if (event->button() == Qt::LeftButton && line >= 0)
        setShown(line, !isShown(line));
    else if (event->button() == Qt::RightButton)
        emit contextMenuRequested(event->globalPosition().toPoint(), line < 0 ? TrackRef() : m_series[std::size_t(line)].series.track,
                                  m_axis.window().cursor());
}

/// The first or last point of a column near a time: of those that are seen one by one, each.
std::optional<Timestamp> CurveGraph::pointNear(Timestamp at) const
{
    const Duration reach = m_axis.scale(width()).durationOf(SnapPixels);
    std::optional<Timestamp> nearest;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const auto known = m_known.find(m_series[i].series.ref);
        if (known == m_known.end() || !isShown(int(i)))
            continue;
        for (const SeriesColumn& column : known->second.series.columns.columns)
            for (const Timestamp time : {column.first.time, column.last.time})
                if (const Duration distance = std::chrono::abs(time - at);
                    distance <= reach && (!nearest || distance < std::chrono::abs(*nearest - at)))
                    nearest = time;
    }
    return nearest;
}

void CurveGraph::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_hand.move(*event, [this](Timestamp at) { return pointNear(at); }))
        hover(event->position().toPoint());
}

void CurveGraph::hover(QPoint at)
{
    m_hoveredAt = at;
    if (const int name = m_hand.isInLabels(at) ? lineAt(at) : -1; std::exchange(m_hoveredName, name) != name)
        refreshLabels();
    m_axis.window().setHovered(m_hand.isInLabels(at) ? std::nullopt : std::optional(m_hand.timeAt(at)));
    setCursor(m_hoveredName >= 0 ? Qt::PointingHandCursor : m_hand.shapeAt(at));
    if (m_tip && m_tip->isVisible())
        requestTip(); // It follows.
    else if (!m_hand.isInLabels(at))
        m_tipTimer.start();
    else
        m_tipTimer.stop();
}

/// The upper one of two that lie on each other is the one painted last.
int CurveGraph::nearestLine(QPoint at) const
{
    if (m_hand.isInLabels(at) || !m_values.isValid())
        return -1;
    const CurveScene scene = sceneNow();
    const double x = deviceScale().xAt(m_hand.timeAt(at));
    int nearest = -1;
    double least = Reach;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const CurvePiece* piece = m_lines[i].isHidden ? nullptr : pieceAt(m_lines[i].curve, x);
        if (!piece)
            continue;
        const double top = scene.yOf(piece->most), bottom = scene.yOf(piece->least);
        const double distance = std::max({0.0, top - at.y(), at.y() - bottom});
        if (distance <= least) {
            nearest = int(i);
            least = distance;
        }
    }
    return nearest;
}

void CurveGraph::click(QPoint at)
{
    if (const int line = nearestLine(at); line >= 0 && m_series[std::size_t(line)].series.track.isValid())
        m_axis.window().setRow(m_series[std::size_t(line)].series.track);
    m_axis.window().setCursor(m_hand.timeAt(at));
}

void CurveGraph::mouseReleaseEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    const TimeHand::Release what = m_hand.release();
    if (what == TimeHand::Release::Nothing)
        return;
    hover(at);
    if (what == TimeHand::Release::Drag)
        return;
    const int line = nearestLine(at);
    if (event->button() == Qt::LeftButton && !m_hand.isSpaceDown())
        click(at);
    else if (event->button() == Qt::RightButton)
        emit contextMenuRequested(event->globalPosition().toPoint(), line < 0 ? TrackRef() : m_series[std::size_t(line)].series.track,
                                  m_hand.timeAt(at));
}

void CurveGraph::stepPoint(bool forward)
{
    const auto timeline = m_axis.timeline();
    TimeWindow& window = m_axis.window();
    std::optional<Timestamp> nearest;
    for (std::size_t i = 0; timeline && i < m_series.size(); ++i) {
        const CounterRef series = m_series[i].series.ref;
        const auto point = !isShown(int(i)) ? std::nullopt
            : forward                       ? nextPoint(*timeline, series, window.cursor())
                                            : previousPoint(*timeline, series, window.cursor());
        if (point && (!nearest || (forward ? point->time < *nearest : point->time > *nearest)))
            nearest = point->time;
    }
    if (!nearest)
        return;
    window.setCursor(*nearest);
    window.showAt(*nearest);
}

void CurveGraph::keyPressEvent(QKeyEvent* event)
{
    const bool isArrow = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    const auto modifiers = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    if (isArrow && modifiers == Qt::ControlModifier)
        emit eventStepRequested(event->key() == Qt::Key_Right);
    else if (isArrow && !modifiers)
        stepPoint(event->key() == Qt::Key_Right);
    else if (modifiers || !m_hand.pressKey(*event))
        return QWidget::keyPressEvent(event);
    hideTip();
}

void CurveGraph::keyReleaseEvent(QKeyEvent* event)
{
    m_hand.releaseKey(*event);
    QWidget::keyReleaseEvent(event);
}

void CurveGraph::focusInEvent(QFocusEvent* event)
{
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
}

void CurveGraph::focusOutEvent(QFocusEvent*)
{
    m_hand.letGoOfSpace();
    update();
}

void CurveGraph::leaveEvent(QEvent*)
{
    hideTip();
    m_axis.window().setHovered(std::nullopt);
    if (std::exchange(m_hoveredName, -1) >= 0)
        refreshLabels();
}

} // namespace helio
