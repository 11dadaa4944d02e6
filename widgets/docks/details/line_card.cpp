#include "widgets/docks/details/line_card.h"

#include "widgets/theme/themes.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace helio {

namespace {

constexpr int GroundPadding = 12;
constexpr int GroundTitleHeight = 24;

} // namespace

LineCard::LineCard(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void LineCard::linesChanged(const QString& title)
{
    QStringList lines;
    for (std::size_t i = 0; i < lineCount(); ++i)
        lines << words(i);
    setAccessibleName(title + QStringLiteral(": ") + lines.join(QStringLiteral("; ")));
    setCurrent(nextLine({}, true));
    setFocusPolicy(m_current ? Qt::StrongFocus : Qt::NoFocus);
    setVisible(lineCount() > 0);
    updateGeometry();
    update();
}

void LineCard::setCurrent(std::optional<std::size_t> line)
{
    m_current = line;
    setAccessibleDescription(line ? words(*line) : QString());
    update();
}

std::optional<std::size_t> LineCard::lineAt(const QPoint& at) const
{
    for (std::size_t i = 0; i < lineCount(); ++i)
        if (lineRect(i).contains(at) && isFollowable(i))
            return i;
    return {};
}

/// Returns the nearest line after or before `from` that is a link; if `from` is nullopt, the first or last line that is a link.
std::optional<std::size_t> LineCard::nextLine(std::optional<std::size_t> from, bool isForward) const
{
    const auto count = qint64(lineCount());
    const qint64 step = isForward ? 1 : -1;
    for (qint64 i = from ? qint64(*from) + step : isForward ? 0 : count - 1; i >= 0 && i < count; i += step)
        if (isFollowable(std::size_t(i)))
            return std::size_t(i);
    return {};
}

void LineCard::mousePressEvent(QMouseEvent* event)
{
    if (const auto line = lineAt(event->position().toPoint())) {
        setCurrent(line);
        follow(*line);
    }
}

void LineCard::mouseMoveEvent(QMouseEvent* event)
{
    const auto line = lineAt(event->position().toPoint());
    setCursor(line ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(line ? words(*line) : QString());
}

void LineCard::keyPressEvent(QKeyEvent* event)
{
    const auto go = [this](std::optional<std::size_t> line) {
        if (line)
            setCurrent(line);
    };
    switch (event->key()) {
    case Qt::Key_Down: return go(nextLine(m_current, true));
    case Qt::Key_Up: return go(nextLine(m_current, false));
    case Qt::Key_Home: return go(nextLine({}, true));
    case Qt::Key_End: return go(nextLine({}, false));
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current)
            follow(*m_current);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void LineCard::focusInEvent(QFocusEvent*) { update(); }

void LineCard::focusOutEvent(QFocusEvent*) { update(); }

void LineCard::paintGround(QPainter& painter, const QString& title) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().color("line.subtle"));
    painter.setBrush(theme().color("surface.timeline"));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(fonts().group());
    painter.setPen(theme().color("text.primary"));
    painter.drawText(QRect(GroundPadding, 6, width() - 2 * GroundPadding, GroundTitleHeight), Qt::AlignVCenter, title);
}

void LineCard::paintFocus(QPainter& painter) const
{
    if (!hasFocus() || !m_current)
        return;
    painter.setPen(theme().color("accent.line"));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(lineRect(*m_current).adjusted(-5, 0, 4, -1));
}

} // namespace helio
