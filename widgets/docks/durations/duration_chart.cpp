#include "widgets/docks/durations/duration_chart.h"

#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr double WidestSlot = 24;
constexpr double LabelRoom = 58; ///< Minimum distance in pixels between two duration labels.
constexpr double TitleHeight = 14; ///< Height in pixels of the title above the counts; the names of percentiles are in the same line.
constexpr double HalfNumber = 8; ///< Half of the height in pixels of a count's text, which is centred at its grid line.

/// Returns the smallest 1, 2 or 5 times a power of ten that is at least `least`.
double roundStep(double least)
{
    const double power = std::pow(10.0, std::floor(std::log10(std::max(1.0, least))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= least)
            return power * factor;
    return power * 10;
}

} // namespace

std::vector<std::int64_t> roundDurations(Duration from, Duration to, bool areLogarithmic)
{
    std::vector<std::int64_t> lengths;
    const auto first = double(from.count());
    const auto last = double(to.count());
    if (areLogarithmic)
        for (double power = 1; power <= last; power *= 10)
            for (const double factor : {1.0, 2.0, 5.0})
                if (power * factor >= first && power * factor <= last)
                    lengths.push_back(std::int64_t(power * factor));
    if (lengths.size() >= 3)
        return lengths;
    lengths.clear();
    const auto step = std::int64_t(std::min(roundStep((last - first) / 6), 1e18));
    // Integer arithmetic is exact to the nanosecond for any duration.
    const std::int64_t before = from.count() % step;
    std::int64_t at = from.count() - before;
    if (before > 0 && to.count() - at < step)
        return lengths;
    for (at += before > 0 ? step : 0; at <= to.count(); at += step) {
        lengths.push_back(at);
        if (to.count() - at < step)
            break;
    }
    return lengths;
}

QString roundDurationText(std::int64_t ns)
{
    struct Unit {
        std::uint64_t ns;
        int digits; ///< Number of decimal places that a nanosecond needs in this unit.
        const char* name;
    };
    static constexpr Unit Units[] = {{1'000'000'000, 9, "s"}, {1'000'000, 6, "ms"}, {1'000, 3, "\u00b5s"}, {1, 0, "ns"}};
    const std::uint64_t size = ns < 0 ? 0 - std::uint64_t(ns) : std::uint64_t(ns);
    const auto unit = std::ranges::find_if(Units, [size](const Unit& it) { return size >= it.ns || it.ns == 1; });
    QString text = (ns < 0 ? QString(QChar(0x2212)) : QString()) + QString::number(size / unit->ns);
    if (const std::uint64_t rest = size % unit->ns; rest > 0) {
        text += QStringLiteral(".%1").arg(rest, unit->digits, 10, QLatin1Char('0'));
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
    }
    return text + QLatin1Char(' ') + QString::fromUtf8(unit->name);
}

double widestDurationText(std::span<const std::int64_t> lengths)
{
    const QFontMetricsF metrics(fonts().small());
    double widest = 0;
    for (const std::int64_t length : lengths)
        widest = std::max(widest, metrics.horizontalAdvance(roundDurationText(length)));
    return std::ceil(widest);
}

DurationChart::DurationChart(QWidget* parent)
    : QWidget(parent)
{
    setMinimumSize(260, 90);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void DurationChart::setBuckets(std::vector<HistogramBucket> buckets, const DurationDistribution& lengths, bool areLogarithmic)
{
    m_buckets = std::move(buckets);
    m_lengths = lengths;
    m_areLogarithmic = areLogarithmic;
    m_most = m_buckets.empty() ? 0 : std::ranges::max(m_buckets, {}, &HistogramBucket::count).count;
    update();
    select({});
}

void DurationChart::setLogarithmicHeights(bool areLogarithmic)
{
    m_areHeightsLogarithmic = areLogarithmic;
    update();
}

void DurationChart::setWords(const QString& one, const QString& many, const QString& title)
{
    m_one = one;
    m_many = many;
    m_title = title;
    update();
}

void DurationChart::setOwn(std::optional<Duration> length)
{
    m_own = length;
    update();
}

void DurationChart::select(std::optional<std::size_t> bucket)
{
    if (bucket == m_selected)
        return;
    m_selected = bucket;
    update();
    emit selectedChanged();
}

void DurationChart::dismiss()
{
    select({});
    emit dismissed();
}

QRectF DurationChart::area() const { return QRectF(rect()).adjusted(52, TitleHeight + HalfNumber, -14, -19); }

double DurationChart::slot() const { return std::min(WidestSlot, area().width() / double(std::max<std::size_t>(1, m_buckets.size()))); }

QRectF DurationChart::columnOf(std::size_t bucket) const
{
    const QRectF all = area();
    return {all.left() + double(bucket) * slot(), all.top(), slot(), all.height()};
}

/// Returns the x of a duration, interpolated between the edges of its bucket; all columns are equally wide.
double DurationChart::xOf(Duration length) const
{
    const auto after = std::ranges::upper_bound(m_buckets, length, {}, &HistogramBucket::from);
    if (after == m_buckets.begin())
        return area().left();
    const HistogramBucket& in = *(after - 1);
    const auto from = double(in.from.count());
    const auto to = double(in.to.count());
    const auto own = double(length.count());
    const double share = m_areLogarithmic && from > 0 ? std::log(own / from) / std::log(to / from) : (own - from) / (to - from);
    return area().left() + (double(after - m_buckets.begin()) - 1 + std::clamp(share, 0.0, 1.0)) * slot();
}

double DurationChart::heightOf(std::uint64_t count) const
{
    if (count == 0 || m_most == 0)
        return 0;
    // log2(2 * count) gives a single call the same height as the difference between 1 and 2 calls, so that it is visible.
    const double share =
        m_areHeightsLogarithmic ? std::log2(2.0 * double(count)) / std::log2(2.0 * double(m_most)) : double(count) / double(m_most);
    return std::max(1.0, share * area().height());
}

void DurationChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.panel"));
    if (m_most == 0)
        return;
    painter.setFont(fonts().small());
    paintHeights(painter);
    paintLengths(painter);
    paintBars(painter);
    paintPercentiles(painter);
}

/// Paints the axis of counts at the left: the largest count and smaller round numbers.
void DurationChart::paintHeights(QPainter& painter) const
{
    const QRectF all = area();
    const double step = roundStep(double(m_most) / 4);
    std::vector<std::uint64_t> counts{m_most};
    for (double count = m_areHeightsLogarithmic ? 1 : step; count < double(m_most); m_areHeightsLogarithmic ? count *= 10 : count += step)
        counts.push_back(std::uint64_t(count));
    for (const std::uint64_t count : counts) {
        const double y = std::round(all.bottom() - heightOf(count));
        if (count < m_most && y - all.top() < 14)
            continue;
        painter.fillRect(QRectF(all.left(), y, all.width(), 1), theme().color("line.subtle"));
        painter.setPen(theme().color("text.secondary"));
        painter.drawText(QRectF(0, y - HalfNumber, all.left() - 6, 2 * HalfNumber), Qt::AlignRight | Qt::AlignVCenter,
                         countText(qint64(count)));
    }
    painter.setPen(theme().color("text.hint"));
    painter.drawText(QRectF(0, 0, all.left() - 6, TitleHeight), Qt::AlignRight | Qt::AlignVCenter, m_title);
}

/// Paints the base line of the chart, and the labels with durations under it.
void DurationChart::paintLengths(QPainter& painter) const
{
    const QRectF all = area();
    painter.fillRect(QRectF(all.left(), all.bottom(), all.width(), 1), theme().color("line.strong"));
    painter.setPen(theme().color("text.secondary"));
    const auto lengths = roundDurations(m_buckets.front().from, m_buckets.back().to, m_areLogarithmic);
    const double wide = std::max(80.0, widestDurationText(lengths) + 2);
    const double room = std::max(LabelRoom, wide - 22);
    double last = -room;
    for (const std::int64_t length : lengths) {
        const double x = std::round(xOf(Duration(length)));
        if (x - last < room)
            continue;
        last = x;
        painter.fillRect(QRectF(x, all.bottom(), 1, 4), theme().color("line.strong"));
        painter.drawText(QRectF(std::clamp(x - wide / 2, 0.0, std::max(0.0, width() - wide)), all.bottom() + 3, wide, 16),
                         Qt::AlignHCenter | Qt::AlignTop, roundDurationText(length));
    }
    if (m_own) {
        const double x = std::round(xOf(*m_own));
        painter.fillRect(QRectF(x - 1, all.bottom() + 1, 3, 5), theme().color("accent.line"));
    }
}

void DurationChart::paintBars(QPainter& painter) const
{
    const double gap = slot() > 3 ? 1 : 0;
    const auto barOf = [&](std::size_t bucket) {
        const QRectF column = columnOf(bucket);
        const double height = std::round(heightOf(m_buckets[bucket].count));
        return QRectF(std::round(column.left()), column.bottom() - height,
                      std::max(1.0, std::round(column.right()) - std::round(column.left()) - gap), height);
    };
    if (m_selected) {
        const QRectF bar = barOf(*m_selected);
        const double wide = std::max(10.0, bar.width() + 4);
        painter.fillRect(QRectF(bar.center().x() - wide / 2, area().top(), wide, area().height()), theme().color("surface.selected"));
        painter.fillRect(QRectF(bar.center().x() - wide / 2, area().bottom() + 1, wide, 2), theme().color("accent.line"));
    }
    for (std::size_t bucket = 0; bucket < m_buckets.size(); ++bucket)
        if (m_buckets[bucket].count > 0)
            painter.fillRect(barOf(bucket), theme().color("mark.bookmark"));
    if (!m_selected)
        return;
    painter.setPen(theme().color("select.outline"));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(barOf(*m_selected).adjusted(-0.5, -0.5, 0.5, 0.5));
}

/// Paints the lines of p50 and p99; a name that would overlap the previous name is moved to the right.
void DurationChart::paintPercentiles(QPainter& painter) const
{
    const QRectF all = area();
    double free = all.left();
    for (const auto& [name, length] : {std::pair(tr("p50"), m_lengths.median), std::pair(tr("p99"), m_lengths.p99)}) {
        const double x = std::round(xOf(length)) + 0.5;
        painter.setPen(QPen(theme().color("text.hint"), 1, Qt::DotLine));
        painter.drawLine(QPointF(x, all.top() - 2), QPointF(x, all.bottom()));
        const double wide = painter.fontMetrics().horizontalAdvance(name) + 1.0;
        const double left = std::max(free, std::min(x - wide / 2, width() - wide));
        free = left + wide + 6;
        painter.setPen(theme().color("text.secondary"));
        painter.drawText(QRectF(left, all.top() - 2 - TitleHeight, wide, TitleHeight), Qt::AlignLeft | Qt::AlignVCenter, name);
    }
}

std::optional<std::size_t> DurationChart::bucketAt(QPointF at) const
{
    const QRectF all = area().adjusted(0, -4, 0, 6);
    const double index = (at.x() - all.left()) / slot();
    if (at.y() < all.top() || at.y() > all.bottom() || index < 0 || index >= double(m_buckets.size()))
        return {};
    return std::size_t(index);
}

void DurationChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const auto bucket = bucketAt(event->position());
    if (bucket && m_buckets[*bucket].count > 0)
        select(bucket);
    else
        dismiss();
}

void DurationChart::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_selected)
        return dismiss();
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0)
        return QWidget::keyPressEvent(event);
    const auto count = std::ptrdiff_t(m_buckets.size());
    auto at = m_selected ? std::ptrdiff_t(*m_selected) + step : step > 0 ? 0 : count - 1;
    while (at >= 0 && at < count && m_buckets[std::size_t(at)].count == 0)
        at += step;
    if (at >= 0 && at < count)
        select(std::size_t(at));
}

QString DurationChart::tipOf(std::size_t bucket) const
{
    const HistogramBucket& it = m_buckets[bucket];
    const QString calls = it.count == 1 ? m_one : m_many.arg(countText(qint64(it.count)));
    return tr("%1 to %2: %3").arg(durationText(it.from), durationText(it.to), calls);
}

bool DurationChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto bucket = bucketAt(help->pos()))
        QToolTip::showText(help->globalPos(), tipOf(*bucket), this, columnOf(*bucket).toAlignedRect());
    else
        QToolTip::hideText();
    return true;
}

} // namespace helio
