#include "widgets/controls/line_delegate.h"

#include "widgets/controls/table_style.h"
#include "widgets/paint/text.h"

#include <algorithm>

namespace helio {
namespace {

int orMargin(int own, int margin) { return own < 0 ? margin : own; }

} // namespace

QSize LineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int left = index.column() == 0 ? orMargin(m_metrics.firstMargin, m_metrics.margin) : m_metrics.margin;
    const int width = cellWidth(index.data().toString(), option.font) + left + orMargin(m_metrics.rightMargin, m_metrics.margin);
    return {m_metrics.widest > 0 ? std::min(width, m_metrics.widest) : width, m_metrics.height};
}

void LineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    paintLineGround(*painter, option);
    const int left = index.column() == 0 ? orMargin(m_metrics.firstMargin, m_metrics.margin) : m_metrics.margin;
    const QRect room = option.rect.adjusted(left, 0, -orMargin(m_metrics.rightMargin, m_metrics.margin), 0);
    paintCell(*painter, paintMarks(*painter, option, index, room), index, option.font, m_metrics.elide);
}

} // namespace helio
