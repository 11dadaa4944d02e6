#pragma once

#include "core/timesync/link_times.h"
#include "widgets/theme/theme.h"
#include "widgets/time/time_scale.h"
#include "widgets/timeline/graph/axis/time_marks.h"

#include <QRegion>

#include <span>
#include <vector>

namespace helio {

/// A part of what a time panel shows, and the hosts whose times it shows there.
struct HostArea {
    QRect rect;
    std::vector<std::uint32_t> hosts;
};

/// How wide the cursor and the range's edges are where a panel shows hosts other than the one that is spoken of: as its clock and theirs
/// may be wrong beside each other. Over what is in view, at most some tens of rectangles.
class MarkBands {
public:
    MarkBands() = default;
    /// The scale is over the time area. Where an area has several hosts, the one that is least sure counts.
    MarkBands(const Timeline& timeline, std::uint32_t spokenHost, const TimeMarks& marks, const QRect& timeArea, const TimeScale& scale,
              std::span<const HostArea> areas);

    void paint(QPainter& painter, const Theme& theme) const;
    QRegion region() const; ///< That they cover.
    /// The areas of hosts whose clocks nothing relates to the one that is spoken of: the cursor is no moment there.
    const QRegion& doubtful() const { return m_doubtful; }

private:
    void addArea(const Timeline& timeline, std::uint32_t spokenHost, const TimeMarks& marks, const QRect& timeArea, const TimeScale& scale,
                 const HostArea& area);

    std::vector<QRectF> m_bands;
    QRegion m_doubtful;
};

/// The host that times are read on: that of what is under the pointer, else of the selected one, else the reference.
std::uint32_t spokenHost(const TimeAxis& axis);

} // namespace helio
