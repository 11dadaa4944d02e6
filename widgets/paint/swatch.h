#pragma once

#include "widgets/theme/theme.h"

#include <QPixmap>

class QPainter;

namespace helio {

/// A state's swatch in its own shape: as high as its bar would be, hatched, dashed or cut as it is. Between the lines of a hatched one the
/// ground shows through, or a tint of the state over `ground` where that is given.
void paintSwatch(QPainter& painter, const QRectF& box, const StateLook& look, const QColor& ground = {});
QPixmap swatchPixmap(const StateLook& look, int size, qreal ratio);

} // namespace helio
