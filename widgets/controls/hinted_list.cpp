#include "widgets/controls/hinted_list.h"

#include "widgets/theme/themes.h"

#include <QPainter>

namespace helio {

HintedList::HintedList(const QString& hint, QWidget* parent)
    : QListWidget(parent)
    , m_hint(hint)
{
    setAccessibleDescription(hint);
}

void HintedList::paintEvent(QPaintEvent* event)
{
    QListWidget::paintEvent(event);
    if (count() > 0)
        return;
    QPainter painter(viewport());
    painter.setFont(fonts().detail());
    painter.setPen(theme().color("text.hint"));
    painter.drawText(viewport()->rect().adjusted(20, 8, -20, -8), Qt::AlignCenter | Qt::TextWordWrap, m_hint);
}

} // namespace helio
