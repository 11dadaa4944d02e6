#pragma once

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"

#include <QPainter>
#include <QSize>

#include <optional>
#include <vector>

namespace helio {

/// Complete input for painting the ruler. Positions are in device-independent pixels.
struct RulerScene {
    struct Flag {
        TimeRange range;
        QString name;
    };

    QSize size;
    int labelWidth = 300;
    TimeScale scale; ///< Scale of the visible range over the area right of the label column.
    TimeFormat format;
    std::optional<Timestamp> cursor;
    std::optional<Timestamp> hovered;
    TimeRange selection;
    std::optional<Timestamp> snapped;
    bool isZooming = false; ///< True if `selection` is the range that the user drags to zoom in; false for the selected range.
    std::vector<Flag> bookmarks;
    std::vector<Timestamp> hits;
    std::vector<TimeRange> findingRanges; ///< Occurrences of the selected finding.
    QString findingColor; ///< Theme role of their colour, or "#rrggbb".
    std::optional<Timestamp> end; ///< End of the experiment, if the ruler marks it; nullopt otherwise.
};

constexpr int RulerHeight = 30;

void paintRuler(QPainter& painter, const RulerScene& scene, const Theme& theme, const Fonts& fonts);

/// Returns the rectangle of a bookmark's flag, right of its line.
QRectF flagRect(const RulerScene& scene, const RulerScene::Flag& flag, const Fonts& fonts);

/// Rectangles of the ruler's flags and of the pill with the selected range's duration, in device-independent pixels. They do not overlap if
/// there is room.
struct RulerLayout {
    static constexpr int Top = 5; ///< y of the top edge of the cursor's flag and of the pill.
    static constexpr int Height = 20;
    static constexpr double Notch = 4; ///< Depth of the notch at the right end of a bookmark's flag.
    static constexpr double Padding = 5; ///< Space left of the name in a bookmark's flag.

    /// Rectangles of the bookmarks' flags, in the order of RulerScene::bookmarks; each flag is right of its line.
    std::vector<QRectF> bookmarks;
    QString cursorText;
    QRectF cursor; ///< Rectangle of the cursor's flag, right of its line, or left if there is no room; empty if the cursor is out of view.
    QString pillText;
    /// Rectangle of the pill with the selected range's duration: inside the range, or beside it if the range is too short; empty if the
    /// range is out of view.
    QRectF pill;
};

RulerLayout layOutRuler(const RulerScene& scene, const Fonts& fonts);

} // namespace helio
