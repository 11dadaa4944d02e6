#pragma once

#include "core/timesync/host_headings.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/curves/curve_layout.h"

#include <QPainter>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// A series as the label column lists it and the time area draws it.
struct CurveLine {
    QString name;
    QString value; ///< At the pointer, else at the cursor; empty: there is none.
    QColor color;
    Curve curve; ///< In device pixels from the time area's left.
    std::optional<HostHeading> host = {}; ///< Whose it is, where there are several.
    bool isHidden = false;
    bool isOfSelectedRow = false;
    QString title = {}; ///< What it counts: those of one title share a scale where they have their own...
    ValueScale scale = {}; ///< ...which is this one. Not valid: the scene's.
    bool isOnTop = false; ///< It is drawn over all that are not.
};

/// The order in which they are drawn.
std::vector<std::size_t> fromBelow(std::span<const CurveLine> lines);

/// All that one picture of curves is made of. Refers to what its owner keeps; positions in device-independent pixels, the area's top left
/// at 0, 0. Who paints on screen and who paints to a file fill it alike.
struct CurveScene {
    const Theme* theme = nullptr;
    const Fonts* fonts = nullptr;
    const std::vector<CurveLine>* lines = nullptr;
    QSize size; ///< Label column and time area together.
    int labelWidth = 300;
    qreal pixelRatio = 1;
    TimeScale scale; ///< Over the time area, in device-independent pixels.
    const Ticks* ticks = nullptr; ///< Of time.
    ValueScale values;
    QString unit; ///< Of the values beside the scale; empty: none, or not the same for all.
    TimeRange selection;
    std::optional<Timestamp> knownUntil; ///< What lies behind is not read yet.
    int scrollY = 0; ///< Of the names.
    int hoveredName = -1;

    static constexpr int NameHeight = 18; ///< Of a line of the list.
    static constexpr int ScaleWidth = 58; ///< Of the values at the right of the label column.
    static constexpr int TicksWidth = 8; ///< Of the scale without them.
    static constexpr int Margin = 6; ///< Above the highest value and below the lowest.

    QRect timeArea() const { return {labelWidth, 0, std::max(0, size.width() - labelWidth), size.height()}; }
    /// Over the time area, in device pixels.
    TimeScale deviceScale() const { return {scale.window(), std::round(scale.width() * pixelRatio)}; }
    double yOf(double value) const { return size.height() - Margin - values.shareOf(value) * (size.height() - 2 * Margin); }
    double yOf(const CurveLine& line, double value) const
    {
        return yOf(line.scale.isValid() ? values.low + line.scale.shareOf(value) * (values.high - values.low) : value);
    }
    /// The scene's are none of any: no numbers stand beside it.
    bool hasOwnScales() const
    {
        return lines && std::ranges::any_of(*lines, [](const CurveLine& line) { return line.scale.isValid(); });
    }
    /// Where the names end, and the scale begins where there are numbers beside it.
    int namesRight() const { return labelWidth - (hasOwnScales() ? TicksWidth : ScaleWidth); }
    int nameTop(int line) const { return 4 + line * NameHeight - scrollY; }
    /// How many steps the scale of a picture of that height has.
    static int stepsFor(int height) { return std::clamp((height - 2 * Margin) / 26, 1, 8); }
    /// That all names take.
    static int heightOf(int lines) { return 8 + lines * NameHeight; }
};

/// That there are more names than fit, "+2", at the end of the last one that is in view.
struct MoreNames {
    int count = 0; ///< Out of view, above or below.
    int line = -1; ///< That it stands in.
    QRectF place;

    QString text() const { return QStringLiteral("+%1").arg(count); }
};
/// Nothing: all are in view, or none is.
std::optional<MoreNames> moreNames(const CurveScene& scene);

/// Ground, grid, curves, and what lies over them but for the marks that move.
void paintCurves(QPainter& painter, const CurveScene& scene);

/// Names with their values, and the scale.
void paintCurveLabels(QPainter& painter, const CurveScene& scene);

} // namespace helio
