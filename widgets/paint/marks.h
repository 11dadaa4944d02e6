#pragma once

#include <QColor>
#include <QIcon>
#include <QPainter>

namespace helio {

/// Strokes at 45°, `step` apart along x, on nothing. The phase is that of the painter's origin, so that neighbours join.
void paintHatch(QPainter& painter, const QRectF& rect, const QColor& color, qreal step, qreal stroke);

/// Icons of look.md: on a 16 grid, one 1.4 stroke, round caps, no fill.
enum class Glyph { ChevronDown, ChevronRight, Filter, Pin, More, Close, Magnifier, Check, Eye, List };
void paintGlyph(QPainter& painter, const QRectF& rect, Glyph glyph, const QColor& color);
QIcon glyphIcon(Glyph glyph, const QColor& color, const QColor& disabled);

/// A triangle that points down, filled.
void paintTriangle(QPainter& painter, QPointF tip, qreal width, qreal height, const QColor& color);

} // namespace helio
