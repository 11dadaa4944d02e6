#include "widgets/docks/details/rank_axis.h"

#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int LineTop = 9;
constexpr int AxisHeight = 4;
constexpr int LabelTop = 18;

double logOf(Duration length) { return std::log(double(std::max<qint64>(1, length.count()))); }

/// Returns the percentile of a call by nearest rank: the percentage of calls that are not longer. Requires: the call is not the slowest.
QString percentileText(const CallRank& rank)
{
    const auto tenths = std::lround(1000.0 * double(rank.lengths.count - rank.longer) / double(rank.lengths.count));
    if (tenths == 1000)
        return QStringLiteral(">99.9");
    return tenths == 0 ? QStringLiteral("<0.1") : QString::number(double(tenths) / 10);
}

/// Returns the rank of a call as text, e.g. "slowest of 12". Requires: there are several calls, and their durations differ. `isMedian`:
/// true if the call has the median duration.
QString placeText(const CallRank& rank, bool isMedian)
{
    const QString all = countText(qint64(rank.lengths.count));
    const bool isEnd = rank.longer == 0 || rank.shorter == 0;
    if (isEnd) {
        const QString place = rank.longer == 0 ? RankAxis::tr("slowest of %1").arg(all) : RankAxis::tr("fastest of %1").arg(all);
        return isMedian ? RankAxis::tr("%1 and the median").arg(place) : place;
    }
    return isMedian
        ? RankAxis::tr("median of %1").arg(all)
        : RankAxis::tr("rank %1 of %2 (slowest first), percentile %3").arg(countText(qint64(rank.longer + 1)), all, percentileText(rank));
}

} // namespace

RankAxis::RankAxis(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void RankAxis::setRank(CallRank rank, Duration own)
{
    m_rank = std::move(rank);
    m_own = own;
    setAccessibleName(rankText(m_rank, m_own));
    update();
}

int RankAxis::placeOf(Duration length, const DurationDistribution& lengths, int width)
{
    const double whole = logOf(lengths.most) - logOf(lengths.least);
    const double share = whole > 0 ? (logOf(length) - logOf(lengths.least)) / whole : 0;
    return int(std::lround(std::clamp(share, 0.0, 1.0) * double(width - 1)));
}

void RankAxis::paintEvent(QPaintEvent*)
{
    if (m_rank.lengths.count == 0)
        return;
    QPainter painter(this);
    const auto x = [this](Duration length) { return placeOf(length, m_rank.lengths, width()); };
    painter.fillRect(0, LineTop, width(), AxisHeight, theme().color("line.subtle"));
    painter.fillRect(x(m_rank.p25), LineTop, std::max(1, x(m_rank.p75) - x(m_rank.p25)), AxisHeight, theme().color("mark.bookmark"));
    const QFont font = fonts().detail();
    painter.setFont(font);
    int free = 0; // x in pixels from which there is room for the next label.
    for (const auto& [name, at] : {std::pair(tr("p50"), m_rank.lengths.median), std::pair(tr("p99"), m_rank.lengths.p99)}) {
        painter.fillRect(x(at), LineTop - 2, 1, AxisHeight + 4, theme().color("text.secondary"));
        const QString text = name + u' ' + durationText(at);
        const int wide = int(std::ceil(tabularWidth(font, text)));
        const int left = std::clamp(x(at) - wide / 2, 0, std::max(0, width() - wide));
        if (left < free)
            continue;
        painter.setPen(theme().color("text.hint"));
        drawTabular(painter, QRectF(left, LabelTop, wide, height() - LabelTop), Qt::AlignLeft, text);
        free = left + wide + 8;
    }
    painter.fillRect(std::clamp(x(m_own) - 1, 0, width() - 3), LineTop - 4, 3, 12, theme().color("accent.line"));
}

QString rankText(const CallRank& rank, Duration own)
{
    if (rank.lengths.count <= 1)
        return rank.unfinished > 0 ? RankAxis::tr("the only call of this function with a recorded exit")
                                   : RankAxis::tr("the only call of this function");
    const QString place = rank.longer == 0 && rank.shorter == 0
        ? RankAxis::tr("all %1 calls took equally long").arg(countText(qint64(rank.lengths.count)))
        : placeText(rank, own == rank.lengths.median);
    return rank.unfinished > 0 ? RankAxis::tr("%1; %2 without a recorded exit excluded").arg(place, countText(qint64(rank.unfinished)))
                               : place;
}

} // namespace helio
