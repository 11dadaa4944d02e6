#pragma once

#include "widgets/timeline/graph/axis/ruler_scene.h"

#include <vector>

namespace helio {

/// Where the ruler's flags and its pill stand, so that none covers another while there is room. Device-independent pixels.
struct RulerPlaces {
    static constexpr int Top = 5; ///< Of the cursor's flag and the pill.
    static constexpr int Height = 20;
    static constexpr double Notch = 4; ///< Of a bookmark's flag, at its right.
    static constexpr double Padding = 5; ///< Left of a bookmark's name.

    std::vector<QRectF> bookmarks; ///< As in the scene, each right of its line.
    QString cursorText;
    QRectF cursor; ///< Right of the cursor, left of it where there is no room; empty where the cursor is out of view.
    QString pillText;
    QRectF pill; ///< Of the selected range: in it, or beside it where it is too short; empty where the range is out of view.
};

RulerPlaces rulerPlaces(const RulerScene& scene, const Fonts& fonts);

} // namespace helio
