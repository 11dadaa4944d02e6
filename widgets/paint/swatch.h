#pragma once

#include "widgets/theme/theme.h"

#include <QPixmap>

class QPainter;

namespace helio {

/// Paints the swatch of a state in the shape of its bars: with their height, hatch, dashes or cut corners. Between the strokes of a hatch
/// the background stays, or, if `ground` is valid, becomes a tint of the state over `ground`.
void paintSwatch(QPainter& painter, const QRectF& box, const StateAppearance& look, const QColor& ground = {});
QPixmap swatchPixmap(const StateAppearance& look, int size, qreal ratio);

} // namespace helio
