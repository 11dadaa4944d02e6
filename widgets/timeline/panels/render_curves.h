#pragma once

#include "widgets/timeline/panels/render.h"

namespace helio {

// Implementation of render.h for views of counters.

int countCurves(const RenderRequest& request);
int curvesHeight(int count); ///< Height for `count` names, ruler included.
int naturalCurvesHeight(const RenderRequest& request);

/// Paints below the ruler, at 0, 0. Queries all data, which is slow.
void paintCurvesView(QPainter& painter, const RenderRequest& request, const Theme& theme, qreal pixelRatio, std::stop_token stop);

} // namespace helio
