#include "widgets/timegraph/axis/mark_bands.h"

#include "core/query/rows/facts.h"

namespace helio {

namespace {

constexpr double LeastWidth = 1; ///< Pixels, to either side.

std::vector<Timestamp> timesOf(const TimeMarks& marks)
{
    std::vector<Timestamp> times{marks.cursor};
    if (!marks.selection.isEmpty())
        times.insert(times.end(), {marks.selection.begin, marks.selection.end});
    return times;
}

} // namespace

MarkBands::MarkBands(const Timeline& timeline, std::uint32_t spokenHost, const TimeMarks& marks, const Place& place)
{
    if (!place.scale.isValid())
        return;
    const GraphRows& rows = *place.rows;
    for (int row = place.first; row < place.last;) {
        const std::uint32_t host = rows[row].host;
        const int top = rows.top(row) - place.scrollY;
        while (row < place.last && rows[row].host == host)
            ++row;
        if (host != spokenHost)
            addHost(timeline, spokenHost, host, marks, place, top, rows.top(row) - place.scrollY);
    }
}

void MarkBands::addHost(const Timeline& timeline, std::uint32_t spokenHost, std::uint32_t host, const TimeMarks& marks, const Place& place,
                        int top, int bottom)
{
    const QRect rows = QRect(place.area.left(), top, place.area.width(), bottom - top) & place.area;
    for (const Timestamp at : timesOf(marks)) {
        const Duration error = errorBetween(timeline, spokenHost, host, at);
        if (error == UnknownError) {
            m_doubtful += rows;
            return;
        }
        const double width = std::min(place.scale.pixelsOf(error), 1e6);
        const double x = place.area.left() + std::floor(std::clamp(place.scale.xAt(at), -2e6, 2e6)) + 0.5;
        const QRectF band = QRectF(x - width, rows.top(), 2 * width, rows.height()) & QRectF(place.area);
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

std::uint32_t spokenHost(const TimeAxis& axis)
{
    if (!axis.timeline())
        return 0;
    if (axis.hoveredHost())
        return *axis.hoveredHost();
    const TrackRef row = axis.window().row();
    return row.isValid() ? hostOf(*axis.timeline(), traceOf(*axis.timeline(), row)) : referenceHost(*axis.timeline());
}

} // namespace helio
