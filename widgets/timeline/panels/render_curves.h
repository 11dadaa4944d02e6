#pragma once

#include "widgets/timeline/panels/render.h"

namespace helio {

// What render.h promises, of views of counters.

int countCurves(const RenderRequest& request);
int curvesHeight(int count); ///< With the names of so many, ruler included.
int naturalCurvesHeight(const RenderRequest& request);

/// Below the ruler, at 0, 0. Asks for all at once: slow.
void paintCurvesView(QPainter& painter, const RenderRequest& request, const Theme& theme, qreal pixelRatio, std::stop_token stop);

} // namespace helio
