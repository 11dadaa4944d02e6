#pragma once

#include <QModelIndex>
#include <QPainter>
#include <QString>

namespace helio {

/// Paints the text of a table's cell in one line, elided at the end, with the model's display, alignment and foreground roles. A style's
/// own cell painting shapes and lays out each text at each paint, which took a third of the time to resize a window with tables.
void paintCell(QPainter& painter, const QRect& rect, const QModelIndex& index, const QFont& font,
               Qt::TextElideMode elision = Qt::ElideRight);

/// Width that paintCell() needs for the whole text, in pixels.
int cellWidth(const QString& text, const QFont& font);

} // namespace helio
