#include "widgets/timeline/graph/axis/time_marks.h"

#include "core/query/rows/facts.h"

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr double LeastWidth = 1; ///< Minimum width in pixels of an error band on each side of its mark.

std::vector<Timestamp> timesOf(const TimeMarks& marks)
{
    std::vector<Timestamp> times{marks.cursor};
    if (!marks.selection.isEmpty())
        times.insert(times.end(), {marks.selection.begin, marks.selection.end});
    return times;
}

} // namespace

TimeMarks TimeMarks::of(const TimeAxis& axis, int width)
{
    TimeMarks marks;
    marks.scale = axis.scale(width);
    marks.cursor = axis.window().cursor();
    marks.hovered = axis.window().hovered();
    marks.selection = axis.shownRange();
    marks.snapped = axis.snapped();
    for (const Bookmark& bookmark : axis.bookmarks().all())
        marks.bookmarks.push_back(bookmark.range.begin);
    return marks;
}

namespace {

std::optional<int> column(const TimeMarks& marks, Timestamp at, const QRect& area)
{
    if (!marks.scale.isValid() || at < marks.scale.window().begin || at > marks.scale.window().end)
        return std::nullopt;
    return area.left() + int(marks.scale.xAt(at));
}

/// Paints the cursor's line, dashed inside the `doubtful` region.
void paintCursor(QPainter& painter, const QRect& line, const QRegion& doubtful, const QColor& color)
{
    constexpr int Dash = 4;
    for (const QRect& part : QRegion(line) - doubtful)
        painter.fillRect(part, color);
    for (const QRect& part : doubtful& line)
        for (int y = part.top(); y <= part.bottom(); y += 2 * Dash)
            painter.fillRect(QRect(part.left(), y, 1, std::min(Dash, part.bottom() + 1 - y)), color);
}

} // namespace

void paintTimeMarks(QPainter& painter, const TimeMarks& marks, const QRect& area, const Theme& theme, bool withHover)
{
    painter.save();
    painter.setClipRect(area.adjusted(0, 0, 1, 0), Qt::IntersectClip);
    const auto line = [&](int x, const QColor& color, int width = 1) {
        painter.fillRect(QRect(x, area.top(), width, area.height()), color);
    };
    for (const Timestamp at : marks.bookmarks) {
        if (const auto x = column(marks, at, area))
            line(*x, theme.color("mark.bookmark"));
    }
    if (!marks.selection.isEmpty()) {
        for (const Timestamp at : {marks.selection.begin, marks.selection.end}) {
            if (const auto x = column(marks, at, area))
                line(*x, theme.color(marks.snapped == at ? "range.snap" : "range.edge"));
        }
    }
    if (const auto x = withHover && marks.hovered ? column(marks, *marks.hovered, area) : std::nullopt) {
        QPen pen(theme.color("cursor.hover"), 1, Qt::CustomDashLine, Qt::FlatCap);
        pen.setDashPattern({2, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(*x + 0.5, area.top()), QPointF(*x + 0.5, area.bottom() + 1));
    }
    if (const auto x = column(marks, marks.cursor, area)) {
        line(*x - 1, theme.color("cursor.halo"), 3);
        paintCursor(painter, QRect(*x, area.top(), 1, area.height()), marks.doubtful, theme.color("cursor.line"));
    }
    painter.restore();
}

void paintRangeShade(QPainter& painter, const TimeScale& scale, TimeRange selection, const QRect& area, const Theme& theme)
{
    if (selection.isEmpty())
        return;
    const auto x = [&](Timestamp t) { return std::clamp(area.left() + scale.xAt(t), double(area.left()), double(area.right() + 1)); };
    const double left = std::round(x(selection.begin));
    const double right = std::round(x(selection.end));
    const QColor color = theme.color("range.shade");
    painter.fillRect(QRectF(area.left(), area.top(), left - area.left(), area.height()), color);
    painter.fillRect(QRectF(right, area.top(), area.right() + 1 - right, area.height()), color);
}

QRegion changedColumns(const TimeMarks& before, const TimeMarks& after, const QRect& area)
{
    if (before.scale != after.scale || before.bookmarks != after.bookmarks)
        return area;
    QRegion region;
    const auto add = [&](const TimeMarks& marks, Timestamp at) {
        if (const auto x = column(marks, at, area))
            region += QRect(*x - 2, area.top(), 5, area.height());
    };
    if (before.selection != after.selection || before.snapped != after.snapped) {
        for (const TimeMarks* marks : {&before, &after}) {
            if (marks->selection.isEmpty())
                continue;
            add(*marks, marks->selection.begin);
            add(*marks, marks->selection.end);
        }
    }
    if (before.cursor != after.cursor) {
        add(before, before.cursor);
        add(after, after.cursor);
    }
    if (before.hovered != after.hovered) {
        if (before.hovered)
            add(before, *before.hovered);
        if (after.hovered)
            add(after, *after.hovered);
    }
    return region;
}

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
