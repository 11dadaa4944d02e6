#include "widgets/overview/overview_strip.h"

#include "widgets/theme/themes.h"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace helio {

namespace {

constexpr int HandleReach = 5;
constexpr int BucketWidth = 2; ///< Pixels.
constexpr int TitledHeight = 34;

} // namespace

int OverviewStrip::heightFor(std::size_t hosts) { return hosts <= 1 ? 62 : std::min(150, int(hosts) * 30 + 12); }

void OverviewStrip::setTitle(const QString& title)
{
    m_title = title;
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
    connect(&Themes::instance(), &Themes::changed, this, redo);
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
    const auto buckets = std::size_t(scale().width()) / BucketWidth + 1;
    const TimeRange window{m_axis.window().full().begin, scale().timeAt(double(buckets * BucketWidth))};
    m_job.post([this, timeline, buckets, window](std::stop_token stop) -> LatestJob::Delivery {
        std::vector<OverviewLane> lanes;
        for (const HostFacts& facts : hostFacts(*timeline)) {
            if (stop.stop_requested())
                return {};
            const auto host = std::uint32_t(lanes.size());
            lanes.push_back({facts, cpuUse(*timeline, host, window, buckets, stop), eventDensity(*timeline, host, window, buckets)});
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

void OverviewStrip::resizeEvent(QResizeEvent*) { request(); }

OverviewStrip::Grip OverviewStrip::gripAt(const QPoint& at) const
{
    if (std::abs(at.x() - m_axis.labelWidth()) <= 2)
        return Grip::Splitter;
    if (at.x() < m_axis.labelWidth() || !scale().isValid())
        return Grip::None;
    double left = x(m_axis.window().visible().begin);
    double right = x(m_axis.window().visible().end);
    if (right - left < 14) { // the handles step outside
        left -= HandleReach;
        right += HandleReach;
    }
    if (std::abs(at.x() - left) <= HandleReach)
        return Grip::Left;
    if (std::abs(at.x() - right) <= HandleReach)
        return Grip::Right;
    return at.x() > left && at.x() < right ? Grip::Whole : Grip::New;
}

void OverviewStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    const QPoint at = event->position().toPoint();
    m_grip = gripAt(at);
    if (m_grip == Grip::None || m_grip == Grip::Splitter)
        return;
    m_grabbed = timeAt(at.x());
    if (m_grip == Grip::New) { // a click outside brings the window there
        const TimeRange visible = m_axis.window().visible();
        const Duration half = visible.duration() / 2;
        m_axis.window().visit();
        m_axis.window().setVisible({m_grabbed - half, m_grabbed - half + visible.duration()});
        m_grip = Grip::Whole;
    }
    m_atGrab = m_axis.window().visible();
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (m_grip == Grip::None) {
        const Grip grip = gripAt(at);
        setCursor(grip == Grip::Splitter                          ? Qt::SplitHCursor
                      : grip == Grip::Left || grip == Grip::Right ? Qt::SizeHorCursor
                      : grip == Grip::Whole                       ? Qt::OpenHandCursor
                                                                  : Qt::ArrowCursor);
        return;
    }
    if (m_grip == Grip::Splitter) {
        m_axis.setLabelWidth(at.x());
        return;
    }
    const Duration shift = timeAt(at.x()) - m_grabbed;
    TimeRange range = m_atGrab;
    if (m_grip != Grip::Right)
        range.begin += shift;
    if (m_grip != Grip::Left)
        range.end += shift;
    if (range.end < range.begin)
        std::swap(range.begin, range.end);
    m_axis.window().setVisible(range);
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent*) { m_grip = Grip::None; }

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
