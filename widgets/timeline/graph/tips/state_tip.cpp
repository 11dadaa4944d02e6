#include "widgets/timeline/graph/tips/state_tip.h"

#include "widgets/paint/popup.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <cmath>

namespace helio {

namespace {

constexpr int Padding = 14;
constexpr int Shadow = PopupShadow;
constexpr int Least = 260;
constexpr int Most = 420;
constexpr int PartsLeft = 62; ///< x in pixels of the names in TipContent::parts, to the right of their common title.

constexpr int MostRecordedLines = 3; ///< Maximum number of lines of a value in TipContent::recorded.

/// Returns the part of a text that fits into `lines` lines of `width` pixels; "…" stands for the rest.
QString cutToLines(const QFont& font, qreal width, int lines, const QString& text)
{
    QTextLayout layout(text, font);
    QTextOption anywhere;
    anywhere.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(anywhere);
    layout.beginLayout();
    QTextLine last;
    int count = 0;
    for (QTextLine line = layout.createLine(); line.isValid() && count < lines; line = layout.createLine(), ++count) {
        line.setLineWidth(width);
        last = line;
    }
    layout.endLayout();
    if (!last.isValid() || last.textStart() + last.textLength() >= text.size())
        return text;
    const QString rest = text.mid(last.textStart(), last.textLength() + 1);
    return text.first(last.textStart()) + QFontMetricsF(font).elidedText(rest, Qt::ElideRight, width);
}

/// Wraps a text to `width`, paints it if `painter` is not nullptr, and returns its height.
qreal paragraph(QPainter* painter, const QFont& font, QPointF at, qreal width, const QString& text)
{
    QTextLayout layout(text, font);
    QTextOption anywhere;
    // Lines may break inside words, because build IDs and paths may be longer than a line.
    anywhere.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(anywhere);
    layout.beginLayout();
    qreal height = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition({0, height});
        height += line.height() + 1;
    }
    layout.endLayout();
    if (painter)
        layout.draw(painter, at);
    return height;
}

} // namespace

StateTip::StateTip(QWidget* parent)
    : QWidget(parent)
{
    hide(); // A child widget that is not hidden explicitly would be shown with its parent.
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

void StateTip::setContent(const TipContent& content)
{
    m_content = content;
    qreal width = tabularWidth(fonts().title(), content.title) + tabularWidth(fonts().title(), content.duration) + 60;
    width = std::max(width, tabularWidth(fonts().detail(), content.place) + tabularWidth(fonts().detail(), content.time) + 60);
    for (const auto* facts : {&content.facts, &content.recorded})
        for (const auto& [name, value] : *facts)
            width = std::max(width, tabularWidth(fonts().detail(), value) + 66);
    for (const auto& [look, value] : content.states)
        width = std::max(width, tabularWidth(fonts().detail(), look.words) + tabularWidth(fonts().detail(), value) + 44);
    for (const auto& [name, value] : content.parts)
        width = std::max(width, tabularWidth(fonts().detail(), name) + tabularWidth(fonts().detail(), value) + PartsLeft + 18);
    const int inner = std::clamp(int(width) + 2 * Padding, Least, Most) - 2 * Padding;
    const int height = layOut(nullptr, inner);
    resize(inner + 2 * Padding + 2 * Shadow, height + 2 * Padding + 2 * Shadow);
    setAccessibleName(content.title + QLatin1Char(' ') + content.duration + QLatin1Char(' ') + content.cause);
    update();
}

int StateTip::layOut(QPainter* painter, int width) const
{
    const Theme& theme = helio::theme();
    const auto text = [&](const QFont& font, const char* role, const QRectF& rect, Qt::Alignment flags, const QString& s) {
        if (!painter)
            return;
        painter->setFont(font);
        painter->setPen(theme.color(role));
        drawTabular(*painter, rect, flags, s);
    };
    const QFont detail = fonts().detail();
    const QFontMetricsF metrics(detail);
    qreal y = 0;
    if (painter)
        paintSwatch(*painter, QRectF(0, y + 3, 9, 9), m_content.look, theme.color("surface.raised"));
    text(fonts().title(), "text.primary", QRectF(18, y, width - 18, 16), Qt::AlignLeft, m_content.title);
    text(fonts().title(), "text.primary", QRectF(0, y, width, 16), Qt::AlignRight, m_content.duration);
    y += 20;
    const qreal timeWidth = tabularWidth(detail, m_content.time);
    text(detail, "text.secondary", QRectF(18, y, width - 18, 15), Qt::AlignLeft,
         metrics.elidedText(drawablePart(m_content.place), Qt::ElideRight, width - 26 - timeWidth));
    text(detail, "text.secondary", QRectF(0, y, width, 15), Qt::AlignRight, m_content.time);
    y += 20;
    if (!m_content.facts.empty() || !m_content.recorded.empty() || !m_content.states.empty() || !m_content.parts.empty()) {
        if (painter)
            painter->fillRect(QRectF(0, y, width, 1), theme.color("line.subtle"));
        y += 8;
    }
    for (std::size_t i = 0; i < m_content.parts.size(); ++i) {
        const auto& [name, value] = m_content.parts[i];
        const qreal room = width - PartsLeft - tabularWidth(detail, value) - 12;
        text(detail, "text.secondary", QRectF(0, y, 58, 16), Qt::AlignLeft, i == 0 ? m_content.sharedBy : QString());
        text(detail, "text.primary", QRectF(PartsLeft, y, room, 16), Qt::AlignLeft,
             metrics.elidedText(drawablePart(name), Qt::ElideRight, room));
        text(detail, "text.primary", QRectF(0, y, width, 16), Qt::AlignRight, value);
        y += 19;
    }
    for (const auto& [name, value] : m_content.facts) {
        text(detail, "text.secondary", QRectF(0, y, 58, 16), Qt::AlignLeft, name);
        text(detail, "text.primary", QRectF(62, y, width - 62, 16), Qt::AlignLeft,
             metrics.elidedText(drawablePart(value, Qt::ElideMiddle), Qt::ElideMiddle, width - 62));
        y += 19;
    }
    for (const auto& [name, value] : m_content.recorded) {
        text(detail, "text.secondary", QRectF(0, y, 58, 16), Qt::AlignLeft, metrics.elidedText(name, Qt::ElideRight, 58));
        if (painter)
            painter->setPen(theme.color("text.primary"));
        y += paragraph(painter, detail, QPointF(62, y), width - 62, cutToLines(detail, width - 62, MostRecordedLines, value)) + 3;
    }
    for (const auto& [look, value] : m_content.states) {
        if (painter)
            paintSwatch(*painter, QRectF(0, y + 4, 9, 9), look, theme.color("surface.raised"));
        text(detail, "text.primary", QRectF(18, y, width - 18, 16), Qt::AlignLeft, look.words);
        text(detail, "text.secondary", QRectF(0, y, width, 16), Qt::AlignRight, value);
        y += 19;
    }
    if (!m_content.cause.isEmpty()) {
        y += 4;
        if (painter)
            painter->setPen(theme.color("text.primary"));
        y += paragraph(painter, detail, QPointF(0, y), width, m_content.cause);
    }
    return int(std::ceil(y));
}

void StateTip::place(QWidget* window, QPoint pointer, int rowTop, int rowBottom)
{
    if (parentWidget() != window)
        setParent(window);
    QPoint at(pointer.x() + 14 - Shadow, std::max(pointer.y() + 14, rowBottom + 4) - Shadow);
    const QRect room = window->rect().adjusted(-Shadow, -Shadow, Shadow, Shadow);
    if (at.x() + width() > room.right())
        at.setX(std::max(room.left(), pointer.x() - width() + Shadow - 8));
    if (at.y() + height() > room.bottom())
        at.setY(std::max(room.top(), rowTop - height() + Shadow - 4));
    move(at);
    raise();
}

void StateTip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRectF card = QRectF(rect()).adjusted(Shadow, Shadow, -Shadow, -Shadow);
    paintPopupShadow(painter, card);
    paintPopup(painter, card);
    painter.translate(card.left() + Padding, card.top() + Padding);
    layOut(&painter, int(card.width()) - 2 * Padding);
}

} // namespace helio
