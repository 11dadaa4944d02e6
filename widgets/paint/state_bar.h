#pragma once

#include "widgets/theme/theme.h"

class QPainter;
class QRect;

namespace helio {

/// The hatch of states that are drawn so, wherever bars are: strokes at 45°, and a faint tint of the state between them.
inline constexpr double HatchTint = 0.35; ///< The colour's share between the strokes.

/// Whether a pixel is of a stroke. `scale`: device pixels a pixel. Requires: x + y >= 0.
constexpr bool isOnHatchStroke(int x, int y, int scale) { return (x + y) % (5 * scale) < 2 * scale; }

/// A bar of one state as the time graph draws it, hatched where the state is, else filled; its hatch begins at the rectangle's corner.
/// Heights, dashes and corners are not drawn. The ground shows through between strokes.
void paintStateBar(QPainter& painter, const QRect& rect, const StateLook& look);

} // namespace helio
