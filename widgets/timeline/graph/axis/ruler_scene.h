#pragma once

#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"

#include <QPainter>
#include <QSize>

#include <optional>
#include <vector>

namespace helio {

/// All that a picture of the ruler is made of. Positions in device-independent pixels.
struct RulerScene {
    struct Flag {
        TimeRange range;
        QString name;
    };

    QSize size;
    int labelWidth = 300;
    TimeScale scale; ///< Over the time area.
    TimeFormat format;
    std::optional<Timestamp> cursor;
    std::optional<Timestamp> hovered;
    TimeRange selection;
    std::optional<Timestamp> snapped;
    bool isZooming = false; ///< The range is one to zoom to.
    std::vector<Flag> bookmarks;
    std::vector<Timestamp> hits;
    std::optional<Timestamp> end; ///< Of the file.
};

constexpr int RulerHeight = 30;

void paintRuler(QPainter& painter, const RulerScene& scene, const Theme& theme, const Fonts& fonts);

/// Where a bookmark's flag stands.
QRectF flagRect(const RulerScene& scene, const RulerScene::Flag& flag, const Fonts& fonts);

} // namespace helio
