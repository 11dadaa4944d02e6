#include "widgets/docks/details/call_time_card.h"

#include "widgets/docks/details/thread_card.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QPainter>

#include <algorithm>

namespace helio {

namespace {

constexpr int CallPadding = 12;
constexpr int CallTitleHeight = 28;
constexpr int CallBarHeight = 14;
constexpr int TypicalHeight = 8;
constexpr int CallLineHeight = 19;
constexpr int LinesTop = CallTitleHeight + 4 + CallBarHeight + 8;
constexpr int ShareWidth = 74; ///< Distance in pixels between the right ends of the shares and of the durations.

QString wordsOf(const CallTimeCard::Part& part)
{
    return part.state ? theme().lookOf(*part.state).legend : CallTimeCard::tr("not recorded");
}

} // namespace

CallTimeCard::CallTimeCard(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
    hide();
}

std::vector<CallTimeCard::Part> CallTimeCard::partsOf(const CallTime& time)
{
    std::vector<Part> parts;
    Duration rest = time.whole;
    for (const CallTime::StateTime& it : time.states) {
        parts.push_back({it.state, it.total});
        rest -= it.total;
    }
    if (rest > Duration(0))
        parts.push_back({{}, rest});
    return parts;
}

void CallTimeCard::setTime(const CallTime& time)
{
    m_time = time;
    m_parts = partsOf(time);
    m_typical.reset();
    QStringList lines;
    for (const Part& part : m_parts)
        lines << wordsOf(part) + u' ' + durationText(part.total);
    setAccessibleName(tr("Time breakdown: %1").arg(lines.join(QStringLiteral("; "))));
    setVisible(!time.states.empty() && time.whole > Duration(0));
    updateGeometry();
    update();
}

void CallTimeCard::setTypical(std::optional<CallTime> typical)
{
    m_typical = std::move(typical);
    updateGeometry();
    update();
}

QSize CallTimeCard::sizeHint() const
{
    const int typical = m_typical ? CallLineHeight + TypicalHeight + 4 : 0;
    return {200, LinesTop + (int(m_parts.size()) + 1) * CallLineHeight + 4 + typical + CallPadding};
}

QRect CallTimeCard::lineRect(std::size_t index) const
{
    return {CallPadding, LinesTop + int(index) * CallLineHeight, width() - 2 * CallPadding, CallLineHeight};
}

void CallTimeCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().color("line.subtle"));
    painter.setBrush(theme().color("surface.timeline"));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(fonts().group());
    painter.setPen(theme().color("text.primary"));
    const int room = width() - 2 * CallPadding;
    painter.drawText(QRect(CallPadding, 4, room, CallTitleHeight - 4), Qt::AlignVCenter, tr("Time breakdown"));
    const qint64 longest = std::max(m_time.whole, m_typical ? m_typical->whole : Duration(0)).count();
    const auto wide = [&](Duration whole) { return int(double(whole.count()) / double(longest) * room + 0.5); };
    paintBar(painter, {CallPadding, CallTitleHeight + 4, std::max(1, wide(m_time.whole)), CallBarHeight}, m_parts);
    painter.setFont(fonts().detail());
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        paintLine(painter, lineRect(i), m_parts[i]);
    const QRect sum = lineRect(m_parts.size()).translated(0, 2);
    painter.fillRect(sum.left(), sum.top() - 1, sum.width(), 1, theme().color("line.subtle"));
    painter.setPen(theme().color("text.primary"));
    painter.drawText(sum.adjusted(18, 0, 0, 0), Qt::AlignVCenter, tr("Total"));
    drawTabular(painter, QRectF(sum), Qt::AlignRight, durationText(m_time.whole));
    if (m_typical)
        paintTypical(painter, sum.bottom() + 3, std::max(1, wide(m_typical->whole)));
}

void CallTimeCard::paintBar(QPainter& painter, const QRect& rect, const std::vector<Part>& parts) const
{
    Duration whole{};
    for (const Part& it : parts)
        whole += it.total;
    const auto x = [&](Duration at) { return rect.left() + int(double(at.count()) / double(whole.count()) * rect.width() + 0.5); };
    Duration before{};
    for (const Part& it : parts) {
        const QRect bar(x(before), rect.top(), x(before + it.total) - x(before), rect.height());
        painter.fillRect(bar, it.state ? theme().lookOf(*it.state).color : theme().color("line.subtle"));
        before += it.total;
    }
}

void CallTimeCard::paintLine(QPainter& painter, const QRect& line, const Part& part) const
{
    const QFont font = fonts().detail();
    if (part.state)
        paintSwatch(painter, QRectF(line.left(), line.center().y() - 4, 10, 10), theme().lookOf(*part.state));
    const QString length = durationText(part.total);
    const QString share = shareText(part.total, m_time.whole);
    const int right = ShareWidth + int(tabularWidth(font, share)) + 10;
    painter.setPen(theme().color("text.primary"));
    painter.drawText(line.adjusted(18, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(font).elidedText(wordsOf(part), Qt::ElideRight, line.width() - 18 - right));
    drawTabular(painter, QRectF(line), Qt::AlignRight, length);
    painter.setPen(theme().color("text.secondary"));
    drawTabular(painter, QRectF(line.adjusted(0, 0, -ShareWidth, 0)), Qt::AlignRight, share);
}

void CallTimeCard::paintTypical(QPainter& painter, int top, int wide) const
{
    const QRect line(CallPadding, top, width() - 2 * CallPadding, CallLineHeight);
    painter.setPen(theme().color("text.secondary"));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, tr("Median call, same scale"));
    drawTabular(painter, QRectF(line), Qt::AlignRight, durationText(m_typical->whole));
    paintBar(painter, {CallPadding, line.bottom() + 1, wide, TypicalHeight}, partsOf(*m_typical));
}

} // namespace helio
