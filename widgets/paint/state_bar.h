#pragma once

#include "widgets/theme/theme.h"

#include <QPixmap>

class QPainter;
class QRect;

namespace helio {

/// Hatched states have strokes at 45°, with a faint tint of the state's colour between the strokes.
inline constexpr double HatchTint = 0.35; ///< Weight of the state's colour in the tint between strokes, 0 to 1.

/// Bars with BarPattern::Fence, e.g. of throttled states, are a horizontal line with vertical lines below it. Between the vertical lines is
/// a tint of the state's colour.
inline constexpr double FenceTint = 0.38; ///< Weight of the state's colour in the tint between the vertical lines, 0 to 1.

/// True if a pixel is on a stroke of a hatch. `scale`: device pixels per pixel. Requires: x + y >= 0.
constexpr bool isOnHatchStroke(int x, int y, int scale) { return (x + y) % (5 * scale) < 2 * scale; }

/// Paints the bar of one state in the style of the time graph: hatched if the state is hatched, otherwise filled. The hatch begins at the
/// corner of the rectangle, without a background. Ignores heights, dashes and corners of the state.
void paintStateBar(QPainter& painter, const QRect& rect, const StateAppearance& look);

/// Paints the swatch of a state in the shape of its bars: with their height, hatch, dashes, cut corners or fence (see FenceTint). Between
/// the strokes of a hatch, the background is kept; if `ground` is valid, it is a tint of the state over `ground`.
void paintSwatch(QPainter& painter, const QRectF& box, const StateAppearance& look, const QColor& ground = {});
QPixmap swatchPixmap(const StateAppearance& look, int size, qreal ratio);

} // namespace helio
