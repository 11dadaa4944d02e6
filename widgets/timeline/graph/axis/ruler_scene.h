#pragma once

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"

#include <QPainter>
#include <QSize>

#include <optional>
#include <vector>

namespace helio {

/// All input of a picture of the ruler. Positions are in device-independent pixels.
struct RulerScene {
    struct Flag {
        TimeRange range;
        QString name;
    };

    QSize size;
    int labelWidth = 300;
    TimeScale scale; ///< Scale of the time area.
    TimeFormat format;
    std::optional<Timestamp> cursor;
    std::optional<Timestamp> hovered;
    TimeRange selection;
    std::optional<Timestamp> snapped;
    bool isZooming = false; ///< True if `selection` is the range being dragged to zoom to, not the selected range.
    std::vector<Flag> bookmarks;
    std::vector<Timestamp> hits;
    std::optional<Timestamp> end; ///< End of the experiment; nullopt if it is not marked.
};

constexpr int RulerHeight = 30;

void paintRuler(QPainter& painter, const RulerScene& scene, const Theme& theme, const Fonts& fonts);

/// Returns the rectangle of a bookmark's flag.
QRectF flagRect(const RulerScene& scene, const RulerScene::Flag& flag, const Fonts& fonts);

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
