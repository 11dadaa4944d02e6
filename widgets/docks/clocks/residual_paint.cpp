// Paints the plot of residuals: ResidualPlot::paintEvent() and its helper functions.

#include "core/timesync/host_clocks.h"
#include "widgets/docks/clocks/residual_plot.h"
#include "widgets/paint/focus_ring.h"
#include "widgets/paint/marks.h"
#include "widgets/paint/popup.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr double DotSize = 3.2;

/// Returns the unit in which most numbers of the scale have at most three digits.
std::pair<double, QString> unitFor(Duration most)
{
    const auto ns = double(most.count());
    if (ns >= 1e9)
        return {1e9, QStringLiteral("s")};
    if (ns >= 1e6)
        return {1e6, QStringLiteral("ms")};
    return ns >= 1e3 ? std::pair(1e3, QStringLiteral("\u00b5s")) : std::pair(1.0, QStringLiteral("ns"));
}

/// Formats a distance for an axis label. `step`: distance between two labels, whose texts must differ.
QString distanceText(Duration distance, double unit, Duration step = Duration::max())
{
    const double steps = std::abs(double(distance.count())) / double(std::max<std::int64_t>(1, step.count()));
    const int digits = std::clamp(int(std::ceil(std::log10(std::max(1.0, steps)))) + 1, 6, 15);
    const QString size = QString::number(std::abs(double(distance.count())) / unit, 'g', digits);
    return distance == Duration{} ? QStringLiteral("0") : (distance < Duration{} ? QChar(0x2212) : QChar('+')) + size;
}

/// Returns a picture of one dot, which is copied: painting thousands of dots takes longer than a frame.
QPixmap dotOf(const QColor& color, qreal ratio)
{
    const int side = int(std::ceil((DotSize + 2) * ratio));
    QPixmap dot(side, side);
    dot.setDevicePixelRatio(ratio);
    dot.fill(Qt::transparent);
    QPainter painter(&dot);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(side / ratio / 2, side / ratio / 2), DotSize / 2, DotSize / 2);
    return dot;
}

void paintRing(QPainter& painter, QPointF at, double radius, const QPen& pen)
{
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(at, radius, radius);
}

} // namespace

void ResidualPlot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const qreal ratio = devicePixelRatioF();
    if (m_picture.isNull()) {
        m_picture = QPixmap(size() * ratio);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(theme().color("surface.panel"));
        if (m_scale.isValid()) {
            QPainter still(&m_picture);
            paintHead(still);
            paintGrid(still);
            still.setRenderHint(QPainter::Antialiasing);
            paintCorridor(still);
            paintDots(still);
            paintNarrowest(still);
            paintWhereZeroIs(still);
        }
    }
    painter.drawPixmap(0, 0, m_picture);
    if (m_scale.isValid())
        paintMarks(painter);
    if (hasFocus() && isKeyboardNavigationActive())
        paintFocusRing(painter, rect(), 0);
}

/// Paints the title and the meaning of the colours.
void ResidualPlot::paintHead(QPainter& painter) const
{
    const double left = 10;
    const double room = width() - left - 8;
    const auto unit = unitFor(m_scale.most()).second;
    painter.setFont(fonts().at(12, 600));
    painter.setPen(theme().color("text.primary"));
    const double line = painter.fontMetrics().height();
    const bool isGiven = m_residuals->isOfClockOverride;
    const QString title = (m_residuals->isFromFile ? tr("Residuals of %1 (clock from file) against %2, %3")
                               : isGiven           ? tr("Residuals of %1 (set by hand) against %2, %3")
                                                   : tr("Residuals of %1 against %2, %3"))
                              .arg(m_host, m_neighbour, unit);
    painter.drawText(QRectF(left, 2, room, line), Qt::AlignLeft | Qt::AlignVCenter, elidedLabel(painter.font(), title, room));
    painter.setFont(fonts().legend());
    double x = left;
    const double y = 4 + line;
    const double height = painter.fontMetrics().height();
    const auto entry = [&](const QString& text, const auto& mark) {
        const double wide = tabularWidth(painter.font(), text) + 14;
        if (x + wide > width())
            return;
        mark(QPointF(x + 4, y + height / 2));
        painter.setPen(theme().color("text.secondary"));
        painter.drawText(QRectF(x + 12, y, wide, height), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += wide + 12;
    };
    const auto dot = [&](const char* role) {
        return [&painter, role](QPointF at) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme().color(role));
            painter.drawEllipse(at, 2.5, 2.5);
            painter.restore();
        };
    };
    entry(tr("%1 \u2192 %2").arg(m_neighbour, m_host), dot("mark.bookmark"));
    entry(tr("%1 \u2192 %2").arg(m_host, m_neighbour), dot("arrow.packet"));
    if (!m_residuals->bounds.empty())
        entry(tr("bounds"),
              [&](QPointF at) { painter.fillRect(QRectF(at.x() - 4, std::round(at.y()), 8, 1), theme().color("text.secondary")); });
    if (std::ranges::any_of(m_residuals->points, &Residual::isOutlier))
        entry(tr("excluded"), [&](QPointF at) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            paintRing(painter, at, 3, QPen(theme().color("severity.error"), 1.4));
            painter.restore();
        });
}

void ResidualPlot::paintGrid(QPainter& painter) const
{
    const QRectF& area = m_scale.area();
    painter.setFont(fonts().legend());
    const double line = painter.fontMetrics().height();
    const double unit = unitFor(m_scale.most()).first;
    const std::vector<Duration> all = distanceTicks(m_scale.distances());
    const Duration step = all.size() > 1 ? all[1] - all[0] : Duration::max();
    std::vector<Duration> ticks = all;
    // The plot is too low for all labels, so only the first, the middle and the last one are shown.
    if (!all.empty() && area.height() / double(all.size()) < line)
        ticks = {all.front(), all[all.size() / 2], all.back()};
    for (const Duration tick : ticks) {
        const double y = std::round(m_scale.yOf(tick));
        painter.fillRect(QRectF(area.left(), y, area.width(), 1), theme().color(tick == Duration{} ? "line.strong" : "line.subtle"));
        painter.setPen(theme().color("text.secondary"));
        drawTabular(painter, QRectF(0, y - line / 2, area.left() - 6, line), Qt::AlignRight, distanceText(tick, unit, step));
    }
    painter.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), theme().color("line.subtle"));
    for (const Tick& tick : ticksFor(m_scale.times(), m_timeFormat, 110).ticks) {
        const double x = std::round(m_scale.xOf(tick.at));
        if (!tick.isMajor || x < area.left() || x > area.right())
            continue;
        painter.fillRect(QRectF(x, area.bottom(), 1, 4), theme().color("line.strong"));
        const QString text = m_timeFormat.mode == TimeFormat::Mode::Relative || !m_timeFormat.hasEpoch
            ? tick.label
            : timeText(tick.at, m_timeFormat, digitsFor(m_window.duration() / 10));
        const double wide = tabularWidth(painter.font(), text);
        const double from = std::clamp(x - wide / 2, 0.0, width() - wide - 2);
        drawTabular(painter, QRectF(from, area.bottom() + 5, wide, line), Qt::AlignLeft, text);
    }
}

/// Paints a hint if the y axis does not contain 0, the position of packets without transit time. The hint is at the edge nearer to 0 and
/// says how far away 0 is.
void ResidualPlot::paintWhereZeroIs(QPainter& painter) const
{
    const DistanceRange& distances = m_scale.distances();
    if (distances.contains(Duration{}))
        return;
    const bool isAbove = distances.high < Duration{};
    const Duration far = isAbove ? -distances.high : distances.low;
    const QString words = (isAbove ? tr("\u2191 0 is %1 further up") : tr("\u2193 0 is %1 further down")).arg(durationText(far));
    painter.setFont(fonts().legend());
    painter.setPen(theme().color("severity.warning"));
    const double line = painter.fontMetrics().height();
    const QRectF& area = m_scale.area();
    const QRectF room(area.left() + 4, isAbove ? area.top() + 2 : area.bottom() - line - 2, area.width() - 8, line);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, elidedLabel(painter.font(), words, room.width()));
}

void ResidualPlot::paintCorridor(QPainter& painter) const
{
    if (m_residuals->bounds.empty())
        return;
    painter.save();
    painter.setClipRect(m_scale.area());
    QPolygonF upper, lower;
    for (const ResidualBound& it : m_residuals->bounds) {
        const double x = m_scale.xOf(it.at);
        upper << QPointF(x, m_scale.yOf(it.error));
        lower << QPointF(x, m_scale.yOf(-it.error));
    }
    QPolygonF all = upper;
    for (auto it = lower.crbegin(); it != lower.crend(); ++it)
        all << *it;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color("mark.uncertainty"));
    painter.drawPolygon(all);
    painter.setPen(QPen(theme().color("text.secondary"), 1));
    painter.drawPolyline(upper);
    painter.drawPolyline(lower);
    painter.restore();
}

/// Paints a dot for each packet; packets outside of the y axis are drawn at its edge. Then paints a ring for each outlier.
void ResidualPlot::paintDots(QPainter& painter) const
{
    const qreal ratio = devicePixelRatioF();
    const QPixmap out = dotOf(theme().color("mark.bookmark"), ratio);
    const QPixmap back = dotOf(theme().color("arrow.packet"), ratio);
    const double half = out.width() / ratio / 2;
    const QRectF& area = m_scale.area();
    painter.save();
    painter.setClipRect(area.adjusted(-2, -4, 2, 4));
    const auto from = std::ranges::lower_bound(m_residuals->points, m_window.begin, {}, &Residual::at);
    for (auto it = from; it != m_residuals->points.end() && it->at <= m_window.end; ++it) {
        painter.setOpacity(m_scale.isCut(*it) ? 0.45 : 1);
        painter.drawPixmap(m_scale.placeOf(*it) - QPointF(half, half), it->isArrival ? out : back);
    }
    painter.setOpacity(1);
    for (auto it = from; it != m_residuals->points.end() && it->at <= m_window.end; ++it)
        if (it->isOutlier)
            paintRing(painter, m_scale.placeOf(*it), 4, QPen(theme().color("severity.error"), 1.4));
    painter.restore();
}

void ResidualPlot::paintNarrowest(QPainter& painter) const
{
    const auto narrowest = findNarrowestBound(*m_residuals);
    if (!narrowest || narrowest->at < m_window.begin || narrowest->at > m_window.end)
        return;
    const QRectF& area = m_scale.area();
    const double x = std::round(m_scale.xOf(narrowest->at)) + 0.5;
    painter.setPen(QPen(theme().color("text.secondary"), 1, Qt::DotLine));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    painter.setFont(fonts().at(10.5, 500));
    const QString text = QStringLiteral("\u00b1") + QString::fromStdString(roughText(narrowest->error));
    const double wide = tabularWidth(painter.font(), text) + 14;
    const double high = painter.fontMetrics().height() + 4;
    const QRectF label(std::clamp(x - wide / 2, area.left(), std::max(area.left(), area.right() - wide)), area.top() + 2, wide, high);
    painter.setPen(theme().color("line.strong"));
    painter.setBrush(theme().color("surface.raised"));
    painter.drawRoundedRect(label.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(theme().color("text.primary"));
    drawTabular(painter, label, Qt::AlignHCenter, text);
}

/// Paints what changes often: the cursor, the selected packet and the packet under the pointer.
void ResidualPlot::paintMarks(QPainter& painter) const
{
    const QRectF& area = m_scale.area();
    if (m_cursor >= m_window.begin && m_cursor <= m_window.end) {
        const double x = std::round(m_scale.xOf(m_cursor));
        painter.fillRect(QRectF(x - 1, area.top(), 3, area.height()), theme().color("cursor.halo"));
        painter.fillRect(QRectF(x, area.top(), 1, area.height()), theme().color("cursor.line"));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area.adjusted(-6, -6, 6, 6));
    for (const auto& [point, width] : {std::pair(m_hovered, 1.2), std::pair(m_selected, 2.0)})
        if (point && *point < m_residuals->points.size())
            if (const Residual& it = m_residuals->points[*point]; it.at >= m_window.begin && it.at <= m_window.end)
                paintRing(painter, m_scale.placeOf(it), 5, QPen(theme().color("select.outline"), width));
}

} // namespace helio
