#pragma once

#include <QPainter>
#include <QString>

namespace helio {

/// The same as QPainter::drawText(), but a text that was drawn before is not shaped again: that costs more than all bars. Short texts that
/// come again only: what is known is kept by font.
void drawKnownText(QPainter& painter, QPointF baseline, const QString& text);
/// The same for a text that stays where it is, and what it looks like, from picture to picture: in tables and labels. On a screen it is
/// kept as pixels, which cost a third of its glyphs.
void drawStillText(QPainter& painter, QPointF baseline, const QString& text);
qreal knownWidth(const QFont& font, const QString& text);
/// What of a text is measured and drawn: texts of traces may be megabytes, which take seconds to shape. The same text unless it is longer
/// than any screen is wide; else dots stand for the rest.
QString drawablePart(const QString& text, Qt::TextElideMode mode = Qt::ElideRight);
/// Elided where it is wider.
QString knownElided(const QFont& font, const QString& text, Qt::TextElideMode mode, qreal width);

/// Text whose digits are all as wide as 0, so that numbers line up in fonts whose figures do not by themselves.
/// `flags`: horizontal alignment; vertically centred on capitals' height unless a baseline is given.
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment flags, const QString& text);
void drawTabularAt(QPainter& painter, QPointF baseline, const QString& text);
qreal tabularWidth(const QFont& font, const QString& text);

/// The baseline that centres capitals and digits in a line of pixels.
qreal centredBaseline(const QFont& font, const QRectF& rect);

/// Elided at the end, keeping at least two letters before the dots; empty where there is no room for that.
QString elidedLabel(const QFont& font, const QString& text, qreal width);

} // namespace helio
