#include "widgets/docks/clocks/residual_plot.h"

#include "widgets/paint/focus_ring.h"
#include "widgets/theme/themes.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr double WheelStep = 1.25;
constexpr double DragBegin = 4; ///< Minimum distance in pixels that makes a press a drag.
constexpr Duration Shortest{1000};

} // namespace

ResidualPlot::ResidualPlot(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(&Themes::instance(), &Themes::changed, this, &ResidualPlot::update);
}

void ResidualPlot::setResiduals(std::shared_ptr<const Residuals> residuals, const QString& host, const QString& neighbour)
{
    const bool isOfTheSame = m_residuals && residuals && m_residuals->host == residuals->host
        && m_residuals->neighbour == residuals->neighbour && m_residuals->all == residuals->all;
    const bool showedAll = m_window == m_full;
    const TimeRange before = m_full;
    m_residuals = residuals && !residuals->points.empty() ? std::move(residuals) : nullptr;
    m_host = host;
    m_neighbour = neighbour;
    m_full = m_residuals ? timesOf(*m_residuals) : TimeRange{};
    // All times move by this duration if the clock of the host or of the time axis changed; the visible range moves along.
    const Duration moved = m_full.begin - before.begin;
    if (isOfTheSame && !showedAll)
        m_window = {m_window.begin + moved, m_window.end + moved};
    else
        m_window = m_full;
    if (!isOfTheSame) {
        m_height = 1;
        m_hovered = {};
        select({});
    }
    update();
}

void ResidualPlot::setTimeFormat(const TimeFormat& format)
{
    m_timeFormat = format;
    update();
}

void ResidualPlot::setCursor(Timestamp at)
{
    m_cursor = at;
    QWidget::update();
}

void ResidualPlot::select(std::optional<std::size_t> point)
{
    if (point == m_selected)
        return;
    m_selected = point;
    QWidget::update();
    emit selectedChanged();
}

/// Computes the scale of the plot again, and schedules a repaint.
void ResidualPlot::update()
{
    m_picture = {};
    const double scale = fonts().scale();
    const QRectF area = QRectF(rect()).adjusted(48 * scale, 40 * scale, -12, -22 * scale);
    m_scale = {};
    if (m_residuals && area.width() > 20 && area.height() > 20) {
        const DistanceRange all = computeDistanceRange(*m_residuals, m_window);
        const double middle = double(all.low.count()) / 2 + double(all.high.count()) / 2;
        const double half = std::clamp((double(all.high.count()) / 2 - double(all.low.count()) / 2) * m_height, 2.0, 2e18);
        m_scale = ResidualScale(m_window, {Duration(std::llround(middle - half)), Duration(std::llround(middle + half))}, area);
    }
    QWidget::update();
}

void ResidualPlot::resizeEvent(QResizeEvent*) { update(); }

void ResidualPlot::setWindow(TimeRange window)
{
    const Duration length = std::clamp(window.duration(), std::min(Shortest, m_full.duration()), m_full.duration());
    const Timestamp begin = std::clamp(window.begin, m_full.begin, m_full.end - length);
    m_window = {begin, begin + length};
    update();
}

void ResidualPlot::zoom(double factor, Timestamp around)
{
    const auto scaled = [factor](Duration d) { return Duration(std::llround(double(d.count()) * factor)); };
    setWindow({around - scaled(around - m_window.begin), around + scaled(m_window.end - around)});
}

void ResidualPlot::showAll()
{
    m_height = 1;
    m_window = m_full;
    update();
}

void ResidualPlot::wheelEvent(QWheelEvent* event)
{
    const QPoint turned = event->angleDelta();
    // Direction of the wheel: some systems turn vertical into horizontal scrolling while Alt is held.
    const int way = turned.y() != 0 ? turned.y() : turned.x();
    if (!m_scale.isValid() || way == 0)
        return;
    event->accept();
    const double factor = std::pow(WheelStep, -way / 120.0);
    if (event->modifiers() & Qt::ControlModifier) {
        m_height = std::clamp(m_height * factor, 1e-3, 1e6);
        return update();
    }
    if (event->modifiers() & Qt::ShiftModifier) {
        const Duration by(std::llround(double(m_window.duration().count()) * -way / 1200.0));
        return setWindow({m_window.begin + by, m_window.end + by});
    }
    const double x = event->position().x() - m_scale.area().left();
    zoom(factor, m_scale.times().timeAt(std::clamp(x, 0.0, m_scale.area().width())));
}

void ResidualPlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_scale.isValid())
        return;
    m_pressed = event->position();
    m_windowPressed = m_window;
    m_isDragging = false;
}

void ResidualPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_scale.isValid())
        return;
    const QPointF at = event->position();
    if (m_pressed) {
        m_isDragging = m_isDragging || std::abs(at.x() - m_pressed->x()) >= DragBegin;
        if (m_isDragging) {
            const Duration by = m_scale.times().durationOf(m_pressed->x() - at.x());
            setWindow({m_windowPressed.begin + by, m_windowPressed.end + by});
        }
        return;
    }
    const auto point = findResidual(*m_residuals, m_scale, at);
    if (point != m_hovered) {
        m_hovered = point;
        QWidget::setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
        QWidget::update();
    }
    const bool isInside = m_scale.area().contains(at);
    emit hovered(isInside ? std::optional(m_scale.times().timeAt(at.x() - m_scale.area().left())) : std::nullopt);
}

void ResidualPlot::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !std::exchange(m_pressed, {}) || std::exchange(m_isDragging, false) || !m_scale.isValid())
        return;
    const auto point = findResidual(*m_residuals, m_scale, event->position());
    select(point);
    if (point)
        emit chosen(*point);
}

void ResidualPlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_scale.isValid() && !findResidual(*m_residuals, m_scale, event->position()))
        showAll();
}

void ResidualPlot::leaveEvent(QEvent*)
{
    m_hovered = {};
    QWidget::update();
    emit hovered({});
}

/// Selects the next or previous packet in time, and scrolls it into view.
void ResidualPlot::step(int by)
{
    const auto count = std::ptrdiff_t(m_residuals->points.size());
    const auto inView = std::ranges::lower_bound(m_residuals->points, m_window.begin, {}, &Residual::at) - m_residuals->points.begin();
    const auto next = m_selected ? std::ptrdiff_t(*m_selected) + by : inView;
    select(std::size_t(std::clamp<std::ptrdiff_t>(next, 0, count - 1)));
    const Timestamp at = m_residuals->points[*m_selected].at;
    if (at < m_window.begin || at > m_window.end)
        setWindow({at - m_window.duration() / 2, at + m_window.duration() / 2});
}

void ResidualPlot::keyPressEvent(QKeyEvent* event)
{
    if (!m_scale.isValid())
        return QWidget::keyPressEvent(event);
    const Timestamp centre = m_selected ? m_residuals->points[*m_selected].at : m_window.begin + m_window.duration() / 2;
    switch (event->key()) {
    case Qt::Key_Right: return step(1);
    case Qt::Key_Left: return step(-1);
    case Qt::Key_Home: return step(-int(m_residuals->points.size()));
    case Qt::Key_End: return step(int(m_residuals->points.size()));
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(1 / WheelStep, centre);
    case Qt::Key_Minus: return zoom(WheelStep, centre);
    case Qt::Key_0: return showAll();
    case Qt::Key_Escape:
        if (!m_selected)
            break;
        return select({});
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_selected)
            emit chosen(*m_selected);
        return;
    default: break;
    }
    QWidget::keyPressEvent(event);
}

QString ResidualPlot::tipOf(std::size_t point) const
{
    const Residual& it = m_residuals->points[point];
    const QString way = it.isArrival ? tr("%1 \u2192 %2").arg(m_neighbour, m_host) : tr("%1 \u2192 %2").arg(m_host, m_neighbour);
    const QString at = timeText(it.at, m_timeFormat, 9);
    const Duration took = it.isArrival ? ResidualScale::shown(it) : -ResidualScale::shown(it);
    QString text = took >= Duration{} ? tr("%1 at %2: %3 in transit").arg(way, at, durationText(took))
                                      : tr("%1 at %2: arrived %3 before it was sent").arg(way, at, durationText(-took));
    if (it.isOutlier)
        text += '\n' + tr("Excluded: it contradicts most others.");
    return text + '\n' + tr("Click to go there.");
}

bool ResidualPlot::event(QEvent* event)
{
    // The plot handles plain keys and arrows, which would otherwise trigger shortcuts of the window.
    if (event->type() == QEvent::ShortcutOverride && m_scale.isValid()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isOwn = QList<int>{Qt::Key_Right, Qt::Key_Left,  Qt::Key_Home, Qt::Key_End,    Qt::Key_Plus,
                                      Qt::Key_Equal, Qt::Key_Minus, Qt::Key_0,    Qt::Key_Return, Qt::Key_Enter}
                               .contains(key->key());
        if (isOwn && !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier)))
            event->accept();
        return true;
    }
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto point = m_residuals && m_scale.isValid() ? findResidual(*m_residuals, m_scale, help->pos()) : std::nullopt;
    if (point)
        QToolTip::showText(help->globalPos(), tipOf(*point), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace helio
