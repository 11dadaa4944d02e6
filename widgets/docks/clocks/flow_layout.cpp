#include "widgets/docks/clocks/flow_layout.h"

#include <algorithm>

namespace helio {

FlowLayout::FlowLayout(int gap, int lineGap)
    : m_gap(gap)
    , m_lineGap(lineGap)
{
}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    place(rect, true);
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    return size;
}

int FlowLayout::place(const QRect& rect, bool moves) const
{
    QPoint at = rect.topLeft();
    int lineHeight = 0;
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (at.x() > rect.left() && at.x() + size.width() > rect.left() + rect.width()) {
            at = {rect.left(), at.y() + lineHeight + m_lineGap};
            lineHeight = 0;
        }
        if (moves)
            item->setGeometry({at, size});
        at.rx() += size.width() + m_gap;
        lineHeight = std::max(lineHeight, size.height());
    }
    return at.y() + lineHeight - rect.top();
}

} // namespace helio
