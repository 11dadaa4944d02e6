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

} // namespace helio
