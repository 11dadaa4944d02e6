#pragma once

#include <QModelIndex>
#include <QPainter>
#include <QString>

namespace helio {

/// Draws text like QPainter::drawText(), but shapes a text only once: shaping costs more than drawing all bars. For short texts that are
/// drawn again and again. The cache is kept by font.
void drawCachedText(QPainter& painter, QPointF baseline, const QString& text);
/// Like drawCachedText(), for a text whose position and colour stay the same from picture to picture, e.g. in tables and labels. On a
/// screen it is kept as pixels, which cost a third of drawing its glyphs.
void drawPixelCachedText(QPainter& painter, QPointF baseline, const QString& text);
qreal cachedTextWidth(const QFont& font, const QString& text);
/// Part of a text that is measured and drawn: texts of traces may have megabytes, which take seconds to shape. Returns `text` unless it is
/// wider than any screen; else dots replace the rest.
QString drawablePart(const QString& text, Qt::TextElideMode mode = Qt::ElideRight);
/// Returns `text`, elided if it is wider than `width`.
QString cachedElidedText(const QFont& font, const QString& text, Qt::TextElideMode mode, qreal width);

/// Draws text with all digits as wide as 0, so that numbers line up in fonts with proportional figures. `flags`: horizontal alignment. The
/// text is vertically centred on the height of capitals unless a baseline is given.
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment flags, const QString& text);
void drawTabularAt(QPainter& painter, QPointF baseline, const QString& text);
qreal tabularWidth(const QFont& font, const QString& text);

/// Returns the baseline that centres capitals and digits in `rect`, on a whole pixel.
qreal centredBaseline(const QFont& font, const QRectF& rect);

/// Elides the text at the end and keeps at least two letters before the dots; empty if there is no room for them.
QString elidedLabel(const QFont& font, const QString& text, qreal width);

/// Paints the text of a table's cell in one line, elided at the end, with the model's display, alignment and foreground roles. A style's
/// own cell painting shapes and lays out each text at each paint, which took a third of the time to resize a window with tables.
void paintCell(QPainter& painter, const QRect& rect, const QModelIndex& index, const QFont& font,
               Qt::TextElideMode elision = Qt::ElideRight);

/// Width that paintCell() needs for the whole text, in pixels.
int cellWidth(const QString& text, const QFont& font);

} // namespace helio
