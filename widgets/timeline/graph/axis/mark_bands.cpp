#include "widgets/timeline/graph/axis/mark_bands.h"

#include "core/query/rows/facts.h"

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr double LeastWidth = 1; ///< In pixels, to either side.

std::vector<Timestamp> timesOf(const TimeMarks& marks)
{
    std::vector<Timestamp> times{marks.cursor};
    if (!marks.selection.isEmpty())
        times.insert(times.end(), {marks.selection.begin, marks.selection.end});
    return times;
}

} // namespace

MarkBands::MarkBands(const Timeline& timeline, std::uint32_t clockHost, const TimeMarks& marks, const QRect& timeArea,
                     const TimeScale& scale, std::span<const HostArea> areas)
{
    if (!scale.isValid())
        return;
    for (const HostArea& area : areas)
        addArea(timeline, clockHost, marks, timeArea, scale, area);
}

void MarkBands::addArea(const Timeline& timeline, std::uint32_t clockHost, const TimeMarks& marks, const QRect& timeArea,
                        const TimeScale& scale, const HostArea& area)
{
    const QRect rect = area.rect & timeArea;
    for (const Timestamp at : timesOf(marks)) {
        Duration error{};
        for (const std::uint32_t host : area.hosts)
            error = std::max(error, errorBetween(timeline, clockHost, host, at));
        if (error == UnknownError) {
            m_doubtful += rect;
            return;
        }
        const double width = std::min(scale.pixelsOf(error), 1e6);
        const double x = timeArea.left() + std::floor(std::clamp(scale.xAt(at), -2e6, 2e6)) + 0.5;
        const QRectF band = QRectF(x - width, rect.top(), 2 * width, rect.height()) & QRectF(timeArea);
        if (width >= LeastWidth && !band.isEmpty())
            m_bands.push_back(band);
    }
}

void MarkBands::paint(QPainter& painter, const Theme& theme) const
{
    for (const QRectF& band : m_bands)
        painter.fillRect(band, theme.color("mark.uncertainty"));
}

QRegion MarkBands::region() const
{
    QRegion region = m_doubtful;
    for (const QRectF& band : m_bands)
        region += band.toAlignedRect();
    return region;
}

std::uint32_t clockHost(const TimeAxis& axis)
{
    if (!axis.timeline())
        return 0;
    if (axis.hoveredHost())
        return *axis.hoveredHost();
    const TrackRef row = axis.window().row();
    return row.isValid() ? hostOf(*axis.timeline(), traceOf(*axis.timeline(), row)) : referenceHost(*axis.timeline());
}

} // namespace helio
