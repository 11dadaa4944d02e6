#pragma once

#include "core/query/hosts/link_times.h"
#include "widgets/theme/theme.h"
#include "widgets/timegraph/axis/time_marks.h"
#include "widgets/timegraph/rows/graph_rows.h"

#include <QRegion>

#include <vector>

namespace helio {

/// How wide the cursor and the range's edges are on the rows of hosts other than the one that is spoken of: as its clock and theirs may be
/// wrong beside each other. Over the rows in view, at most some tens of rectangles.
class MarkBands {
public:
    /// Rows [first, last), the first one's top at `top`, in an area.
    struct Place {
        const GraphRows* rows = nullptr;
        int first = 0;
        int last = 0;
        int scrollY = 0;
        QRect area;
        TimeScale scale;
    };

    MarkBands() = default;
    MarkBands(const Timeline& timeline, std::uint32_t spokenHost, const TimeMarks& marks, const Place& place);

    void paint(QPainter& painter, const Theme& theme) const;
    QRegion region() const; ///< That they cover.
    /// The rows of hosts whose clocks nothing relates to the one that is spoken of: the cursor is no moment there.
    const QRegion& doubtful() const { return m_doubtful; }

private:
    void addHost(const Timeline& timeline, std::uint32_t spokenHost, std::uint32_t host, const TimeMarks& marks, const Place& place,
                 int top, int bottom);

    std::vector<QRectF> m_bands;
    QRegion m_doubtful;
};

/// The host that times are read on: that of the hovered row, else of the selected one, else the reference.
std::uint32_t spokenHost(const TimeAxis& axis);

} // namespace helio
