#include "widgets/docks/details/steal_card.h"

#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QPainter>

#include <algorithm>

namespace helio {

namespace {

constexpr int CardPadding = 12;
constexpr int CardTitleHeight = 24;
constexpr int CardLineHeight = 36;
constexpr int CardBarHeight = 7;
constexpr std::size_t MostShown = 8; ///< Maximum number of lines; occupants with shorter times are omitted.

} // namespace

StealCard::StealCard(QWidget* parent)
    : LineCard(parent)
{
}

void StealCard::setTaken(StealBreakdown taken, Duration whole)
{
    m_taken = std::move(taken);
    m_whole = whole;
    linesChanged(title());
}

std::size_t StealCard::lineCount() const { return std::min(m_taken.by.size(), MostShown); }

/// Returns the title. It contains the duration if the card covers only a part of the state, e.g. a state that a guest recorded.
QString StealCard::title() const
{
    if (m_taken.isInside)
        return m_taken.total == m_whole ? tr("Guest activity") : tr("Guest activity, %1 of this state").arg(durationText(m_taken.total));
    return m_taken.total == m_whole ? tr("Steal time by culprit")
                                    : tr("Steal time by culprit, %1 of this state").arg(durationText(m_taken.total));
}

QString StealCard::facts(const StealCulprit& it) const
{
    QStringList all{m_taken.isInside ? tr("vCPU") : text(shownWordOf(it.occupant.kind)),
                    it.count == 1 ? tr("once") : tr("%1 times").arg(countText(qint64(it.count)))};
    if (it.cpu >= 0)
        all << tr("CPU %1").arg(it.cpu);
    if (it.priority)
        all << tr("priority %1").arg(*it.priority);
    return all.join(QStringLiteral(", "));
}

QString StealCard::words(std::size_t index) const
{
    const StealCulprit& it = m_taken.by[index];
    return QStringLiteral("%1, %2, %3").arg(text(it.words), durationText(it.total), facts(it));
}

QSize StealCard::sizeHint() const
{
    const int more = m_taken.by.size() > MostShown ? CardLineHeight / 2 : 0;
    return {200, 10 + CardTitleHeight + int(lineCount()) * CardLineHeight + more + 8 + CardBarHeight + CardPadding};
}

QRect StealCard::lineRect(std::size_t index) const
{
    return {CardPadding, 6 + CardTitleHeight + int(index) * CardLineHeight, width() - 2 * CardPadding, CardLineHeight};
}

void StealCard::follow(std::size_t index)
{
    const StealCulprit& it = m_taken.by[index];
    emit chosen(TrackRef(it.row), Timestamp(it.first)); // Copied, because the receiver may replace m_taken.
}

/// Returns the colour of an occupant. A virtual machine has the colour of its guest, as in other views.
QColor StealCard::colorOf(std::size_t index) const { return theme().category(m_taken.by[index].color.value_or(int(index))); }

void StealCard::paintLine(QPainter& painter, std::size_t index) const
{
    const StealCulprit& it = m_taken.by[index];
    const QRect line = lineRect(index);
    painter.fillRect(line.left(), line.top() + 4, 3, line.height() - 8, colorOf(index));
    const QRect upper(line.left() + 12, line.top(), line.width() - 12, 19);
    const QRect lower = upper.translated(0, 16);
    const QString length = durationText(it.total);
    const QFont font = fonts().detail();
    const int room = upper.width() - int(tabularWidth(font, length)) - 10;
    painter.setFont(font);
    painter.setPen(theme().color(it.row.isValid() ? "text.link" : "text.primary"));
    painter.drawText(upper, Qt::AlignVCenter | Qt::AlignLeft, QFontMetricsF(font).elidedText(text(it.words), Qt::ElideRight, room));
    painter.setPen(theme().color("text.primary"));
    drawTabular(painter, QRectF(upper), Qt::AlignRight, length);
    const QFont small = fonts().small();
    painter.setFont(small);
    painter.setPen(theme().color("text.secondary"));
    painter.drawText(lower, Qt::AlignVCenter | Qt::AlignLeft, QFontMetricsF(small).elidedText(facts(it), Qt::ElideRight, lower.width()));
}

void StealCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintGround(painter, title());
    const QRect bar(CardPadding, height() - CardPadding - CardBarHeight, width() - 2 * CardPadding, CardBarHeight);
    painter.fillRect(bar, theme().color("line.subtle"));
    const auto x = [&](Duration at) {
        return bar.left() + int(double(at.count()) / double(std::max<qint64>(1, m_whole.count())) * bar.width() + 0.5);
    };
    Duration before{};
    for (std::size_t i = 0; i < lineCount(); ++i) {
        const Duration total = m_taken.by[i].total;
        painter.fillRect(QRect(x(before), bar.top(), x(before + total) - x(before), bar.height()), colorOf(i));
        before += total;
        paintLine(painter, i);
    }
    paintFocus(painter);
    if (m_taken.by.size() <= MostShown)
        return;
    painter.setFont(fonts().small());
    painter.setPen(theme().color("text.secondary"));
    const QRect rest(CardPadding + 12, lineRect(MostShown).top(), width() - 2 * CardPadding - 12, CardLineHeight / 2);
    painter.drawText(rest, Qt::AlignVCenter, tr("and %1 more").arg(countText(qint64(m_taken.by.size() - MostShown))));
    painter.setPen(theme().color("text.primary"));
    drawTabular(painter, QRectF(rest), Qt::AlignRight, durationText(m_taken.total - before));
}

} // namespace helio
