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

/// Rectangle of a time panel, and the hosts whose rows lie in it.
struct HostArea {
    QRect rect;
    std::vector<std::uint32_t> hosts;
};

/// Bands around the cursor and the edges of the selected range that show the error bound of the clocks: in areas of other hosts than the
/// reference of the marks (clockHost()), a band is as wide as the error bound between the two clocks.
/// Cost: only areas in view are given, which makes some tens of rectangles at most.
class MarkBands {
public:
    MarkBands() = default;
    /// `scale` covers `timeArea`. In an area with several hosts, the host with the largest error bound counts.
    MarkBands(const Timeline& timeline, std::uint32_t clockHost, const TimeMarks& marks, const QRect& timeArea, const TimeScale& scale,
              std::span<const HostArea> areas);

    void paint(QPainter& painter, const Theme& theme) const;
    QRegion region() const; ///< Region that the bands and the doubtful areas cover.
    /// Areas of hosts whose clocks are not related to the clock of `clockHost`: the cursor's time means nothing there.
    const QRegion& doubtful() const { return m_doubtful; }

private:
    void addArea(const Timeline& timeline, std::uint32_t clockHost, const TimeMarks& marks, const QRect& timeArea, const TimeScale& scale,
                 const HostArea& area);

    std::vector<QRectF> m_bands;
    QRegion m_doubtful;
};

/// Returns the host whose clock the times of the marks are read on: the host under the pointer, otherwise the host of the selected row,
/// otherwise the reference host.
std::uint32_t clockHost(const TimeAxis& axis);

} // namespace helio
