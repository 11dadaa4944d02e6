#pragma once

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/arrows/arrow_layout.h"

#include <QPainter>

namespace helio {

/// Paints arrows, clipped to the time area. Lines that leave the area at the top or bottom fade out there.
void paintArrows(QPainter& painter, const ArrowLayout& layout, const QRect& area, const Theme& theme, const Timeline* timeline);

} // namespace helio
