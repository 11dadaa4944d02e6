#include "widgets/timeline/overview/overview_strip.h"

#include "widgets/theme/themes.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace helio {

namespace {

constexpr int HandleReach = 5;
constexpr int TitledHeight = 34;

} // namespace

int OverviewStrip::heightFor(std::size_t hosts) { return hosts <= 1 ? 62 : std::min(150, int(hosts) * 30 + 12); }

void OverviewStrip::setTitle(const QString& title, const QPixmap& badge)
{
    m_title = title;
    m_badge = badge;
    m_isPictureOld = true;
    updateHeight();
    update();
}

void OverviewStrip::updateHeight() { setFixedHeight(m_lanes.size() <= 1 && !m_title.isEmpty() ? TitledHeight : heightFor(m_lanes.size())); }

OverviewStrip::OverviewStrip(TimeAxis& axis, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
{
    setFixedHeight(heightFor(1));
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Overview of the whole experiment"));
    const auto repaint = qOverload<>(&QWidget::update);
    const auto redo = [this] {
        m_isPictureOld = true;
        update();
    };
    connect(&axis.window(), &TimeWindow::visibleChanged, this, repaint);
    connect(&axis.window(), &TimeWindow::cursorChanged, this, repaint);
    connect(&axis.window(), &TimeWindow::fullChanged, this, &OverviewStrip::request);
    connect(&axis, &TimeAxis::timelineChanged, this, &OverviewStrip::request);
    connect(&axis, &TimeAxis::labelWidthChanged, this, &OverviewStrip::request);
    connect(&axis.bookmarks(), &Bookmarks::changed, this, repaint);
    connect(&axis.hits(), &SearchHits::changed, this, repaint);
    connect(&axis, &TimeAxis::momentsChanged, this, repaint);
    connect(&Themes::instance(), &Themes::changed, this, redo);
}

TimeScale OverviewStrip::scale() const
{
    if (m_grip == Grip::Lane)
        return m_laneScale;
    return {m_axis.window().full(), double(std::max(1, width() - m_axis.labelWidth()))};
}

void OverviewStrip::request()
{
    const auto timeline = m_axis.timeline();
    if (!timeline || !scale().isValid() || width() <= m_axis.labelWidth()) {
        m_job.cancel();
        m_lanes.clear();
        m_isPictureOld = true;
        update();
        return;
    }
    const auto buckets = std::size_t(scale().width()) / OverviewBucket + 1;
    const TimeRange window{scale().window().begin, scale().timeAt(double(buckets * OverviewBucket))};
    m_job.post([this, timeline, buckets, window](std::stop_token stop) -> LatestTask::Delivery {
        std::vector<OverviewLane> lanes;
        const auto facts = hostFacts(*timeline);
        const auto headings = hostHeadings(*timeline);
        for (const std::uint32_t host : hostsInOrder(*timeline)) {
            if (stop.stop_requested())
                return {};
            lanes.push_back({host, headings[host], facts[host], cpuUtilization(*timeline, host, window, buckets, stop),
                             eventDensity(*timeline, host, window, buckets)});
        }
        return [this, lanes = std::move(lanes), lost = losses(*timeline, window)] {
            m_lanes = lanes;
            m_losses = lost;
            updateHeight();
            m_isPictureOld = true;
            update();
        };
    });
}

double OverviewStrip::laneHeight() const { return double(height() - 1 - MarksHeight) / double(std::max<std::size_t>(1, m_lanes.size())); }

int OverviewStrip::laneAt(double y) const
{
    const int lane = int(std::floor(y / laneHeight()));
    return lane >= 0 && lane < int(m_lanes.size()) ? lane : -1;
}

/// Shows in a tooltip how a host's clock is related to the reference clock.
bool OverviewStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int lane = help->pos().x() < m_axis.labelWidth() ? laneAt(help->pos().y()) : -1;
    const QString words = lane >= 0 ? QString::fromStdString(m_lanes[std::size_t(lane)].heading.sentence) : QString();
    words.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), words, this);
    return true;
}

void OverviewStrip::resizeEvent(QResizeEvent*) { request(); }

OverviewStrip::Grip OverviewStrip::gripAt(const QPoint& at) const
{
    if (std::abs(at.x() - m_axis.labelWidth()) <= 2)
        return Grip::Splitter;
    if (at.x() < m_axis.labelWidth() || !scale().isValid())
        return Grip::None;
    double left = x(m_axis.window().visible().begin);
    double right = x(m_axis.window().visible().end);
    if (right - left < 14) { // The handles stand outside of a narrow brush.
        left -= HandleReach;
        right += HandleReach;
    }
    if (std::abs(at.x() - left) <= HandleReach)
        return Grip::Left;
    if (std::abs(at.x() - right) <= HandleReach)
        return Grip::Right;
    return at.x() > left && at.x() < right && !isWholeShown() ? Grip::Whole : Grip::New;
}

void OverviewStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton && event->button() != Qt::RightButton)
        return;
    const QPoint at = event->position().toPoint();
    if (pressHost(*event))
        return;
    if (event->button() == Qt::RightButton)
        return;
    m_grip = gripAt(at);
    if (m_grip == Grip::None || m_grip == Grip::Splitter)
        return;
    if (event->button() == Qt::MiddleButton)
        m_grip = Grip::Whole;
    m_pressed = at.x();
    m_grabbed = timeAt(at.x());
    m_atGrab = m_axis.window().visible();
    m_axis.window().visit();
}

/// Names of hosts have a menu of their own.
void OverviewStrip::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_lanes.size() < 2 || event->pos().x() >= m_axis.labelWidth())
        emit menuRequested(event->globalPos());
}

/// Handles a press on a lane with Ctrl, which drags the lane, and a right click on a host's name, which opens its menu. Returns false for
/// other presses.
bool OverviewStrip::pressHost(const QMouseEvent& event)
{
    const QPoint at = event.position().toPoint();
    const int lane = m_lanes.size() > 1 && scale().isValid() ? laneAt(at.y()) : -1;
    if (lane < 0)
        return false;
    const std::uint32_t host = m_lanes[std::size_t(lane)].host;
    const bool isInLabels = at.x() < m_axis.labelWidth();
    if (event.button() == Qt::RightButton && isInLabels) {
        m_axis.hosts().askForMenu(host, event.globalPosition().toPoint());
        return true;
    }
    if (event.button() != Qt::LeftButton || isInLabels || !(event.modifiers() & Qt::ControlModifier))
        return false;
    m_laneScale = scale();
    m_grip = Grip::Lane;
    m_focusBefore = QApplication::focusWidget();
    setFocus(Qt::MouseFocusReason); // The strip needs the keys for Escape.
    setCursor(Qt::SizeHorCursor);
    m_axis.hosts().begin(host, timeAt(at.x()));
    return true;
}

void OverviewStrip::dropLane(bool isKept)
{
    m_grip = Grip::None;
    m_focusBefore ? m_focusBefore->setFocus(Qt::OtherFocusReason) : clearFocus();
    isKept ? m_axis.hosts().end() : m_axis.hosts().cancel();
    request();
}

void OverviewStrip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_grip == Grip::Lane)
        return dropLane(false);
    QWidget::keyPressEvent(event);
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    switch (m_grip) {
    case Grip::None: return showGrip(gripAt(at));
    case Grip::Splitter: return m_axis.setLabelWidth(at.x());
    case Grip::Lane: {
        const bool snaps = event->modifiers() & (Qt::AltModifier | Qt::ShiftModifier);
        return m_axis.hosts().moveTo(timeAt(at.x()), snaps ? scale().durationOf(SnapPixels) : Duration{});
    }
    case Grip::New:
        if (std::abs(at.x() - m_pressed) < QApplication::startDragDistance())
            return;
        m_grip = Grip::Drawn;
        [[fallthrough]];
    default: m_axis.window().setVisible(draggedTo(timeAt(at.x())));
    }
}

/// Returns the visible range for the pointer at `at`. A brush that is moved stays inside the experiment.
TimeRange OverviewStrip::draggedTo(Timestamp at) const
{
    const TimeRange full = m_axis.window().full();
    if (m_grip == Grip::Drawn) {
        const auto [from, to] = std::minmax(m_grabbed, std::clamp(at, full.begin, full.end));
        return {from, to};
    }
    Duration shift = at - m_grabbed;
    TimeRange range = m_atGrab;
    if (m_grip == Grip::Whole)
        shift = std::clamp(shift, std::min(Duration(0), full.begin - range.begin), std::max(Duration(0), full.end - range.end));
    if (m_grip != Grip::Right)
        range.begin += shift;
    if (m_grip != Grip::Left)
        range.end += shift;
    if (range.end < range.begin)
        std::swap(range.begin, range.end);
    return range;
}

void OverviewStrip::showGrip(Grip grip)
{
    setCursor(grip == Grip::Splitter                          ? Qt::SplitHCursor
                  : grip == Grip::Left || grip == Grip::Right ? Qt::SizeHorCursor
                  : grip == Grip::Whole                       ? Qt::OpenHandCursor
                  : grip == Grip::New                         ? Qt::CrossCursor
                                                              : Qt::ArrowCursor);
}

/// A click beside the brush moves the visible range there.
void OverviewStrip::mouseReleaseEvent(QMouseEvent*)
{
    if (m_grip == Grip::Lane)
        return dropLane(true);
    const bool isClick = std::exchange(m_grip, Grip::None) == Grip::New;
    if (!isClick || isWholeShown())
        return;
    const Duration length = m_atGrab.duration();
    m_axis.window().setVisible({m_grabbed - length / 2, m_grabbed - length / 2 + length});
}

bool OverviewStrip::isWholeShown() const
{
    const TimeRange visible = m_axis.window().visible();
    const TimeRange full = m_axis.window().full();
    return visible.begin <= full.begin && visible.end >= full.end;
}

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent*) { m_axis.fit(); }

void OverviewStrip::wheelEvent(QWheelEvent* event)
{
    const double n = event->angleDelta().y() / 120.0;
    if (event->modifiers() & Qt::ShiftModifier)
        m_axis.window().pan(-n * 0.1);
    else
        m_axis.window().zoom(std::pow(0.8, n), timeAt(event->position().toPoint().x()));
    event->accept();
}

} // namespace helio
