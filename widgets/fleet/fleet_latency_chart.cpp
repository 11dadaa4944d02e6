#include "widgets/fleet/fleet_latency_chart.h"

#include "core/findings/occurrences.h"
#include "widgets/paint/focus_ring.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace helio {

using fleet::DurationDigest;

namespace {

constexpr int ColumnStep = 4; ///< Width of a column and the gap beside it, in pixels.
constexpr int AxisHeight = 17;
constexpr double LeastOctaves = 6; ///< Smallest range of the axis, in octaves.

double octavesOf(Duration length) { return std::log2(std::max(1.0, double(length.count()))); }

} // namespace

struct FleetLatencyChart::Scale {
    QRect area;
    double first = 0; ///< Logarithm (base 2) of the duration at the left edge, in ns.
    double last = 0;

    int columns() const { return std::max(1, area.width() / ColumnStep); }
    double xOf(double octaves) const { return area.left() + (octaves - first) / (last - first) * columns() * ColumnStep; }
    double octavesAt(double column) const { return first + column / columns() * (last - first); }
    Duration durationAt(double column) const { return Duration(std::int64_t(std::exp2(std::min(62.0, octavesAt(column))))); }
};

FleetLatencyChart::FleetLatencyChart(QWidget* parent)
    : QWidget(parent)
{
    setMinimumSize(180, 60);
    setMouseTracking(true);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void FleetLatencyChart::setDigest(const DurationDigest& digest, std::optional<Duration> tail, const QString& tailRole,
                                  const QString& tailName)
{
    m_digest = digest;
    m_tail = tail;
    m_tailRole = tailRole;
    m_tailName = tailName;
    update();
}

void FleetLatencyChart::setCompared(const DurationDigest& compared)
{
    m_compared = compared;
    update();
}

void FleetLatencyChart::setAction(const QString& text)
{
    m_action = text;
    setFocusPolicy(text.isEmpty() ? Qt::NoFocus : Qt::TabFocus);
    setCursor(text.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
}

FleetLatencyChart::Scale FleetLatencyChart::scale() const
{
    Scale it{rect().adjusted(0, 12, 0, -AxisHeight)};
    it.first = 1e9;
    for (const DurationDigest* const digest : {&m_digest, &m_compared})
        if (digest->count() > 0) {
            it.first = std::min(it.first, octavesOf(digest->least()));
            it.last = std::max(it.last, octavesOf(digest->most()));
        }
    const double missing = std::max(1.0, LeastOctaves - (it.last - it.first));
    it.first = std::max(0.0, it.first - missing / 2);
    it.last = std::min(63.0, it.last + missing / 2);
    return it;
}

/// Returns the number of durations in each column. The durations of a bucket that several columns share are divided by its parts.
std::vector<double> FleetLatencyChart::countsOf(const DurationDigest& digest, const Scale& scale) const
{
    std::vector<double> counts(std::size_t(scale.columns()), 0.0);
    for (const DurationDigest::Bucket& bucket : digest.buckets()) {
        const auto columnOf = [&](Duration at) { return (octavesOf(at) - scale.first) / (scale.last - scale.first) * scale.columns(); };
        // The longest durations of all lie on the right edge of the axis.
        const double from = std::min(columnOf(std::max(bucket.begin, digest.least())), scale.columns() - 1.0);
        const double to = std::max(from + 1e-9, columnOf(std::min(bucket.end, digest.most())));
        for (int i = std::max(0, int(from)); i < scale.columns() && i < to; ++i)
            counts[std::size_t(i)] += double(bucket.count) * (std::min(to, i + 1.0) - std::max(from, double(i))) / (to - from);
    }
    return counts;
}

void FleetLatencyChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_digest.count() == 0)
        return;
    const Scale it = scale();
    const std::vector<double> counts = countsOf(m_digest, it);
    const std::vector<double> compared = comparedCounts(it);
    const double most = std::max(std::ranges::max(counts), std::ranges::max(compared));
    if (m_pointed && !m_action.isEmpty())
        painter.fillRect(it.area.left() + *m_pointed * ColumnStep, it.area.top(), ColumnStep - 1, it.area.height(),
                         theme().color("surface.hover"));
    for (int i = 0; i < it.columns(); ++i) {
        const double count = counts[std::size_t(i)];
        if (count <= 0)
            continue;
        const int height = std::max(1, int(std::lround(std::log1p(count) / std::log1p(most) * it.area.height())));
        const bool isTail = m_tail && it.octavesAt(i + 0.5) >= octavesOf(*m_tail);
        painter.fillRect(it.area.left() + i * ColumnStep, it.area.bottom() + 1 - height, ColumnStep - 1, height,
                         isTail ? theme().color(m_tailRole) : theme().color("mark.bookmark"));
    }
    if (m_compared.count() > 0)
        paintCompared(painter, it, compared, most);
    paintAxis(painter, it);
    if (hasFocus())
        paintFocusRing(painter, rect(), 0);
}

void FleetLatencyChart::paintAxis(QPainter& painter, const Scale& scale) const
{
    painter.fillRect(scale.area.left(), scale.area.bottom() + 1, scale.area.width(), 1, theme().color("line.strong"));
    painter.setFont(fonts().legend());
    painter.setPen(theme().color("text.secondary"));
    double end = -1e9; // Right edge of the last label.
    for (double ns = 1; ns < 9e18; ns *= 10) {
        const double x = scale.xOf(std::log2(ns));
        if (x < scale.area.left() || x > scale.area.right())
            continue;
        painter.fillRect(QRectF(x, scale.area.bottom() + 2, 1, 3), theme().color("line.strong"));
        static constexpr const char* Units[] = {"ns", "\u00b5s", "ms", "s"};
        const int power = int(std::lround(std::log10(ns)));
        const int unit = std::min(3, power / 3);
        const QString label = QStringLiteral("%1 %2").arg(std::pow(10.0, power - 3 * unit), 0, 'g', 12).arg(QString::fromUtf8(Units[unit]));
        const double width = painter.fontMetrics().horizontalAdvance(label);
        const double left = std::clamp(x - width / 2, 0.0, std::max(0.0, this->width() - width));
        if (left < end + 8)
            continue;
        painter.drawText(QRectF(left, scale.area.bottom() + 4, width + 2, AxisHeight - 4), Qt::AlignLeft | Qt::AlignVCenter, label);
        end = left + width;
    }
    if (!m_tail || m_tailName.isEmpty())
        return;
    const double x = std::round(scale.xOf(octavesOf(*m_tail)));
    painter.setPen(QPen(theme().color("text.hint"), 1, Qt::DotLine));
    painter.drawLine(QPointF(x + 0.5, 2), QPointF(x + 0.5, scale.area.bottom()));
    const double width = painter.fontMetrics().horizontalAdvance(m_tailName);
    painter.setPen(theme().color("text.secondary"));
    painter.drawText(QPointF(x + width + 6 > this->width() ? x - width - 4 : x + 4, 10), m_tailName);
}

/// Returns the compared number of durations in each column, as if the compared digest had as many durations as the shown one.
std::vector<double> FleetLatencyChart::comparedCounts(const Scale& scale) const
{
    std::vector<double> counts = countsOf(m_compared, scale);
    for (double& it : counts)
        it *= double(m_digest.count()) / double(std::max<std::uint64_t>(1, m_compared.count()));
    return counts;
}

void FleetLatencyChart::paintCompared(QPainter& painter, const Scale& scale, const std::vector<double>& counts, double most) const
{
    QPolygonF line;
    for (int i = 0; i < scale.columns(); ++i) {
        const double share = std::log1p(counts[std::size_t(i)]) / std::log1p(most);
        line << QPointF(scale.area.left() + i * ColumnStep + 1.5, scale.area.bottom() + 0.5 - share * scale.area.height());
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().color("text.secondary"), 1.4));
    painter.drawPolyline(line);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QPoint FleetLatencyChart::positionOf(Duration length) const
{
    const Scale it = scale();
    return {int(it.xOf(octavesOf(length))), it.area.center().y()};
}

std::optional<int> FleetLatencyChart::columnAt(const QPoint& at) const
{
    if (m_digest.count() == 0)
        return {};
    const Scale it = scale();
    const int column = (at.x() - it.area.left()) / ColumnStep;
    return at.x() >= it.area.left() && column < it.columns() ? std::optional(column) : std::nullopt;
}

void FleetLatencyChart::setPointed(std::optional<int> column)
{
    if (std::exchange(m_pointed, column) != column)
        update();
}

void FleetLatencyChart::mousePressEvent(QMouseEvent* event)
{
    if (const auto column = columnAt(event->pos()); column && event->button() == Qt::LeftButton && !m_action.isEmpty())
        emit chosen(scale().durationAt(*column));
}

void FleetLatencyChart::mouseMoveEvent(QMouseEvent* event) { setPointed(columnAt(event->pos())); }
void FleetLatencyChart::leaveEvent(QEvent*) { setPointed({}); }

void FleetLatencyChart::keyPressEvent(QKeyEvent* event)
{
    const bool isLeft = event->key() == Qt::Key_Left;
    const Scale it = scale();
    if ((isLeft || event->key() == Qt::Key_Right) && m_digest.count() > 0)
        return setPointed(std::clamp(m_pointed.value_or(it.columns() / 2) + (isLeft ? -1 : 1), 0, it.columns() - 1));
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_pointed && !m_action.isEmpty())
        return emit chosen(it.durationAt(*m_pointed));
    QWidget::keyPressEvent(event);
}

bool FleetLatencyChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    const auto column = columnAt(help->pos());
    if (!column)
        return QWidget::event(event);
    const Scale it = scale();
    const double count = countsOf(m_digest, it)[std::size_t(*column)];
    const auto durationOf = [&](int at) { return helio::text(shortDuration(it.durationAt(at))); };
    QString text = tr("%1 to %2: about %3 latencies; heights are logarithmic")
                       .arg(durationOf(*column), durationOf(*column + 1), countText(std::llround(count)));
    if (!m_action.isEmpty())
        text += QLatin1Char('\n') + m_action.arg(durationOf(*column));
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace helio
