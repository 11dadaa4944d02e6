#include "widgets/controls/drop_overlay.h"

#include "widgets/theme/themes.h"

#include <QPainter>

namespace helio {

namespace {

constexpr int Inset = 8;
constexpr int Stroke = 2;
constexpr int Radius = 6;

} // namespace

DropOverlay::DropOverlay(QWidget* parent)
    : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    hide();
}

void DropOverlay::show(const QString& text)
{
    m_text = text;
    setAccessibleName(text);
    setGeometry(parentWidget()->rect());
    raise();
    QWidget::show();
}

void DropOverlay::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor accent = theme().color("accent.line");
    QColor wash = accent;
    wash.setAlphaF(0.08F);
    painter.setPen(QPen(accent, Stroke));
    painter.setBrush(wash);
    painter.drawRoundedRect(QRectF(rect()).adjusted(Inset, Inset, -Inset, -Inset), Radius, Radius);
    painter.setFont(fonts().title());
    const QRect words = painter.fontMetrics().boundingRect(m_text).adjusted(-18, -8, 18, 8);
    QRectF pill(words);
    pill.moveCenter({width() / 2.0, height() - 60.0});
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color("accent.fill"));
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
    painter.setPen(theme().color("accent.ink"));
    painter.drawText(pill, Qt::AlignCenter, m_text);
}

} // namespace helio
