#pragma once

#include "core/profiling/samples/row_times.h"
#include "core/query/rows/highlight_mask.h"
#include "core/query/rows/statistics.h"
#include "core/timesync/host_headings.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/time/finding_marks.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/lanes/lane.h"
#include "widgets/timeline/graph/lanes/lane_styles.h"
#include "widgets/timeline/graph/lanes/line_scales.h"
#include "widgets/timeline/graph/rows/graph_rows.h"
#include "widgets/timeline/graph/rows/row_calls.h"

#include <QImage>
#include <QPainter>
#include <QString>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace helio {

/// State with an outline, because the user selected it.
struct MarkedState {
    int row = -1;
    Interval interval;
    QString text; ///< Label of the state, e.g. "fdatasync   6.102 ms"; painted above the bar if the bar is too low.
};

/// Times to mark in the tick lanes of their rows.
struct RowMarks {
    const SampleTimesByRow* times = nullptr;
    const char* role = nullptr; ///< Theme role of the marks' colour.
    QSizeF size; ///< Size of one mark in pixels.
    /// Opacity, 0 to 1, of a mark with very few times. The opacity grows linearly with the number of times in the mark, up to 1 for the
    /// mark with the most times in its row.
    double faintest = 1;
};

/// Complete input for painting the rows of a time graph, on screen and in picture files. Positions are in device-independent pixels from
/// the top left of the area.
/// Ownership: refers to data of the caller.
struct GraphScene {
    const Theme* theme = nullptr;
    const Fonts* fonts = nullptr;
    LaneStyles* looks = nullptr;
    const Timeline* timeline = nullptr;
    const GraphRows* rows = nullptr;
    const std::vector<HostHeading>* hosts = nullptr; ///< Headings of the timeline's hosts; nullptr if rows of hosts show only their names.
    const Lanes* lanes = nullptr;
    const Shares* shares = nullptr;
    const CallsByRow* calls = nullptr; ///< Calls at the cursor by row; nullptr if there is no cursor.
    QSize size; ///< Size of the whole area: label column and time area.
    int labelWidth = 300;
    int scrollY = 0;
    qreal pixelRatio = 1;
    TimeScale scale; ///< Scale of the time area in device-independent pixels.
    const Ticks* ticks = nullptr;
    TimeRange selection;
    int selectedRow = -1;
    int hoveredRow = -1;
    std::vector<int> boxRows; ///< Indexes of the rows selected by a box, ascending.
    int pinnableRow = -1; ///< Index of the row that shows the button that pins or unpins it; -1 if none.
    bool isPinned = false; ///< True if the rows are pinned, so that the button unpins them.
    /// Index of the row of the selected row's counterpart at the cursor: the CPU of a thread, or the thread on a CPU. The row is
    /// highlighted like a hovered row, with an edge of its own; -1 if there is none.
    int relatedRow = -1;
    const LineScales* lineScales = nullptr; ///< Scales of the numbers drawn as lines below rows.
    std::optional<MarkedState> marked;
    std::span<const LossRange> losses;
    std::vector<RowMarks> marks; ///< Marks on rows; later entries are painted over earlier ones.
    /// Highlighted intervals; nullptr if nothing is highlighted. In rows of a store with highlighted intervals, all other intervals are
    /// faded.
    const HighlightMask* light = nullptr;
    /// Marks of the selected finding; nullptr if there are none. If the scene has rows of the finding, all other rows are shaded.
    const FindingMarks* finding = nullptr;
    QString reading; ///< Indexing progress, e.g. "Reading, 62 %"; empty if all traces are indexed.
    bool isPercentBare = false; ///< True to write shares as "35" instead of "35 %", because the title of the column has the unit.

    QRect clip; ///< Rectangle to paint; null to paint everything.

    QRect timeArea() const { return {labelWidth, 0, std::max(0, size.width() - labelWidth), size.height()}; }
    QRect painted() const { return clip.isNull() ? QRect(QPoint(), size) : clip & QRect(QPoint(), size); }
    /// Returns the rows in view as [first, last).
    std::pair<int, int> visibleRows() const { return rowsBetween(0, size.height()); }
    /// Returns the rows that overlap painted(), as [first, last).
    std::pair<int, int> paintedRows() const { return rowsBetween(painted().top(), painted().bottom() + 1); }
    std::pair<int, int> rowsBetween(int top, int bottom) const;
    /// Returns the shape that the bars of a row are requested with, in device pixels.
    TileShape tileShape(int row) const;
    TileShape laneShape(TrackRef track) const; ///< Returns the shape of the tile to request for `track`, one of GraphRow::lanes.
    int device(double y) const { return qRound(y * pixelRatio); }
    int rowTop(int row) const { return rows->top(row) - scrollY; }
    bool isOfFinding(int row) const; ///< True if `finding` is about the row, or about a row that it sums up or shows as a lane.
    bool isSelected(int row) const { return row == selectedRow || std::ranges::binary_search(boxRows, row); }
    /// Returns the rectangle from the first to the last row of the box, over the selected range; empty if there is no box.
    QRect boxRect() const;
};

/// Renders the bars of all rows in view, with grid and row backgrounds. `image` has the size of the whole area in device pixels; only the
/// part of painted() inside the time area is written.
void renderBars(const GraphScene& scene, QImage& image);

/// Paints everything above the bars: shade, labels, marks of lost events and of ranges that are not indexed, and the outlined state.
void paintTimeArea(QPainter& painter, const GraphScene& scene);

/// Paints the label column: names, ids and meters.
void paintLabelColumn(QPainter& painter, const GraphScene& scene);

/// Returns the rectangle of the chip that shows how the clock of a host is related to the reference clock; empty if the row has no chip.
/// `rect` is the rectangle of the row.
QRectF clockChipOf(const GraphScene& scene, int row, const QRect& rect);

/// Returns the rectangle of the button that pins or unpins a row; empty if the row cannot be pinned. `rect` is the rectangle of the row.
QRect pinButtonOf(const GraphScene& scene, int row, const QRect& rect);

/// Returns the rectangle of the chip, e.g. "+4", with the number of call depths hidden below a row. `row` is the rectangle of the row.
QRect hiddenDepthsChip(const QRect& row);

/// Formats a share: "94 %", "4.6 %", or a dash for 0. `share` is 0 to 1, or more for a sum of several rows. If `isLowerBound`, the text is
/// rounded down and starts with "≥", e.g. "≥93.9 %". `isBare` omits " %".
QString shareText(double share, bool isLowerBound, bool isBare);

} // namespace helio
