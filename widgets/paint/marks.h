#pragma once

#include <QColor>
#include <QIcon>
#include <QPainter>

namespace helio {

/// Paints a hatch of strokes at 45°, `step` apart along x, without a background. Strokes are aligned to the painter's origin, so that
/// adjacent hatches join.
void paintHatch(QPainter& painter, const QRectF& rect, const QColor& color, qreal step, qreal stroke);

/// Icons on a grid of 16 x 16 pixels, drawn by a stroke of width 1.4 with round caps and without fill.
enum class Glyph { ChevronDown, ChevronRight, Filter, Pin, More, Close, Magnifier, Check, Eye, List };
void paintGlyph(QPainter& painter, const QRectF& rect, Glyph glyph, const QColor& color);
QIcon glyphIcon(Glyph glyph, const QColor& color, const QColor& disabled);

/// Paints a filled triangle whose tip points down to `tip`.
void paintTriangle(QPainter& painter, QPointF tip, qreal width, qreal height, const QColor& color);

/// Paints a disc with the rank of a finding, in the painter's font. `ink`: colour of the number.
void paintRankDisc(QPainter& painter, const QRectF& rect, int rank, const QColor& color, const QColor& ink);

} // namespace helio
