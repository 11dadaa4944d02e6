#pragma once

#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/axis/time_axis.h"

#include <QPainter>
#include <QRect>
#include <QRegion>

namespace helio {

/// The places that every time panel shows at the same x: cursor, pointer, the range's edges, bookmarks.
struct TimeMarks {
    TimeScale scale;
    Timestamp cursor;
    std::optional<Timestamp> hovered;
    TimeRange selection;
    std::optional<Timestamp> snapped; ///< An edge that Alt holds to a boundary.
    std::vector<Timestamp> bookmarks;
    QRegion doubtful = {}; ///< Where the cursor is no moment: its line is dashed.

    static TimeMarks of(const TimeAxis& axis, int width);
};

/// Over a panel's time area; `withHover` false where the crosshair does not reach.
void paintTimeMarks(QPainter& painter, const TimeMarks& marks, const QRect& area, const Theme& theme, bool withHover = true);

/// Darkens what of `area` lies outside of the selected range. Nothing where none is selected.
void paintRangeShade(QPainter& painter, const TimeScale& scale, TimeRange selection, const QRect& area, const Theme& theme);

/// Columns of `area` that change when the marks do: what has to be painted again.
QRegion changedColumns(const TimeMarks& before, const TimeMarks& after, const QRect& area);

} // namespace helio
