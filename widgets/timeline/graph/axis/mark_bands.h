#pragma once

#include "core/timesync/link_times.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_scale.h"
#include "widgets/timeline/graph/axis/time_marks.h"

#include <QRegion>

#include <span>
#include <vector>

namespace helio {

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
