#include "widgets/timeline/overview/overview_strip.h"

#include "widgets/paint/host_badge.h"
#include "widgets/paint/marks.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace helio {

namespace {

constexpr double FindingHeight = 4; ///< Height in pixels of the marks of a finding.
constexpr int HandleReach = 5;
constexpr int TitledHeight = 34;

constexpr double UseShare = 0.72; ///< Fraction of the lane's height that is filled if all CPUs are busy.
constexpr double DensityShare = 0.94;
constexpr double UseStrength = 0.6; ///< Weight of the states' colours, 0 to 1: paler than the rows below, which matter more.
constexpr int UnknownHeight = 5;
constexpr int BadgeGap = 6;
constexpr int NamedLane = 14; ///< Minimum height in pixels of lanes that show the name of their host.

/// Returns the text of a lane: "4 CPUs, 18.2 M events"; for a single host also the duration of the recording.
QString summary(const HostFacts& facts, Duration length, bool isOnly)
{
    QStringList parts;
    if (facts.cpus > 0)
        parts << (facts.cpus == 1 ? OverviewStrip::tr("1 CPU") : OverviewStrip::tr("%1 CPUs").arg(facts.cpus));
    const double seconds = double(length.count()) / 1e9;
    if (isOnly)
        parts << (seconds >= 1 && seconds < 120 ? QStringLiteral("%1 s").arg(seconds, 0, 'f', 1) : durationText(length));
    if (facts.events >= 1'000'000)
        parts << OverviewStrip::tr("%1 M events").arg(double(facts.events) / 1e6, 0, 'f', 1);
    else if (facts.events > 0)
        parts << OverviewStrip::tr("%1 events").arg(countText(qint64(facts.events)));
    return parts.join(isOnly ? QStringLiteral(" · ") : QStringLiteral(", "));
}

} // namespace

int OverviewStrip::heightFor(std::size_t hosts, bool isLow) { return hosts > 1 ? std::min(150, int(hosts) * 30 + 12) : isLow ? 40 : 62; }

void OverviewStrip::setLow(bool isLow)
{
    if (std::exchange(m_isLow, isLow) != isLow)
        updateHeight();
}

void OverviewStrip::setTitle(const QString& title, const QPixmap& badge)
{
    m_title = title;
    m_badge = badge;
    m_isPictureOld = true;
    updateHeight();
    update();
}

void OverviewStrip::updateHeight()
{
    setFixedHeight(m_lanes.size() <= 1 && !m_title.isEmpty() ? TitledHeight : heightFor(m_lanes.size(), m_isLow));
}

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
    connect(&axis.window(), &TimeWindow::visibleChanged, this, [this] {
        const TimeRange visible = m_axis.window().visible();
        if (QAccessible::isActive() && !visible.isEmpty())
            setAccessibleDescription(tr("Visible: %1").arg(rangeText(visible, m_axis.format(), digitsFor(visible.duration() / 1000))));
    });
    connect(&axis.window(), &TimeWindow::cursorChanged, this, repaint);
    connect(&axis.window(), &TimeWindow::fullChanged, this, &OverviewStrip::request);
    connect(&axis, &TimeAxis::timelineChanged, this, &OverviewStrip::request);
    connect(&axis, &TimeAxis::labelWidthChanged, this, &OverviewStrip::request);
    connect(&axis.bookmarks(), &Bookmarks::changed, this, repaint);
    connect(&axis.hits(), &SearchHits::changed, this, repaint);
    connect(&axis, &TimeAxis::momentsChanged, this, repaint);
    connect(&axis, &TimeAxis::findingMarksChanged, this, repaint);
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

bool OverviewStrip::areLanesNamed() const { return m_lanes.size() <= 1 || laneHeight() >= NamedLane; }

int OverviewStrip::laneAt(double y) const
{
    const int lane = int(std::floor(y / laneHeight()));
    return lane >= 0 && lane < int(m_lanes.size()) ? lane : -1;
}

/// Shows the tooltip of a host's lane. It explains how the host's clock is related to the reference clock, and names the host if the lane
/// has no room for the name.
bool OverviewStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int lane = help->pos().x() < m_axis.labelWidth() ? laneAt(help->pos().y()) : -1;
    QString words = lane >= 0 ? QString::fromStdString(m_lanes[std::size_t(lane)].heading.sentence) : QString();
    if (lane >= 0 && !areLanesNamed())
        words = QString::fromStdString(m_lanes[std::size_t(lane)].facts.label) + (words.isEmpty() ? words : QStringLiteral("\n") + words);
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
    // If the brush (the rectangle of the visible range) is this narrow, its handles are outside, so that they do not cover it.
    if (right - left < 14) {
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
    m_axis.window().endSeries();
}

/// Emits menuRequested(), unless the click is on the name of a host: the name has a menu of its own.
void OverviewStrip::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_lanes.size() < 2 || event->pos().x() >= m_axis.labelWidth())
        emit menuRequested(event->globalPos());
}

/// Handles the presses that concern a host. With Ctrl and the left button on a lane, the user starts to drag the lane; with the right
/// button on a host's name, the user opens the host's menu. Returns false for any other press.
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
    setFocus(Qt::MouseFocusReason); // The strip needs the focus to receive Escape.
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
    default: m_axis.window().step({.visible = draggedTo(timeAt(at.x()))}, TimeWindow::Series::Drag);
    }
}

/// Returns the visible range that results from the drag if the pointer is at time `at`. If the user moves the whole brush, i.e. the
/// rectangle of the visible range, the brush stays inside the experiment.
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

/// Ends a drag. A click outside of the brush (the rectangle of the visible range) centres the visible range at the clicked time.
void OverviewStrip::mouseReleaseEvent(QMouseEvent*)
{
    if (m_grip == Grip::Lane)
        return dropLane(true);
    const bool isClick = std::exchange(m_grip, Grip::None) == Grip::New;
    if (!isClick || isWholeShown())
        return;
    const Duration length = m_atGrab.duration();
    m_axis.window().jump({.visible = TimeRange{m_grabbed - length / 2, m_grabbed - length / 2 + length}});
}

bool OverviewStrip::isWholeShown() const
{
    const TimeRange visible = m_axis.window().visible();
    const TimeRange full = m_axis.window().full();
    return visible.begin <= full.begin && visible.end >= full.end;
}

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent*) { m_axis.showAll(); }

void OverviewStrip::wheelEvent(QWheelEvent* event)
{
    const double n = event->angleDelta().y() / 120.0;
    if (event->modifiers() & Qt::ShiftModifier)
        m_axis.panBy(-n * 0.1);
    else
        m_axis.zoomBy(std::pow(0.8, n), timeAt(event->position().toPoint().x()));
    event->accept();
}

std::vector<double> smoothDensity(const std::vector<double>& counts)
{
    constexpr double Enough = 8;
    /// Maximum number of adjacent buckets that are averaged together. Events that are farther apart are drawn as separate events, not as a
    /// low common rate.
    constexpr std::size_t MostAveragedBuckets = 24;
    std::vector<double> calm(counts.size());
    std::size_t first = 0;
    double sum = 0;
    const auto endBefore = [&](std::size_t end) {
        std::fill(calm.begin() + std::ptrdiff_t(first), calm.begin() + std::ptrdiff_t(end),
                  sum / double(std::max<std::size_t>(1, end - first)));
        first = end;
        sum = 0;
    };
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] >= Enough)
            endBefore(i);
        sum += counts[i];
        if (sum >= Enough || i + 1 - first == MostAveragedBuckets)
            endBefore(i + 1);
    }
    endBefore(counts.size());
    return calm;
}

void OverviewStrip::paintName(QPainter& painter, const OverviewLane& lane, const QRectF& rect, bool isOnly)
{
    const Theme& theme = helio::theme();
    const bool isTitled = m_lanes.size() == 1 && !m_title.isEmpty();
    const QString label = isTitled ? m_title : QString::fromStdString(lane.facts.label);
    const double middle = rect.center().y();
    painter.setFont(fonts().group());
    painter.setPen(theme.color("text.primary"));
    const Duration recorded = lane.facts.range.duration();
    const QString text = isTitled ? durationText(recorded) : summary(lane.facts, recorded, m_lanes.size() == 1);
    // Width in pixels of the text at the right.
    const double beside = isOnly || rect.width() < 220 ? 0 : tabularWidth(fonts().small(), text) + 10;
    double left = 12;
    if (isTitled && !m_badge.isNull()) {
        const double height = m_badge.deviceIndependentSize().height();
        painter.drawPixmap(QPointF(left, std::floor(middle - height / 2)), m_badge);
        left += m_badge.deviceIndependentSize().width() + 8;
    }
    if (m_lanes.size() > 1 && rect.height() >= BadgeSize) {
        paintHostBadge(painter, QPointF(left, std::floor(middle - BadgeSize / 2.0)), lane.heading, theme);
        left += BadgeSize + BadgeGap;
    }
    painter.drawText(QPointF(left, isOnly ? middle - 2 : middle + 4),
                     QFontMetricsF(fonts().group()).elidedText(label, Qt::ElideMiddle, rect.width() - left - 12 - beside));
    painter.setFont(fonts().small());
    painter.setPen(theme.color("text.secondary"));
    if (isOnly) {
        const QString separator = QStringLiteral(" \u00b7 ");
        QString shown = text; // Facts that do not fit are left out, because a cut number would look like another number.
        while (shown.contains(separator) && tabularWidth(fonts().small(), shown) > rect.width() - 20)
            shown = shown.section(separator, 0, -2);
        drawTabularAt(painter, {12, middle + 14}, shown);
    } else if (beside > 0)
        drawTabular(painter, rect.adjusted(12, 0, -12, 0), Qt::AlignRight, text);
}

/// Paints CPU use as columns in muted colours.
void OverviewStrip::paintUse(QPainter& painter, const OverviewLane& lane, const QRectF& rect)
{
    const double unit = rect.height() * UseShare;
    const QColor ground = theme().color("surface.timeline");
    QRegion unknown;
    for (std::size_t i = 0; i < lane.use.size(); ++i) {
        double y = rect.bottom();
        const CpuUtilization& use = lane.use[i];
        const double left = rect.left() + double(i * OverviewBucket);
        for (const auto& [share, role] :
             {std::pair{use.kernel, "cpu.syscall"}, std::pair{use.user, "cpu.user"}, std::pair{use.interrupt, "cpu.irq"}}) {
            const double height = std::clamp(double(share), 0.0, 1.0) * unit;
            if (height < 0.2)
                continue;
            painter.fillRect(QRectF(left, y - height, OverviewBucket, height), mixed(ground, theme().color(role), UseStrength));
            y -= height;
        }
        if (use.unknown > 0.5F)
            unknown += QRect(int(left), int(rect.bottom()) - UnknownHeight, OverviewBucket, UnknownHeight);
    }
    painter.save();
    painter.setClipRegion(unknown, Qt::IntersectClip);
    if (!unknown.isEmpty())
        paintHatch(painter, unknown.boundingRect(), theme().color("cpu.unknown"), 5, 1.2);
    painter.restore();
}

void OverviewStrip::paintDensity(QPainter& painter, const OverviewLane& lane, const QRectF& rect)
{
    const std::vector<double> density = smoothDensity(lane.density);
    const double most = density.empty() ? 0 : *std::ranges::max_element(density);
    if (most <= 0)
        return;
    QPolygonF line;
    // The square root of the density is drawn, so that lower densities are visible beside bursts.
    for (std::size_t i = 0; i < density.size(); ++i)
        line << QPointF(rect.left() + double(i * OverviewBucket) + 1,
                        rect.bottom() - std::sqrt(density[i] / most) * rect.height() * DensityShare);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(mixed(theme().color("surface.timeline"), theme().color("text.hint"), 0.7), 1));
    painter.drawPolyline(line);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Marks a range of lost events, at the height of its CPU within the host's lane.
void OverviewStrip::paintLoss(QPainter& painter, const LossRange& loss, double laneHeight)
{
    const auto timeline = m_axis.timeline();
    const auto lane = std::ranges::find(m_lanes, timeline ? hostOf(*timeline, loss.trace) : 0, &OverviewLane::host);
    if (lane == m_lanes.end())
        return;
    const double cpus = std::max(1.0, double(lane->facts.cpus));
    const bool isOne = loss.cpu >= 0 && loss.cpu < int(cpus);
    const double height = isOne ? std::max(2.0, laneHeight / cpus) : laneHeight;
    const double top = laneHeight * double(lane - m_lanes.begin()) + (isOne ? laneHeight / cpus * loss.cpu : 0);
    const double from = x(loss.range.begin);
    paintHatch(painter, QRectF(from, top, std::max(3.0, x(loss.range.end) - from), height), helio::theme().color("mark.lost"), 5, 1.2);
}

/// Paints the background of the range that the host recorded, and clips further painting to it; the rest of the lane stays empty.
void OverviewStrip::paintVoid(QPainter& painter, const OverviewLane& lane, const QRectF& rect)
{
    const double left = std::max(rect.left(), std::floor(x(lane.facts.range.begin)));
    const double right = std::min(rect.right(), std::ceil(x(lane.facts.range.end)) + OverviewBucket);
    painter.fillRect(rect, theme().color("surface.overview"));
    const QRectF own(left, rect.top(), std::max(0.0, right - left), rect.height());
    painter.fillRect(own, theme().color("surface.timeline"));
    painter.setClipRect(own);
}

void OverviewStrip::compose()
{
    const Theme& theme = helio::theme();
    const qreal ratio = devicePixelRatioF();
    m_picture = QImage((QSizeF(size()) * ratio).toSize(), QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(ratio);
    QPainter painter(&m_picture);
    painter.fillRect(rect(), theme.color("surface.overview"));
    painter.fillRect(timeArea(), theme.color("surface.timeline"));
    const double each = laneHeight();
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const double top = each * double(i);
        const QRectF lane(timeArea().left(), top + 2, timeArea().width(), each - 2);
        paintVoid(painter, m_lanes[i], QRectF(timeArea().left(), top, timeArea().width(), each));
        paintUse(painter, m_lanes[i], lane);
        paintDensity(painter, m_lanes[i], lane);
        painter.setClipping(false);
        const bool isOnly = m_lanes.size() == 1 && m_title.isEmpty();
        if (areLanesNamed())
            paintName(painter, m_lanes[i], QRectF(0, top, m_axis.labelWidth(), isOnly ? height() : each), isOnly);
    }
    if (!areLanesNamed()) {
        painter.setFont(fonts().group());
        painter.setPen(theme.color("text.primary"));
        const bool areNamed = std::ranges::any_of(m_lanes, [](const OverviewLane& lane) { return lane.facts.isNamed; });
        const int count = int(m_lanes.size());
        const QString lanes = areNamed ? tr("%n hosts", nullptr, count) : tr("%n recordings", nullptr, count);
        painter.drawText(QPointF(12, height() / 2.0 + 4), lanes);
    }
    for (const LossRange& loss : m_losses)
        paintLoss(painter, loss, each);
    painter.fillRect(QRectF(m_axis.labelWidth() - 1, 0, 1, height()), theme.color("line.subtle"));
    painter.fillRect(QRectF(0, height() - 1, width(), 1), theme.color("line.strong"));
    m_isPictureOld = false;
}

void OverviewStrip::paintMarks(QPainter& painter, const QRectF& rect)
{
    const Theme& theme = helio::theme();
    if (const auto& finding = m_axis.findingMarks())
        for (const TimeRange& range : finding->ranges) {
            const double left = x(range.begin);
            painter.fillRect(QRectF(left, rect.bottom() - FindingHeight, std::max(2.0, x(range.end) - left), FindingHeight),
                             theme.colorOf(finding->color));
        }
    const double tip = rect.bottom() - 2;
    double last = -10;
    for (const EventHit& hit : m_axis.hits().hits()) {
        const double at = x(hit.time);
        if (at - last < 4)
            continue;
        last = at;
        paintTriangle(painter, QPointF(at, tip), 8, 6, theme.color("mark.hit"));
    }
    if (const TimeScale whole = scale(); whole.isValid())
        for (const Timestamp moment : m_axis.momentsIn(whole.window(), whole.resolution() * 4))
            paintTriangle(painter, QPointF(x(moment), tip), 8, 6, theme.color("mark.hit"));
    for (const Bookmark& bookmark : m_axis.bookmarks().all())
        paintTriangle(painter, QPointF(x(bookmark.range.begin), tip), 8, 6, theme.color("mark.bookmark"));
}

void OverviewStrip::paintBrush(QPainter& painter)
{
    const Theme& theme = helio::theme();
    const QRectF area = timeArea();
    const double left = std::clamp(std::floor(x(m_axis.window().visible().begin)), area.left(), area.right() - 2);
    const double right = std::clamp(std::ceil(x(m_axis.window().visible().end)), left + 2, area.right());
    const QColor shade = theme.color("brush.shade");
    painter.fillRect(QRectF(area.left(), 0, left - area.left(), area.height()), shade);
    painter.fillRect(QRectF(right, 0, area.right() - right, area.height()), shade);
    const QColor edge = theme.color("brush.edge");
    painter.fillRect(QRectF(left, 0, 1, area.height()), edge);
    painter.fillRect(QRectF(right - 1, 0, 1, area.height()), edge);
    painter.fillRect(QRectF(left, 0, right - left, 2), theme.color("accent.line"));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(edge);
    const bool isNarrow = right - left < 14;
    const double y = (area.height() - MarksHeight) / 2 - 9 + 4;
    for (const double at : {isNarrow ? left - 6 : left - 2, isNarrow ? right + 1 : right - 3})
        painter.drawRoundedRect(QRectF(at, y, 5, 18), 2, 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void OverviewStrip::paintEvent(QPaintEvent*)
{
    if (m_isPictureOld || m_picture.devicePixelRatio() != devicePixelRatioF()
        || m_picture.size() != (QSizeF(size()) * devicePixelRatioF()).toSize())
        compose();
    QPainter painter(this);
    painter.drawImage(0, 0, m_picture);
    if (!scale().isValid() || m_lanes.empty())
        return;
    if (const auto& finding = m_axis.findingMarks()) {
        constexpr double Size = 14;
        const QColor color = theme().colorOf(finding->color);
        painter.setFont(fonts().at(9.5, 600));
        paintRankDisc(painter, QRectF(m_axis.labelWidth() - Size - 6, height() - Size - 3, Size, Size), finding->rank, color,
                      theme().textColorFor(color));
    }
    painter.setClipRect(timeArea());
    paintMarks(painter, timeArea());
    paintBrush(painter);
}

} // namespace helio
