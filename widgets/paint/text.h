#pragma once

#include <QModelIndex>
#include <QPainter>
#include <QString>

namespace helio {

/// Draws text like QPainter::drawText(), but shapes each text only once, because shaping costs more than drawing all bars. For short
/// texts that are drawn repeatedly. There is one cache per font.
void drawCachedText(QPainter& painter, QPointF baseline, const QString& text);
/// Draws text like drawCachedText(); for a text whose position and colour do not change from frame to frame, e.g. in tables and labels. On
/// a screen, its pixels are cached, which costs a third of drawing its glyphs.
void drawPixelCachedText(QPainter& painter, QPointF baseline, const QString& text);
qreal cachedTextWidth(const QFont& font, const QString& text);
/// Returns the part of a text that is measured and drawn: `text` unless it is wider than any screen; otherwise dots replace the part that
/// would not fit. Texts of traces may have megabytes, which take seconds to shape.
QString drawablePart(const QString& text, Qt::TextElideMode mode = Qt::ElideRight);
/// Returns `text`, elided if it is wider than `width` in device-independent pixels. The last results are cached per font.
QString cachedElidedText(const QFont& font, const QString& text, Qt::TextElideMode mode, qreal width);

/// Returns a name, elided in the middle if it is wider than `width`. If the name begins with an address, the address's last digits are
/// kept, because they distinguish the names of locks: "…1a2c40 futex of work (260)".
QString elidedName(const QFont& font, const QString& name, qreal width);

/// Draws text with all digits as wide as 0, so that numbers line up in fonts with proportional figures. `flags`: horizontal alignment. The
/// text is vertically centred by the height of capitals, unless a baseline is given.
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment flags, const QString& text);
void drawTabularAt(QPainter& painter, QPointF baseline, const QString& text);
qreal tabularWidth(const QFont& font, const QString& text);

/// Returns the baseline, on a whole pixel, that centres capitals and digits vertically in `rect`.
qreal centredBaseline(const QFont& font, const QRectF& rect);

/// Elides a text at the end, with at least two letters before the dots; empty if there is no room for them.
QString elidedLabel(const QFont& font, const QString& text, qreal width);

/// Paints the text of a table cell in one line, elided by elidedName() for Qt::ElideMiddle, with the display, alignment and foreground
/// roles of the model. The cell painting of a style shapes each text on each paint, which took a third of the time to resize a window with
/// tables.
void paintCell(QPainter& painter, const QRect& rect, const QModelIndex& index, const QFont& font,
               Qt::TextElideMode elision = Qt::ElideRight);

/// Width in pixels that paintCell() needs for the complete text.
int cellWidth(const QString& text, const QFont& font);

} // namespace helio
