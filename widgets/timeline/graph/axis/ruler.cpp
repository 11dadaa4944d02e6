#include "widgets/timeline/graph/axis/ruler.h"

#include "widgets/theme/themes.h"
#include "widgets/time/bookmarks.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace helio {

namespace {

/// Returns the text of a bookmark's flag. The flag of the second of two markers also shows the distance from the first marker.
QString flagName(const Bookmark& bookmark, const Bookmarks& all)
{
    const bool isSecond = bookmark.name == MarkerB && bookmark.range.isEmpty();
    const QString difference = isSecond ? markerDifferenceText(all) : QString();
    return difference.isEmpty() ? bookmark.name : bookmark.name + QStringLiteral("  ") + difference;
}

} // namespace

Ruler::Ruler(TimeAxis& axis, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_drag(axis)
{
    setFixedHeight(RulerHeight);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Time ruler"));
    const auto repaint = qOverload<>(&QWidget::update);
    TimeWindow& window = axis.window();
    for (const auto signal : {&TimeWindow::visibleChanged, &TimeWindow::cursorChanged, &TimeWindow::selectionChanged,
                              &TimeWindow::hoveredChanged, &TimeWindow::fullChanged})
        connect(&window, signal, this, repaint);
    connect(&axis, &TimeAxis::labelWidthChanged, this, repaint);
    connect(&axis, &TimeAxis::formatChanged, this, repaint);
    connect(&axis, &TimeAxis::rangeShownChanged, this, repaint);
    connect(&axis.bookmarks(), &Bookmarks::changed, this, repaint);
    connect(&axis.hits(), &SearchHits::changed, this, repaint);
    connect(&axis, &TimeAxis::momentsChanged, this, repaint);
    connect(&axis, &TimeAxis::findingMarksChanged, this, repaint);
    connect(&Themes::instance(), &Themes::changed, this, repaint);
}

RulerScene Ruler::scene() const
{
    const TimeWindow& window = m_axis.window();
    RulerScene scene;
    scene.size = size();
    scene.labelWidth = m_axis.labelWidth();
    scene.scale = m_axis.scale(width());
    scene.format = m_axis.format();
    if (!window.full().isEmpty())
        scene.cursor = window.cursor();
    scene.hovered = window.hovered();
    scene.selection = m_axis.shownRange();
    scene.snapped = m_axis.snapped();
    scene.isZooming = m_axis.zoomRange().has_value();
    for (const Bookmark& bookmark : m_axis.bookmarks().all())
        scene.bookmarks.push_back({bookmark.range, flagName(bookmark, m_axis.bookmarks())});
    const auto& hits = m_axis.hits().hits();
    const auto first = std::ranges::lower_bound(hits, scene.scale.window().begin, {}, &EventHit::time);
    for (auto it = first; it != hits.end() && it->time < scene.scale.window().end; ++it)
        scene.hits.push_back(it->time);
    const auto hitCount = std::ptrdiff_t(scene.hits.size());
    std::ranges::copy(m_axis.momentsIn(scene.scale.window(), scene.scale.resolution()), std::back_inserter(scene.hits));
    std::inplace_merge(scene.hits.begin(), scene.hits.begin() + hitCount, scene.hits.end());
    if (const auto& finding = m_axis.findingMarks()) {
        scene.findingRanges = finding->ranges;
        scene.findingColor = finding->color;
    }
    return scene;
}

Timestamp Ruler::timeAt(const QPoint& at) const { return m_axis.scale(width()).timeAt(at.x() - m_axis.labelWidth()); }

void Ruler::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintRuler(painter, scene(), theme(), fonts());
}

void Ruler::wheelEvent(QWheelEvent* event)
{
    const QPointF n = QPointF(event->angleDelta()) / 120;
    const bool isPan = (event->modifiers() & Qt::ShiftModifier) || std::abs(n.x()) > std::abs(n.y());
    if (isPan)
        m_axis.panBy(-(n.x() + n.y()) * 0.1);
    else
        m_axis.zoomBy(std::pow(0.8, n.y()), timeAt(event->position().toPoint()));
    event->accept();
}

void Ruler::mousePressEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (event->button() == Qt::LeftButton && isOnSplitter(at))
        m_dragsSplitter = true;
    else if (at.x() >= m_axis.labelWidth() && !m_drag.isActive())
        m_drag.begin(at, width(), event->button(), false);
}

void Ruler::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (m_dragsSplitter) {
        m_axis.setLabelWidth(at.x());
        return;
    }
    const bool isInside = at.x() >= m_axis.labelWidth();
    if (m_drag.isActive())
        m_drag.move(at);
    if (!m_drag.isPanning())
        m_axis.window().setHovered(isInside ? std::optional(timeAt(at)) : std::nullopt);
    setCursor(isOnSplitter(at) ? Qt::SplitHCursor : isInside && m_drag.isOnEdge(at, width()) ? Qt::SizeHorCursor : Qt::ArrowCursor);
}

void Ruler::mouseReleaseEvent(QMouseEvent* event)
{
    if (std::exchange(m_dragsSplitter, false) || !m_drag.isActive() || m_drag.end())
        return;
    const QPoint at = event->position().toPoint();
    if (event->button() == Qt::RightButton) {
        emit contextMenuRequested(event->globalPosition().toPoint(), timeAt(at));
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    const RulerScene now = scene();
    for (const RulerScene::Flag& flag : now.bookmarks) {
        if (!flagRect(now, flag, fonts()).contains(at))
            continue;
        m_axis.window().setCursor(flag.range.begin);
        if (!flag.range.isEmpty())
            m_axis.window().setSelection(flag.range);
        return;
    }
    m_axis.window().setCursor(timeAt(at));
}

void Ruler::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_axis.window().selection().contains(timeAt(event->position().toPoint())))
        m_axis.zoomToSelection();
}

void Ruler::leaveEvent(QEvent*) { m_axis.window().setHovered(std::nullopt); }

} // namespace helio
