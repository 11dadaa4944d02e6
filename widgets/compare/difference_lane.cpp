#include "widgets/compare/difference_lane.h"

#include "widgets/compare/side_style.h"
#include "widgets/controls/menus.h"
#include "widgets/paint/focus_ring.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/axis/time_marks.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int FetchDelay = 30; ///< Delay in ms before the query: while the user drags the alignment, only the last position is queried.

QString signedText(double value)
{
    return QStringLiteral("%1%2").arg(value < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")).arg(std::abs(value), 0, 'f', 2);
}

} // namespace

DifferenceLane::DifferenceLane(CompareContext& context, TimeAxis& axisOfA, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_axis(axisOfA)
    , m_answer(DebouncedQuery::Pace::Live, FetchDelay, [this] { fetch(); })
{
    setFixedHeight(Height);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleDescription(tr("Space chooses the kind of work"));
    setWork(CpuWork::Busy);
    connect(&context, &CompareContext::timelineChanged, &m_answer, &DebouncedQuery::queueQuery);
    const auto soon = [this] {
        m_answer.soon();
        update();
    };
    connect(&context.link(), &AxisLink::alignmentChanged, this, soon);
    const TimeWindow& time = context.a().time();
    connect(&time, &TimeWindow::visibleChanged, this, soon);
    const auto repaint = qOverload<>(&QWidget::update);
    for (const auto signal : {&TimeWindow::cursorChanged, &TimeWindow::selectionChanged, &TimeWindow::hoveredChanged})
        connect(&time, signal, this, repaint);
    connect(&axisOfA, &TimeAxis::labelWidthChanged, this, soon);
    connect(&Themes::instance(), &Themes::changed, this, repaint);
}

QString DifferenceLane::textOf(CpuWork work)
{
    return work == CpuWork::User ? tr("CPUs in user code") : work == CpuWork::Kernel ? tr("CPUs in the kernel") : tr("Busy CPUs");
}

void DifferenceLane::setWork(CpuWork work)
{
    m_work = work;
    setAccessibleName(tr("B minus A: %1").arg(textOf(work)));
    m_answer.now();
}

void DifferenceLane::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_answer.now();
}

void DifferenceLane::resizeEvent(QResizeEvent*) { m_answer.soon(); }

void DifferenceLane::fetch()
{
    const auto a = m_context.a().timeline();
    const auto b = m_context.b().timeline();
    const TimeRange window = m_context.a().time().visible();
    const int pixels = width() - left();
    if (!a || !b) {
        m_answer.cancel();
        m_values.clear();
        return update();
    }
    if (!isVisible() || window.isEmpty() || pixels <= 0)
        return;
    m_answer.post([this, a, b, window, alignment = m_context.link().alignment(), work = m_work,
                   buckets = std::size_t(pixels)](std::stop_token stop) -> LatestTask::Delivery {
        auto values = computeCpuDifference(*a, *b, alignment, work, window, buckets, stop);
        return [this, values = std::move(values), window]() mutable {
            m_values = std::move(values);
            m_window = window;
            update();
        };
    });
}

bool DifferenceLane::isUnknown() const
{
    return !m_values.empty() && std::ranges::all_of(m_values, [](double value) { return std::isnan(value); });
}

QString DifferenceLane::missing() const
{
    if (!isUnknown())
        return {};
    return tr("CPU activity was not recorded on both sides: record context switches, or samples of all CPUs.");
}

double DifferenceLane::most() const
{
    double most = 1;
    for (const double value : m_values)
        if (!std::isnan(value))
            most = std::max(most, std::ceil(std::abs(value) - 0.01));
    return most;
}

double DifferenceLane::y(double value) const { return Height / 2.0 - value / most() * (Height / 2.0 - 5); }

void DifferenceLane::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.panel"));
    const QRect area(left(), 0, width() - left(), height());
    painter.save();
    painter.setClipRect(area);
    if (const QString why = missing(); !why.isEmpty()) {
        painter.setFont(fonts().detail());
        painter.setPen(theme().color("text.secondary"));
        const QRect words = area.adjusted(12, 0, -12, 0);
        painter.drawText(words, Qt::AlignVCenter, painter.fontMetrics().elidedText(why, Qt::ElideRight, words.width()));
    } else {
        painter.setPen(theme().color("line.strong"));
        painter.drawLine(QPointF(area.left(), y(0)), QPointF(width(), y(0)));
        paintCurve(painter);
    }
    painter.restore();
    paintTimeMarks(painter, TimeMarks::of(m_axis, width() - RailWidth), area, theme());
    paintLabel(painter);
    if (hasFocus() && isKeyboardNavigationActive())
        paintFocusRing(painter, QRect(RailWidth, 0, left() - RailWidth, height()), 0);
}

void DifferenceLane::paintLabel(QPainter& painter) const
{
    painter.fillRect(0, 0, left(), height(), theme().color("surface.header"));
    painter.fillRect(0, 0, RailWidth, height() / 2, theme().color(sideRole(Side::A)));
    painter.fillRect(0, height() / 2, RailWidth, height() - height() / 2, theme().color(sideRole(Side::B)));
    painter.fillRect(0, 0, width(), 1, theme().color("line.strong"));
    const QRect text(RailWidth + 10, 4, left() - RailWidth - 20, height() - 8);
    painter.setFont(fonts().group());
    painter.setPen(theme().color("text.primary"));
    painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, tr("B \u2212 A"));
    painter.setFont(fonts().small());
    painter.setPen(theme().color("text.secondary"));
    painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom, textOf(m_work) + QStringLiteral(" \u25be"));
    if (isUnknown()) // Paint no numbers: without known values, the scale has no meaning.
        return;
    painter.drawText(text, Qt::AlignRight | Qt::AlignTop, QStringLiteral("+%1").arg(most()));
    painter.drawText(text, Qt::AlignRight | Qt::AlignBottom, QStringLiteral("\u2212%1").arg(most()));
}

/// Paints the curve, and the area between the curve and zero, in the colour of the sign; there are gaps where values are unknown.
void DifferenceLane::paintCurve(QPainter& painter) const
{
    const TimeScale scale = m_axis.scale(width() - RailWidth);
    if (m_values.empty() || !scale.isValid())
        return;
    // The visible range may have changed before new values are computed. Until then, the previous values are drawn at their own times.
    const double from = left() + scale.xAt(m_window.begin);
    const double step = (left() + scale.xAt(m_window.end) - from) / double(m_values.size());
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_values.size();) {
        if (std::isnan(m_values[i])) {
            ++i;
            continue;
        }
        const bool isMore = m_values[i] >= 0;
        QPolygonF line;
        for (; i < m_values.size() && !std::isnan(m_values[i]) && (m_values[i] >= 0) == isMore; ++i)
            line << QPointF(from + double(i) * step, y(m_values[i])) << QPointF(from + double(i + 1) * step, y(m_values[i]));
        QPolygonF area = line;
        area << QPointF(line.last().x(), y(0)) << QPointF(line.first().x(), y(0));
        QColor fill = theme().color(isMore ? "diff.+3" : "diff.-3");
        fill.setAlphaF(0.42F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawPolygon(area);
        painter.setPen(QPen(theme().color(isMore ? "diff.+4" : "diff.-4"), 1.5));
        painter.drawPolyline(line);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

bool DifferenceLane::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const TimeScale scale = m_axis.scale(width() - RailWidth);
    const Duration into = scale.isValid() ? scale.timeAt(help->pos().x() - left()) - m_window.begin : Duration(-1);
    const double at = m_window.isEmpty() ? -1 : double(into.count()) / double(m_window.duration().count()) * double(m_values.size());
    if (help->pos().x() < left())
        QToolTip::showText(help->globalPos(),
                           tr("How many more CPUs are busy in B than in A at the same time. Click to choose the kind of work."), this);
    else if (at < 0 || std::size_t(at) >= m_values.size() || std::isnan(m_values[std::size_t(at)]))
        QToolTip::showText(help->globalPos(), isUnknown() ? wrapTooltip(missing()) : tr("Not recorded on both sides"), this);
    else
        QToolTip::showText(help->globalPos(), tr("%1: %2 in B compared with A").arg(textOf(m_work), signedText(m_values[std::size_t(at)])),
                           this);
    return true;
}

void DifferenceLane::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && event->position().x() < left())
        return chooseWork(event->globalPosition().toPoint());
    if (const TimeScale scale = m_axis.scale(width() - RailWidth); event->button() == Qt::LeftButton && scale.isValid())
        m_axis.window().setCursor(scale.timeAt(event->position().x() - left()));
}

void DifferenceLane::contextMenuEvent(QContextMenuEvent* event) { chooseWork(event->globalPos()); }

void DifferenceLane::keyPressEvent(QKeyEvent* event)
{
    const bool isChoice = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    isChoice ? chooseWork(mapToGlobal(QPoint(RailWidth, 0))) : QWidget::keyPressEvent(event);
}

void DifferenceLane::chooseWork(const QPoint& at)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const CpuWork work : {CpuWork::Busy, CpuWork::User, CpuWork::Kernel}) {
        QAction* action = menu->addAction(textOf(work), this, [this, work] { setWork(work); });
        action->setCheckable(true);
        action->setChecked(work == m_work);
    }
    menu->popup(at);
}

} // namespace helio
