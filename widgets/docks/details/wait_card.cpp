#include "widgets/docks/details/wait_card.h"

#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QPainter>

#include <algorithm>

namespace helio {

namespace {

constexpr int Padding = 12;
constexpr int TitleHeight = 24;
constexpr int LineHeight = 19;
constexpr int BarHeight = 7;

/// Returns the colour of a part. Threads that had a CPU get different colours; states have their own.
QColor colorOf(const StateDetails::Part& part, std::size_t index)
{
    if (part.isOccupant)
        return theme().category(int(index));
    return part.state ? theme().lookOf(*part.state).color : theme().color("text.hint");
}

} // namespace

WaitCard::WaitCard(QWidget* parent)
    : LineCard(parent)
{
}

void WaitCard::setParts(std::vector<StateDetails::Part> parts)
{
    m_parts = std::move(parts);
    linesChanged(tr("Why it waited"));
}

QString WaitCard::textOf(const StateDetails::Part& part) const
{
    // The state is omitted for a part that occupied a CPU.
    return part.state && part.row.isValid() && !part.isOccupant ? tr("%1, %2").arg(part.text, theme().lookOf(*part.state).legend)
                                                                : part.text;
}

QString WaitCard::words(std::size_t index) const
{
    return textOf(m_parts[index]) + QStringLiteral(" ") + durationText(m_parts[index].total);
}

QSize WaitCard::sizeHint() const { return {200, 10 + TitleHeight + int(m_parts.size()) * LineHeight + 8 + BarHeight + Padding}; }

QRect WaitCard::lineRect(std::size_t index) const
{
    return {Padding, 6 + TitleHeight + int(index) * LineHeight, width() - 2 * Padding, LineHeight};
}

void WaitCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintGround(painter, tr("Why it waited"));
    Duration whole{};
    for (const StateDetails::Part& part : m_parts)
        whole += part.total;
    Duration before{};
    const QRect bar(Padding, lineRect(m_parts.size()).top() + 6, width() - 2 * Padding, BarHeight);
    const auto x = [&](Duration at) {
        return bar.left() + int(double(at.count()) / double(std::max<qint64>(1, whole.count())) * bar.width() + 0.5);
    };
    const QFont font = fonts().detail();
    painter.setFont(font);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const StateDetails::Part& part = m_parts[i];
        const QRect line = lineRect(i);
        const QColor color = colorOf(part, i);
        painter.fillRect(line.left(), line.center().y() - 5, 3, 11, color);
        painter.fillRect(QRect(x(before), bar.top(), x(before + part.total) - x(before), bar.height()), color);
        before += part.total;
        const QString length = durationText(part.total);
        const int wide = int(tabularWidth(font, length)) + 10;
        painter.setPen(theme().color("text.primary"));
        const QString text = QFontMetricsF(font).elidedText(textOf(part), Qt::ElideRight, line.width() - 12 - wide);
        painter.drawText(line.adjusted(12, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
        painter.setPen(theme().color("text.secondary"));
        drawTabular(painter, QRectF(line), Qt::AlignRight, length);
    }
    paintFocus(painter);
}

} // namespace helio
