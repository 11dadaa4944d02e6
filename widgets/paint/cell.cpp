#include "widgets/paint/cell.h"

#include "widgets/paint/text.h"

#include <QColor>

#include <cmath>

namespace helio {

namespace {

constexpr int Margin = 3; ///< Margin of cells in the Fusion style.

} // namespace

int cellWidth(const QString& text, const QFont& font) { return int(std::ceil(cachedTextWidth(font, text))) + 2 * Margin + 1; }

void paintCell(QPainter& painter, const QRect& rect, const QModelIndex& index, const QFont& font, Qt::TextElideMode elision)
{
    QString text = index.data(Qt::DisplayRole).toString();
    const QRect room = rect.adjusted(Margin, 0, -Margin, 0);
    if (text.isEmpty() || room.isEmpty())
        return;
    text.replace(QLatin1Char('\n'), QChar(QChar::Space));
    const QString shown = cachedElidedText(font, text, elision, room.width());
    const int alignment = index.data(Qt::TextAlignmentRole).toInt();
    const qreal x = alignment & Qt::AlignRight ? room.right() + 1 - cachedTextWidth(font, shown) : room.left();
    painter.setFont(font);
    painter.setPen(index.data(Qt::ForegroundRole).value<QColor>());
    drawPixelCachedText(painter, {x, centredBaseline(font, room)}, shown);
}

} // namespace helio
