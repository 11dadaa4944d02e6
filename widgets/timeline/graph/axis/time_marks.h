#pragma once

#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/axis/time_axis.h"

#include <QPainter>
#include <QRect>
#include <QRegion>

namespace helio {

/// Times that every time panel marks at the same x: cursor, pointer, edges of the selected range, bookmarks.
struct TimeMarks {
    TimeScale scale;
    Timestamp cursor;
    std::optional<Timestamp> hovered;
    TimeRange selection;
    std::optional<Timestamp> snapped; ///< Edge of the range that snapped to a boundary; nullopt if none.
    std::vector<Timestamp> bookmarks;
    QRegion doubtful = {}; ///< Areas where the cursor's time means nothing, as the clocks are not related; its line is dashed there.

    static TimeMarks of(const TimeAxis& axis, int width);
};

/// Paints the marks over a panel's time area. `withHover` is false if the line at the pointer is not wanted.
void paintTimeMarks(QPainter& painter, const TimeMarks& marks, const QRect& area, const Theme& theme, bool withHover = true);

/// Darkens the parts of `area` outside of the selected range; does nothing if none is selected.
void paintRangeShade(QPainter& painter, const TimeScale& scale, TimeRange selection, const QRect& area, const Theme& theme);

/// Returns the columns of `area` to repaint when the marks change from `before` to `after`.
QRegion changedColumns(const TimeMarks& before, const TimeMarks& after, const QRect& area);

} // namespace helio
