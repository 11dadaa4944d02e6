#include "widgets/timeline/graph/graph_frame.h"

#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/arrows/arrow_painter.h"

#include <QWidget>

namespace helio {

GraphFrame::GraphFrame(QWidget& owner, const TimeAxis& axis, const GraphRows& rows, std::function<ArrowLayout()> layOut)
    : m_owner(owner)
    , m_axis(axis)
    , m_rows(rows)
    , m_layOut(std::move(layOut))
{
}

QRect GraphFrame::timeArea() const
{
    const int left = m_axis.labelWidth();
    return {left, 0, std::max(0, m_owner.width() - left), m_owner.height()};
}

void GraphFrame::markOld(const QRect& rect)
{
    m_picture.markOld(rect);
    m_owner.update(rect);
}

void GraphFrame::refresh()
{
    m_areArrowsOld = true;
    markOld(m_owner.rect());
}

void GraphFrame::refreshBars()
{
    m_areArrowsOld = true;
    markOld(timeArea());
}

void GraphFrame::refreshLabels() { markOld({0, 0, m_axis.labelWidth(), m_owner.height()}); }

void GraphFrame::refreshRow(int row)
{
    if (row >= 0 && row < m_rows.count())
        markOld({0, m_rows.top(row) - m_scrollY, m_owner.width(), m_rows.metrics(row).height});
}

void GraphFrame::refreshLitRows(int hovered, int selected)
{
    for (const int row : {m_hoveredRow, m_selectedRow, hovered, selected})
        refreshRow(row);
    refreshArrows();
}

/// Marks only the areas between the old and the new edges of the selected range for repainting, because only there the shade appears or
/// disappears.
void GraphFrame::refreshRange()
{
    const TimeRange before = m_range;
    const TimeRange now = m_axis.shownRange();
    const TimeScale scale = m_axis.scale(m_owner.width());
    if (before.isEmpty() || now.isEmpty() || !scale.isValid())
        return refreshBars();
    for (const auto& [a, b] : {std::pair(before.begin, now.begin), std::pair(before.end, now.end)}) {
        const auto x = [&](Timestamp t) { return int(std::clamp(scale.xAt(t), -4.0, scale.width() + 4)); };
        const QRect columns(m_axis.labelWidth() + x(std::min(a, b)) - 2, 0, x(std::max(a, b)) - x(std::min(a, b)) + 5, m_owner.height());
        markOld(columns & timeArea());
    }
}

void GraphFrame::refreshArrows()
{
    if (!m_areArrowsOld && !(m_layOut() == m_arrows))
        refreshBars();
}

void GraphFrame::refreshTicks()
{
    m_ticksScale = {};
    refreshBars();
}

/// Moves the picture by the scrolled distance. If there are arrows, repaints the picture instead, because arrows fade at the edge of the
/// view and do not just move.
void GraphFrame::scrollTo(int y, bool hasStillWords)
{
    const int dy = y - std::exchange(m_scrollY, y);
    if (m_areArrowsOld || !m_arrows.lines.empty() || hasStillWords)
        return refresh();
    m_picture.scroll(dy);
    m_arrows = m_layOut();
    if (!m_arrows.lines.empty())
        refreshBars();
    m_owner.update();
}

void GraphFrame::compose(const std::function<GraphScene()>& scene, const std::function<void(QPainter&)>& over)
{
    m_picture.resize(m_owner.size(), m_owner.devicePixelRatioF());
    if (!m_picture.isOld())
        return;
    GraphScene now = scene();
    if (now.scale != m_ticksScale) {
        m_ticks = ticksFor(now.scale, m_axis.format());
        m_ticksScale = now.scale;
    }
    now.ticks = &m_ticks;
    if (std::exchange(m_areArrowsOld, false))
        m_arrows = m_layOut();
    m_hoveredRow = now.hoveredRow;
    m_selectedRow = now.selectedRow;
    m_range = now.selection;
    m_picture.compose(std::move(now), [&](QPainter& painter, const GraphScene& part) {
        paintArrows(painter, m_arrows, part.timeArea(), *part.theme, part.timeline);
        over(painter);
    });
}

void GraphFrame::paint(QPainter& painter, const QRegion& region) const
{
    for (const QRect& part : region)
        m_picture.paint(painter, part);
}

} // namespace helio
