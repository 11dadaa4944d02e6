#pragma once

#include "widgets/theme/theme.h"

#include <QPixmap>

class QPainter;

namespace helio {

/// A state's swatch in its own shape: as high as its bar would be, hatched, dashed or cut as it is.
void paintSwatch(QPainter& painter, const QRectF& box, const StateLook& look);
QPixmap swatchPixmap(const StateLook& look, int size, qreal ratio);

} // namespace helio
