#pragma once

#include <QModelIndex>
#include <QPainter>
#include <QString>

namespace helio {

/// The text of a table's cell in one line, elided at the end, as its model says (display, alignment, foreground). A style's own way of it
/// shapes and lays out each text at each paint: tables took a third of what resizing the window computes.
void paintCell(QPainter& painter, const QRect& rect, const QModelIndex& index, const QFont& font,
               Qt::TextElideMode elision = Qt::ElideRight);

/// The width that paintCell() needs for all of a text.
int cellWidth(const QString& text, const QFont& font);

} // namespace helio
