#include "widgets/timeline/graph/row_shade.h"

#include "widgets/paint/text.h"
#include "widgets/timeline/graph/axis/time_marks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace helio {

namespace {

constexpr std::size_t MostLitArrows = 5000;

/// Returns the first highlighted interval that ends after `at`; nullptr if there is none.
const TimeRange* firstBehind(const HighlightMask& light, TrackRef track, Timestamp at)
{
    const auto row = light.rows.find(track);
    if (row == light.rows.end())
        return nullptr;
    const auto it = std::ranges::upper_bound(row->second, at, {}, &TimeRange::end);
    return it == row->second.end() ? nullptr : &*it;
}

/// True if the finding of the scene is about any row, in view or not.
bool hasFinding(const GraphScene& scene)
{
    for (int row = 0; scene.finding && row < scene.rows->count(); ++row)
        if (scene.isOfFinding(row))
            return true;
    return false;
}

} // namespace

bool isHighlightedBy(const HighlightMask& light, const GraphRows& rows)
{
    StoreIndex known{std::numeric_limits<std::uint32_t>::max()};
    for (int row = 0; row < rows.count(); ++row) {
        const TrackRef lane = rows[row].lane();
        if (lane.isValid() && lane.store != std::exchange(known, lane.store) && light.isIn(lane.store))
            return true;
    }
    return false;
}

std::vector<Arrow> arrowsIn(const HighlightMask& light, TimeRange window)
{
    const auto first = std::ranges::lower_bound(light.arrows, window.begin, {}, &Arrow::fromTime);
    const auto end = std::ranges::upper_bound(light.arrows, window.end, {}, &Arrow::fromTime);
    return std::size_t(end - first) > MostLitArrows ? std::vector<Arrow>() : std::vector<Arrow>(first, end);
}

RowShade::RowShade(const GraphScene& scene)
    : m_scene(scene)
    , m_area(scene.timeArea())
    , m_range{range()}
    , m_hasLight(scene.light && scene.scale.isValid() && isHighlightedBy(*scene.light, *scene.rows))
    , m_hasFinding(scene.scale.isValid() && hasFinding(scene))
    , m_isLit(m_hasLight || m_hasFinding)
{
    const auto [first, last] = scene.paintedRows();
    for (int row = first; m_isLit && row < last; ++row)
        m_parts.emplace(row, partsOf(row));
}

/// Returns the selected range in pixels; the whole area if none is selected.
RowShade::Part RowShade::range() const
{
    if (m_scene.selection.isEmpty())
        return {double(m_area.left()), double(m_area.right() + 1)};
    const auto x = [&](Timestamp t) {
        return std::clamp(m_area.left() + m_scene.scale.xAt(t), double(m_area.left()), double(m_area.right() + 1));
    };
    return {x(m_scene.selection.begin), x(m_scene.selection.end)};
}

/// Returns the lit intervals of a row; a heading is lit completely.
std::vector<RowShade::Part> RowShade::partsOf(int row) const
{
    const GraphRow& it = (*m_scene.rows)[row];
    const Part within = range();
    if (!it.lane().isValid())
        return {within};
    if (m_hasFinding && !m_scene.isOfFinding(row))
        return {};
    if (!m_hasLight)
        return {within};
    std::vector<TrackRef> tracks;
    if (it.ref.isValid())
        tracks.push_back(it.ref);
    if (it.sources)
        for (const LaneSource& source : *it.sources)
            tracks.push_back(source.track);
    std::erase_if(tracks, [&](TrackRef track) { return !m_scene.light->rows.contains(track); });
    return highlightedPartsOf(tracks, within);
}

/// Returns the highlighted intervals within a part. A pixel is lit if it contains any highlighted interval.
std::vector<RowShade::Part> RowShade::highlightedPartsOf(std::span<const TrackRef> tracks, const Part& within) const
{
    std::vector<Part> parts;
    const auto x = [&](Timestamp t) { return m_area.left() + m_scene.scale.xAt(t); };
    for (double at = std::round(within.begin); at < within.end;) {
        const Timestamp time = m_scene.scale.timeAt(at - m_area.left());
        const TimeRange* next = nullptr;
        for (const TrackRef track : tracks)
            if (const TimeRange* found = firstBehind(*m_scene.light, track, time); found && (!next || found->begin < next->begin))
                next = found;
        if (!next || x(next->begin) >= within.end)
            break;
        const double begin = std::max(at, std::floor(x(next->begin)));
        const double end = std::min(within.end, std::max(begin + 1, std::round(x(next->end))));
        if (!parts.empty() && parts.back().end >= begin)
            parts.back().end = std::max(parts.back().end, end);
        else
            parts.push_back({begin, end});
        at = std::max(end, at + 1);
    }
    return parts;
}

void RowShade::paint(QPainter& painter) const
{
    if (!m_isLit)
        return paintRangeShade(painter, m_scene.scale, m_scene.selection, m_area, *m_scene.theme);
    const QColor color = m_scene.theme->color("range.shade");
    int bottom = m_area.top();
    const auto shade = [&](int top, int height, const std::vector<Part>& parts) {
        double from = m_area.left();
        for (const Part& part : parts) {
            painter.fillRect(QRectF(from, top, part.begin - from, height), color);
            from = part.end;
        }
        painter.fillRect(QRectF(from, top, m_area.right() + 1 - from, height), color);
        bottom = std::max(bottom, top + height);
    };
    const auto [first, last] = m_scene.paintedRows();
    for (int row = first; row < last; ++row)
        shade(m_scene.rowTop(row), m_scene.rows->metrics(row).height, m_parts.at(row));
    if (bottom <= m_area.bottom())
        shade(bottom, m_area.bottom() + 1 - bottom, {range()});
}

void RowShade::drawText(QPainter& painter, int row, const QRectF& rect, const StateAppearance& look, const QString& text) const
{
    const QPointF baseline(rect.left(), centredBaseline(painter.font(), rect));
    const double right = rect.left() + cachedTextWidth(painter.font(), text);
    const std::vector<Part>& all = m_isLit ? m_parts.at(row) : m_range;
    const auto lit = std::ranges::upper_bound(all, rect.left(), {}, &Part::end);
    const bool isWhole = lit != all.end() && lit->begin <= rect.left() && lit->end >= right;
    painter.setPen(isWhole ? look.ink : look.shadedInk);
    drawCachedText(painter, baseline, text);
    if (isWhole || look.ink == look.shadedInk)
        return;
    painter.setPen(look.ink);
    for (auto it = lit; it != all.end() && it->begin < right; ++it) {
        painter.save();
        painter.setClipRect(QRectF(it->begin, rect.top(), it->end - it->begin, rect.height()), Qt::IntersectClip);
        drawCachedText(painter, baseline, text);
        painter.restore();
    }
}

} // namespace helio
