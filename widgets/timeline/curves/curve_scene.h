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

/// One series: its name in the label column and its curve in the time area.
struct CurveLine {
    QString name;
    QString value; ///< Value at the pointer's time, or at the cursor if the pointer is outside; empty if the series has no value there.
    QColor color;
    Curve curve; ///< Curve to draw; x in device pixels from the left of the time area.
    std::optional<HostHeading> host = {}; ///< Host of the series; nullopt if the experiment has one host.
    bool isHidden = false;
    bool isOfSelectedRow = false;
    /// Title of the counter. If lines have separate scales (see OwnScales), all lines with the same title share one scale.
    QString title = {};
    ValueScale scale = {}; ///< Own scale of the line; if invalid, the line uses the scale of the scene.
    bool isOnTop = false; ///< True if the line is drawn above all lines without this flag.
};

/// Returns the indexes of the lines in drawing order, from the lowest to the topmost.
std::vector<std::size_t> drawingOrder(std::span<const CurveLine> lines);

/// Complete input for painting curves, filled in the same way for the screen and for picture files. Positions are in device-independent
/// pixels from the top left of the area.
/// Ownership: refers to data of the caller.
struct CurveScene {
    const Theme* theme = nullptr;
    const Fonts* fonts = nullptr;
    const std::vector<CurveLine>* lines = nullptr;
    QSize size; ///< Size of the whole area: label column and time area.
    int labelWidth = 300;
    qreal pixelRatio = 1;
    TimeScale scale; ///< Scale of the time area in device-independent pixels.
    const Ticks* ticks = nullptr; ///< Ticks of the time axis, at which vertical grid lines are drawn; nullptr for none.
    ValueScale values;
    QString unit; ///< Unit of the scale's numbers; empty if the series have no unit, or different units.
    TimeRange selection;
    std::optional<Timestamp> knownUntil; ///< End of the indexed range of the series; nullopt if they are completely indexed.
    int scrollY = 0; ///< Scroll offset of the list of names, in pixels.
    int hoveredName = -1;

    static constexpr int NameHeight = 18; ///< Height of a name in the list, in pixels.
    static constexpr int ScaleWidth = 58; ///< Width of the scale with numbers, at the right of the label column, in pixels.
    static constexpr int TicksWidth = 8; ///< Width of the scale without numbers, in pixels.
    static constexpr int Margin = 6; ///< Space above the highest and below the lowest value, in pixels.

    QRect timeArea() const { return {labelWidth, 0, std::max(0, size.width() - labelWidth), size.height()}; }
    /// Scale of the time area in device pixels.
    TimeScale deviceScale() const { return {scale.window(), std::round(scale.width() * pixelRatio)}; }
    double yOf(double value) const { return size.height() - Margin - values.shareOf(value) * (size.height() - 2 * Margin); }
    double yOf(const CurveLine& line, double value) const
    {
        return yOf(line.scale.isValid() ? values.low + line.scale.shareOf(value) * (values.high - values.low) : value);
    }
    /// True if lines have scales of their own. The scene's scale then has no numbers, because no line uses it.
    bool hasOwnScales() const
    {
        return lines && std::ranges::any_of(*lines, [](const CurveLine& line) { return line.scale.isValid(); });
    }
    /// Right edge of the names, where the scale begins.
    int namesRight() const { return labelWidth - (hasOwnScales() ? TicksWidth : ScaleWidth); }
    int nameTop(int line) const { return 4 + line * NameHeight - scrollY; }
    /// Maximum number of scale steps in a picture of height `height`.
    static int stepsFor(int height) { return std::clamp((height - 2 * Margin) / 26, 1, 8); }
    /// Height in pixels of a list of `lines` names.
    static int heightOf(int lines) { return 8 + lines * NameHeight; }
};

/// The chip "+2" beside the last name in view: it shows how many names are out of view.
struct HiddenNamesChip {
    int count = 0; ///< Number of names out of view, above or below.
    int line = -1; ///< Index in CurveScene::lines of the name beside which the chip is drawn; -1 if no name is in view.
    QRectF place;

    QString text() const { return QStringLiteral("+%1").arg(count); }
};
/// Returns the chip that counts the names out of view. It is drawn beside a name in view, so the result is nullopt if no name is in view,
/// or if all names are.
std::optional<HiddenNamesChip> hiddenNamesChip(const CurveScene& scene);

/// Paints background, grid, curves and everything above the curves except the time marks.
void paintCurves(QPainter& painter, const CurveScene& scene);

/// Paints the names with their values, and the scale.
void paintCurveLabels(QPainter& painter, const CurveScene& scene);

/// Separate scales for curves of different counters, e.g. cycles in billions and page faults in hundreds. Curves with the same title share
/// a scale. While the visible range moves, a scale is kept as long as followed() keeps it.
class OwnScales {
public:
    /// Sets CurveLine::scale of each line; lines with the same title get the same scale. Returns false, and sets no scales, if all shown
    /// lines have the same title.
    /// - `ranges`: values in view of each line; empty ranges for hidden lines
    /// - `isWholeKnown`: true if the whole visible range is loaded; until then, scales do not shrink
    /// - `steps`: passed to scaleFor()
    bool apply(std::vector<CurveLine>& lines, std::span<const ValueRange> ranges, bool isWholeKnown, int steps);
    void forget() { m_scales.clear(); }

private:
    std::map<QString, ValueScale> m_scales; ///< Scales of the curves, keyed by CurveLine::title.
};

} // namespace helio
