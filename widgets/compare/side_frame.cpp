#include "widgets/compare/side_frame.h"

#include "widgets/theme/themes.h"

#include <QVBoxLayout>

namespace helio {

SideFrame::SideFrame(Side side, QWidget* content, bool hasHeader, QWidget* parent)
    : QWidget(parent)
    , m_side(side)
    , m_hasHeader(hasHeader)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(RailWidth, hasHeader ? HeaderHeight : 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(content);
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void SideFrame::setTitle(const QString& title, const QString& remark)
{
    m_title = title;
    m_remark = remark;
    setAccessibleName(tr("%1: %2").arg(letterOf(m_side), title));
    update();
}

void SideFrame::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color("surface.header"));
    painter.fillRect(0, 0, RailWidth, height(), theme().color(sideRole(m_side)));
    if (!m_hasHeader)
        return;
    const QRect line(RailWidth, 0, width() - RailWidth, HeaderHeight);
    painter.fillRect(line.adjusted(0, line.height() - 1, 0, 0), theme().color("line.strong"));
    paintBadge(painter, QPointF(line.left() + 10, (HeaderHeight - BadgeSize) / 2.0), m_side);
    QRect text = line.adjusted(10 + BadgeSize + 10, 0, -12, 0);
    painter.setFont(fonts().group());
    painter.setPen(theme().color("text.primary"));
    QRect used;
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, m_title, &used);
    text.setLeft(used.right() + 12);
    painter.setFont(fonts().small());
    painter.setPen(theme().color("text.secondary"));
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, m_remark);
}

} // namespace helio
