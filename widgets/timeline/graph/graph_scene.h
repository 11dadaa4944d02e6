#pragma once

#include "core/profiling/samples/row_times.h"
#include "core/query/rows/row_light.h"
#include "core/query/rows/statistics.h"
#include "core/timesync/host_headings.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/lanes/lane.h"
#include "widgets/timeline/graph/lanes/lane_looks.h"
#include "widgets/timeline/graph/lanes/line_scales.h"
#include "widgets/timeline/graph/rows/cursor_calls.h"
#include "widgets/timeline/graph/rows/graph_rows.h"

#include <QImage>
#include <QPainter>

#include <map>
#include <memory>
#include <optional>
#include <span>

namespace helio {

/// A state that is outlined: the selected one.
struct MarkedState {
    int row = -1;
    Interval interval;
    QString text; ///< "fdatasync   6.102 ms": above a bar too low to hold it.
};

/// Moments in the tick lane of their rows.
struct RowMarks {
    const RowTimes* times = nullptr;
    const char* role = nullptr; ///< The theme's colour.
    QSizeF size; ///< Of one of them.
    double faintest = 1; ///< Opacity of a pixel with the fewest; the one with the most of a row has the whole colour.
};

/// All that one picture of a time graph's rows is made of. Refers to what its owner keeps; positions in device-independent pixels,
/// the area's top left at 0, 0. Painted by the functions below; who paints on screen and who paints to a file fill it alike.
struct GraphScene {
    const Theme* theme = nullptr;
    const Fonts* fonts = nullptr;
    LaneLooks* looks = nullptr;
    const Timeline* timeline = nullptr;
    const GraphRows* rows = nullptr;
    const std::vector<HostHeading>* hosts = nullptr; ///< Of the timeline. Null: rows of hosts have their names alone.
    const Lanes* lanes = nullptr;
    const Shares* shares = nullptr;
    const CallsByRow* calls = nullptr; ///< At the cursor. Null: it is nowhere.
    QSize size; ///< Label column and time area together.
    int labelWidth = 300;
    int scrollY = 0;
    qreal pixelRatio = 1;
    TimeScale scale; ///< Over the time area, in device-independent pixels.
    const Ticks* ticks = nullptr;
    TimeRange selection;
    int selectedRow = -1;
    int hoveredRow = -1;
    int relatedRow = -1; ///< Has to do with the selected one: lit like a hovered one, with an edge of its own.
    const LineScales* lineScales = nullptr; ///< Of the rows' lines.
    std::optional<MarkedState> marked;
    std::span<const LossRange> losses;
    std::vector<RowMarks> marks; ///< The last ones lie on top.
    const RowLight* light = nullptr; ///< Of rows that it speaks of all else is faded. Null: nothing is.
    QString reading; ///< "Reading, 62 %"; empty: all is read.
    bool isPercentBare = false; ///< "35" and not "35 %": the column's title says it.

    QRect clip; ///< What is painted; null: all.

    QRect timeArea() const { return {labelWidth, 0, std::max(0, size.width() - labelWidth), size.height()}; }
    QRect painted() const { return clip.isNull() ? QRect(QPoint(), size) : clip & QRect(QPoint(), size); }
    /// Rows in view: [first, last).
    std::pair<int, int> visibleRows() const { return rowsBetween(0, size.height()); }
    /// Those of them that are painted.
    std::pair<int, int> paintedRows() const { return rowsBetween(painted().top(), painted().bottom() + 1); }
    std::pair<int, int> rowsBetween(int top, int bottom) const;
    /// Of a row: what its tile must look like. Lines in device pixels.
    TileShape tileShape(int row) const;
    TileShape laneShape(TrackRef track) const; ///< Shape of the tile of a lane in a row.
    int device(double y) const { return qRound(y * pixelRatio); }
    int rowTop(int row) const { return rows->top(row) - scrollY; }
};

/// The bars of all rows in view, grid and row backgrounds, into an image of the whole size in device pixels. Only the time area's part of
/// what is to be painted is touched.
void renderBars(const GraphScene& scene, QImage& image);

/// What lies over them: shade, labels, marks of the unknown, the outlined state.
void paintTimeArea(QPainter& painter, const GraphScene& scene);

/// Names, ids, meters.
void paintLabelColumn(QPainter& painter, const GraphScene& scene);

/// Where the label column says how the clock of a host's row is related to the others, in a row of that rectangle. Empty: it does not.
QRectF clockChipOf(const GraphScene& scene, int row, const QRect& rect);

/// Where the label column has the number of the depths that are hidden below a row of that rectangle: "+4".
QRect hiddenDepthsChip(const QRect& row);

} // namespace helio
