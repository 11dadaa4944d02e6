#pragma once

#include "core/timesync/host_headings.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/curves/curve_layout.h"

#include <QPainter>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// Series as listed in the label column and drawn in the time area.
struct CurveLine {
    QString name;
    QString value; ///< Value at the pointer, otherwise at the cursor; empty if there is none.
    QColor color;
    Curve curve; ///< x is in device pixels from the time area's left.
    std::optional<HostHeading> host = {}; ///< Host of the series, if there are several hosts.
    bool isHidden = false;
    bool isOfSelectedRow = false;
    QString title = {}; ///< Title of the counter. Lines with the same title share a scale where scales are separate.
    ValueScale scale = {}; ///< Own scale of the line; if invalid, the scene's scale applies.
    bool isOnTop = false; ///< True if the line is drawn over all lines for which this is false.
};

/// Returns the indexes of the lines in drawing order, from the lowest to the topmost.
std::vector<std::size_t> drawingOrder(std::span<const CurveLine> lines);

/// All input of a picture of curves. Refers to data of its owner. Positions are in device-independent pixels; 0, 0 is the top left of the
/// area. Filled in the same way for the screen and for files.
struct CurveScene {
    const Theme* theme = nullptr;
    const Fonts* fonts = nullptr;
    const std::vector<CurveLine>* lines = nullptr;
    QSize size; ///< Size of label column and time area together.
    int labelWidth = 300;
    qreal pixelRatio = 1;
    TimeScale scale; ///< Scale of the time area in device-independent pixels.
    const Ticks* ticks = nullptr; ///< Ticks of the time axis.
    ValueScale values;
    QString unit; ///< Unit of the numbers beside the scale; empty if there is none, or if the series have different units.
    TimeRange selection;
    std::optional<Timestamp> knownUntil; ///< Time from which on the series are not indexed yet; nullopt if all is indexed.
    int scrollY = 0; ///< Scroll position of the names.
    int hoveredName = -1;

    static constexpr int NameHeight = 18; ///< Height of a name in the list.
    static constexpr int ScaleWidth = 58; ///< Width of the numbers at the right of the label column.
    static constexpr int TicksWidth = 8; ///< Width of the scale without numbers.
    static constexpr int Margin = 6; ///< Space above the highest value and below the lowest.

    QRect timeArea() const { return {labelWidth, 0, std::max(0, size.width() - labelWidth), size.height()}; }
    /// Scale of the time area in device pixels.
    TimeScale deviceScale() const { return {scale.window(), std::round(scale.width() * pixelRatio)}; }
    double yOf(double value) const { return size.height() - Margin - values.shareOf(value) * (size.height() - 2 * Margin); }
    double yOf(const CurveLine& line, double value) const
    {
        return yOf(line.scale.isValid() ? values.low + line.scale.shareOf(value) * (values.high - values.low) : value);
    }
    /// True if lines have scales of their own. No numbers stand beside the scene's scale then, as it belongs to no line.
    bool hasOwnScales() const
    {
        return lines && std::ranges::any_of(*lines, [](const CurveLine& line) { return line.scale.isValid(); });
    }
    /// Right edge of the names, where the scale begins.
    int namesRight() const { return labelWidth - (hasOwnScales() ? TicksWidth : ScaleWidth); }
    int nameTop(int line) const { return 4 + line * NameHeight - scrollY; }
    /// Maximum number of the scale's steps in a picture of that height.
    static int stepsFor(int height) { return std::clamp((height - 2 * Margin) / 26, 1, 8); }
    /// Height of a list of names.
    static int heightOf(int lines) { return 8 + lines * NameHeight; }
};

/// The chip "+2" at the end of the last name in view, which tells that not all names fit.
struct HiddenNamesChip {
    int count = 0; ///< Number of names that are out of view, above or below.
    int line = -1; ///< Index of the name beside which the chip stands.
    QRectF place;

    QString text() const { return QStringLiteral("+%1").arg(count); }
};
/// Returns the chip; nullopt if all names are in view, or if none is.
std::optional<HiddenNamesChip> hiddenNamesChip(const CurveScene& scene);

/// Paints ground, grid, curves and everything over them except the time marks.
void paintCurves(QPainter& painter, const CurveScene& scene);

/// Paints the names with their values, and the scale.
void paintCurveLabels(QPainter& painter, const CurveScene& scene);

/// Scales for curves of different counters, e.g. cycles by the billion and page faults by the hundred. Curves with the same title share a
/// scale. It is kept while the visible range moves; see followed().
class OwnScales {
public:
    /// Sets the scale of each line by its title, from `ranges`: the values of each line in view, empty for hidden lines. Until the whole
    /// visible range is known, scales do not shrink. Returns false, and sets no scales, if all shown lines have the same title. `steps`
    /// is that of scaleFor().
    bool apply(std::vector<CurveLine>& lines, std::span<const ValueRange> ranges, bool isWholeKnown, int steps);
    void forget() { m_scales.clear(); }

private:
    std::map<QString, ValueScale> m_scales; ///< Key: title.
};

} // namespace helio
