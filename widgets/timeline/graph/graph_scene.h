#pragma once

#include "core/profiling/samples/row_times.h"
#include "core/query/rows/highlight_mask.h"
#include "core/query/rows/statistics.h"
#include "core/timesync/host_headings.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/lanes/lane.h"
#include "widgets/timeline/graph/lanes/lane_styles.h"
#include "widgets/timeline/graph/lanes/line_scales.h"
#include "widgets/timeline/graph/rows/graph_rows.h"
#include "widgets/timeline/graph/rows/row_calls.h"

#include <QImage>
#include <QPainter>
#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <span>

namespace helio {

/// State with an outline: the selected one.
struct MarkedState {
    int row = -1;
    Interval interval;
    QString text; ///< "fdatasync   6.102 ms"; painted above a bar that is too low for it.
};

/// Times to mark in the tick lane of their rows.
struct RowMarks {
    const RowTimes* times = nullptr;
    const char* role = nullptr; ///< Theme role of the colour.
    QSizeF size; ///< Size of one mark.
    double faintest = 1; ///< Opacity of a pixel with the fewest times; the pixel of a row with the most times is opaque.
};

/// All input of a picture of a time graph's rows. Refers to data of its owner. Positions are in device-independent pixels; 0, 0 is the top
/// left of the area. Painted by the functions below, on screen and for files.
struct GraphScene {
    const Theme* theme = nullptr;
    const Fonts* fonts = nullptr;
    LaneStyles* looks = nullptr;
    const Timeline* timeline = nullptr;
    const GraphRows* rows = nullptr;
    const std::vector<HostHeading>* hosts = nullptr; ///< Headings of the timeline's hosts; nullptr if rows of hosts only show their names.
    const Lanes* lanes = nullptr;
    const Shares* shares = nullptr;
    const CallsByRow* calls = nullptr; ///< Calls at the cursor; nullptr if there is no cursor.
    QSize size; ///< Size of label column and time area together.
    int labelWidth = 300;
    int scrollY = 0;
    qreal pixelRatio = 1;
    TimeScale scale; ///< Scale of the time area in device-independent pixels.
    const Ticks* ticks = nullptr;
    TimeRange selection;
    int selectedRow = -1;
    int hoveredRow = -1;
    /// Row related to the selected one, for example its CPU: highlighted like a hovered row, with an edge of its own; -1 if none.
    int relatedRow = -1;
    const LineScales* lineScales = nullptr; ///< Scales of the lines below rows.
    std::optional<MarkedState> marked;
    std::span<const LossRange> losses;
    std::vector<RowMarks> marks; ///< Later ones are painted over earlier ones.
    /// Highlighted intervals: other parts of the rows with highlighted stores are faded. nullptr if nothing is highlighted.
    const HighlightMask* light = nullptr;
    QString reading; ///< "Reading, 62 %"; empty if all traces are indexed.
    bool isPercentBare = false; ///< True for "35" instead of "35 %", if the column's title has the unit.

    QRect clip; ///< Part to paint; a null rectangle for all.

    QRect timeArea() const { return {labelWidth, 0, std::max(0, size.width() - labelWidth), size.height()}; }
    QRect painted() const { return clip.isNull() ? QRect(QPoint(), size) : clip & QRect(QPoint(), size); }
    /// Rows in view: [first, last).
    std::pair<int, int> visibleRows() const { return rowsBetween(0, size.height()); }
    /// Returns the rows in view that are in painted(): [first, last).
    std::pair<int, int> paintedRows() const { return rowsBetween(painted().top(), painted().bottom() + 1); }
    std::pair<int, int> rowsBetween(int top, int bottom) const;
    /// Returns the shape that the tile of a row must have, in device pixels.
    TileShape tileShape(int row) const;
    TileShape laneShape(TrackRef track) const; ///< Returns the shape of the tile of a lane within a row.
    int device(double y) const { return qRound(y * pixelRatio); }
    int rowTop(int row) const { return rows->top(row) - scrollY; }
};

/// Renders the bars of all rows in view, with grid and row backgrounds, into an image of the whole size in device pixels. Writes only the
/// time area's part of painted().
void renderBars(const GraphScene& scene, QImage& image);

/// Paints what lies over the bars: shade, labels, marks of lost events and unread parts, the outlined state.
void paintTimeArea(QPainter& painter, const GraphScene& scene);

/// Paints names, ids and meters.
void paintLabelColumn(QPainter& painter, const GraphScene& scene);

/// Returns the rectangle of the chip that shows how the clock of a host's row is related to the reference clock. `rect` is that of the row.
/// Empty if the row has no chip.
QRectF clockChipOf(const GraphScene& scene, int row, const QRect& rect);

/// Returns the rectangle of the chip with the number of depths hidden below a row, for example "+4". `row` is the rectangle of the row.
QRect hiddenDepthsChip(const QRect& row);

/// Returns a share as text: "94 %", "4.6 %", or a dash if it is 0. If `isLowerBound`, the share may be higher: the text is rounded down and
/// begins with "≥", for example "≥93.9 %". `share` is 0 to 1, or more for the sum of several rows. `isBare` omits " %".
QString shareText(double share, bool isLowerBound, bool isBare);

} // namespace helio
