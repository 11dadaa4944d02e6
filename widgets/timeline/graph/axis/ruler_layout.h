#pragma once

#include "widgets/timeline/graph/axis/ruler_scene.h"

#include <vector>

namespace helio {

/// Positions of the ruler's flags and of the pill with the selected range's duration. They do not overlap while there is room. Unit:
/// device-independent pixels.
struct RulerLayout {
    static constexpr int Top = 5; ///< Top of the cursor's flag and of the pill.
    static constexpr int Height = 20;
    static constexpr double Notch = 4; ///< Depth of the notch at the right end of a bookmark's flag.
    static constexpr double Padding = 5; ///< Space left of a bookmark's name.

    std::vector<QRectF> bookmarks; ///< Flags of RulerScene::bookmarks, in their order; each stands right of its line.
    QString cursorText;
    QRectF cursor; ///< Flag right of the cursor's line, or left of it if there is no room; empty if the cursor is out of view.
    QString pillText;
    /// Duration of the selected range: inside the range, or beside a range that is too short; empty if the range is out of view.
    QRectF pill;
};

RulerLayout layOutRuler(const RulerScene& scene, const Fonts& fonts);

} // namespace helio
