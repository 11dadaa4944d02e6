#include "widgets/paint/duration_histogram.h"

#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

std::uint32_t timesIn(const HistogramSeries& shown, std::size_t bucket)
{
    return bucket < shown.lengths.byLength.size() ? shown.lengths.byLength[bucket] : 0;
}

} // namespace

struct DurationHistogram::Scale {
    QRectF area;
    std::size_t first;
    std::size_t end;
    double most; ///< Count of the tallest column, which reaches the upper edge of `area`.
    bool isLogarithmic;

    double x(double bucket) const { return area.left() + (bucket - double(first)) / double(end - first) * area.width(); }
    double y(double times) const
    {
        const double share = isLogarithmic ? std::log1p(times) / std::log1p(most) : times / most;
        return area.bottom() - share * area.height();
    }
    std::size_t bucketAt(double at) const
    {
        return first + std::size_t(std::max(0.0, (at - area.left()) / area.width() * double(end - first)));
    }
};

DurationHistogram::DurationHistogram(QWidget* parent)
    : QWidget(parent)
{
    setMinimumSize(260, 120);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void DurationHistogram::setHistograms(std::vector<HistogramSeries> lengths)
{
    m_lengths = std::move(lengths);
    update();
}

void DurationHistogram::setHeightTitle(const QString& title)
{
    m_heightTitle = title;
    update();
}

void DurationHistogram::setLogarithmic(bool isLogarithmic)
{
    m_isLogarithmic = isLogarithmic;
    update();
}

std::optional<DurationHistogram::Scale> DurationHistogram::scale() const
{
    std::size_t first = SIZE_MAX;
    std::size_t end = 0;
    double most = 0;
    for (const HistogramSeries& shown : m_lengths)
        for (std::size_t i = 0; i < shown.lengths.byLength.size(); ++i)
            if (const std::uint32_t times = shown.lengths.byLength[i]; times > 0) {
                first = std::min(first, i);
                end = std::max(end, i + 1);
                most = std::max(most, times / shown.parts);
            }
    if (end == 0)
        return {};
    constexpr std::size_t Octave = DurationDistribution::PerOctave;
    return Scale{QRectF(rect()).adjusted(44, 10, -12, -22), first > Octave ? first - Octave : 0, end + Octave, most, m_isLogarithmic};
}

void DurationHistogram::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.panel"));
    const auto it = scale();
    if (!it)
        return;
    paintAxis(painter, *it);
    for (const HistogramSeries& shown : m_lengths)
        paintLengths(painter, *it, shown);
}

/// Paints the decades on the time axis and the largest count on the axis of counts.
void DurationHistogram::paintAxis(QPainter& painter, const Scale& scale) const
{
    painter.setFont(fonts().small());
    const QColor line = theme().color("line.subtle");
    const QColor text = theme().color("text.secondary");
    double lastLabel = -1000;
    for (double ns = 1; ns < 1e19; ns *= 10) {
        const double bucket = std::log2(ns) * DurationDistribution::PerOctave;
        if (bucket < double(scale.first) || bucket > double(scale.end))
            continue;
        const double x = scale.x(bucket);
        painter.fillRect(QRectF(x, scale.area.top(), 1, scale.area.height()), line);
        if (x - lastLabel < 56)
            continue;
        lastLabel = x;
        static constexpr const char* Units[] = {"ns", "\u00b5s", "ms", "s"};
        const int power = int(std::lround(std::log10(ns)));
        const int unit = std::min(3, power / 3);
        painter.setPen(text);
        painter.drawText(QRectF(std::min(x - 40, width() - 80.0), scale.area.bottom() + 4, 80, 16), Qt::AlignHCenter | Qt::AlignTop,
                         QStringLiteral("%1 %2").arg(std::pow(10.0, power - 3 * unit), 0, 'g', 12).arg(QString::fromUtf8(Units[unit])));
    }
    painter.fillRect(QRectF(scale.area.left(), scale.area.bottom(), scale.area.width(), 1), theme().color("line.strong"));
    painter.setPen(text);
    painter.drawText(QRectF(0, scale.area.top() - 8, scale.area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(scale.most, 'g', 4));
    painter.drawText(QRectF(scale.area.left() + 6, scale.area.top() - 8, scale.area.width(), 16), Qt::AlignLeft | Qt::AlignVCenter,
                     m_heightTitle);
    painter.drawText(QRectF(0, scale.area.bottom() - 8, scale.area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("0"));
}

void DurationHistogram::paintLengths(QPainter& painter, const Scale& scale, const HistogramSeries& shown) const
{
    const QColor color = theme().color(shown.color);
    QColor fill = color;
    fill.setAlphaF(0.35F);
    QPolygonF outline{QPointF(scale.x(double(scale.first)), scale.area.bottom())};
    for (std::size_t i = scale.first; i < scale.end; ++i) {
        const double y = scale.y(timesIn(shown, i) / shown.parts);
        outline << QPointF(scale.x(double(i)), y) << QPointF(scale.x(double(i + 1)), y);
    }
    outline << QPointF(scale.x(double(scale.end)), scale.area.bottom());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(outline);
    painter.setPen(QPen(color, 1.5));
    painter.drawPolyline(outline);
    if (const DurationDistribution& spread = shown.lengths; spread.count > 0) { // Paints a dashed line at the median.
        const double x = scale.x(std::log2(std::max(1.0, double(spread.median.count()))) * DurationDistribution::PerOctave);
        painter.setPen(QPen(color, 1.5, Qt::DashLine));
        painter.drawLine(QPointF(x, scale.area.top()), QPointF(x, scale.area.bottom()));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

bool DurationHistogram::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto it = scale();
    if (!it || !it->area.contains(help->pos()))
        return QWidget::event(event);
    const std::size_t bucket = it->bucketAt(help->pos().x());
    QStringList times;
    for (const HistogramSeries& shown : m_lengths)
        times << shown.times.arg(countText(timesIn(shown, bucket)));
    QToolTip::showText(help->globalPos(),
                       tr("%1 to %2: %3")
                           .arg(durationText(DurationDistribution::bucketBegin(bucket)),
                                durationText(DurationDistribution::bucketBegin(bucket + 1)), times.join(QStringLiteral(", "))),
                       this);
    return true;
}

} // namespace helio
