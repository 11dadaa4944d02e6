#pragma once

#include <QPainter>
#include <QString>

namespace helio {

/// Text whose digits are all as wide as 0, so that numbers line up in fonts whose figures do not by themselves.
/// `flags`: horizontal alignment; vertically centred on capitals' height unless a baseline is given.
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment flags, const QString& text);
void drawTabularAt(QPainter& painter, QPointF baseline, const QString& text);
qreal tabularWidth(const QFont& font, const QString& text);

/// The baseline that centres capitals and digits in a line of pixels.
qreal centredBaseline(const QFont& font, const QRectF& rect);

/// Elided at the end, keeping at least two letters before the dots; empty where there is no room for that.
QString elidedLabel(const QFontMetricsF& metrics, const QString& text, qreal width);

} // namespace helio
