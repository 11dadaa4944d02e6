#pragma once

#include "core/timesync/link_times.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_scale.h"
#include "widgets/timeline/graph/axis/time_axis.h"

#include <QPainter>
#include <QRect>
#include <QRegion>

#include <span>
#include <vector>

namespace helio {

/// Times that every time panel marks by vertical lines: cursor, pointer, edges of the selected range, bookmarks.
struct TimeMarks {
    TimeScale scale;
    Timestamp cursor;
    std::optional<Timestamp> hovered;
    TimeRange selection;
    std::optional<Timestamp> snapped; ///< Time that a dragged edge of the range snapped to; nullopt if none.
    std::vector<Timestamp> bookmarks;
    /// Areas of hosts whose clocks are not related to the clock of the cursor's time; the cursor's line is dashed there.
    QRegion doubtful = {};

    static TimeMarks of(const TimeAxis& axis, int width);
};

/// Paints the marks over a panel's time area. `withHover` is false to omit the line at the pointer.
void paintTimeMarks(QPainter& painter, const TimeMarks& marks, const QRect& area, const Theme& theme, bool withHover = true);

/// Darkens `area` outside of the selected range; does nothing if no range is selected.
void paintRangeShade(QPainter& painter, const TimeScale& scale, TimeRange selection, const QRect& area, const Theme& theme);

/// Returns the pixel columns of `area` to repaint when the marks change from `before` to `after`.
QRegion changedColumns(const TimeMarks& before, const TimeMarks& after, const QRect& area);

/// Rectangle of consecutive rows in a time panel, and the hosts of these rows.
struct HostArea {
    QRect rect;
    std::vector<std::uint32_t> hosts;
};

/// Bands around the cursor and the edges of the selected range that show the error bound of the clocks. In areas of other hosts than
/// clockHost(), a band is as wide as the error bound between the two clocks.
/// Cost: some tens of rectangles at most, because the caller only passes areas in view.
class MarkBands {
public:
    MarkBands() = default;
    /// Computes the bands of the marks in each area. `scale` is the scale of `timeArea`. In an area with several hosts, the bands are as
    /// wide as the largest error bound of these hosts.
    MarkBands(const Timeline& timeline, std::uint32_t clockHost, const TimeMarks& marks, const QRect& timeArea, const TimeScale& scale,
              std::span<const HostArea> areas);

    void paint(QPainter& painter, const Theme& theme) const;
    QRegion region() const; ///< Region that is covered by the bands and by doubtful().
    /// Areas of hosts whose clocks are not related to the clock of `clockHost`: the cursor's time has no meaning there.
    const QRegion& doubtful() const { return m_doubtful; }

private:
    void addArea(const Timeline& timeline, std::uint32_t clockHost, const TimeMarks& marks, const QRect& timeArea, const TimeScale& scale,
                 const HostArea& area);

    std::vector<QRectF> m_bands;
    QRegion m_doubtful;
};

/// Returns the host whose clock measures the times of the marks: the host under the pointer, otherwise the host of the selected row,
/// otherwise the reference host.
std::uint32_t clockHost(const TimeAxis& axis);

} // namespace helio
