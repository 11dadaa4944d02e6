// Painting of a time graph.

#include "core/query/rows/facts.h"
#include "widgets/paint/paint_cost.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/arrows/arrow_painter.h"
#include "widgets/timeline/graph/row_shade.h"
#include "widgets/timeline/graph/time_graph.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

namespace helio {

namespace {

/// Returns "Reading, 62 %", from the trace of the last row.
QString readingText(const TimeAxis& axis, const GraphRows& rows)
{
    const auto& timeline = axis.timeline();
    if (!timeline || isComplete(*timeline) || rows.count() == 0)
        return {};
    const TimeRange all = rangeOf(*timeline);
    const Timestamp known = std::clamp(knownUntil(*timeline, rows[rows.count() - 1].ref), all.begin, all.end);
    if (all.isEmpty() || known >= all.end)
        return {};
    const int percent = int(100.0 * double((known - all.begin).count()) / double(all.duration().count()));
    return (axis.isStopped() ? TimeGraph::tr("Stopped at %1 %. F5 reads again.") : TimeGraph::tr("Reading, %1 %")).arg(percent);
}

} // namespace

GraphScene TimeGraph::scene() const
{
    GraphScene scene;
    scene.theme = &theme();
    scene.fonts = &fonts();
    scene.looks = &m_looks;
    scene.timeline = axis().timeline().get();
    scene.rows = &m_rows;
    scene.hosts = &m_hosts;
    scene.lanes = &m_fetcher.lanes();
    scene.shares = &m_fetcher.shares();
    scene.calls = &m_calls.calls();
    scene.size = size();
    scene.labelWidth = axis().labelWidth();
    scene.scrollY = m_scroll->value();
    scene.pixelRatio = devicePixelRatioF();
    scene.scale = axis().scale(width());
    scene.selection = axis().shownRange();
    scene.selectedRow = selectedRow();
    scene.hoveredRow = m_hoveredRow;
    scene.relatedRow = m_rows.find(m_related);
    scene.lineScales = &m_fetcher.lineScales();
    scene.marked = m_mark.state();
    if (scene.marked)
        scene.marked->row = m_rows.find(m_mark.row());
    scene.losses = m_fetcher.losses();
    m_light = axis().light(); // The painted scene refers to it.
    scene.light = m_light.get();
    if (const auto& times = axis().rowTimes())
        scene.marks.push_back({times.get(), "flame.match", {1, 3}, 0.5});
    scene.marks.push_back({&axis().hitRows().times(), "mark.hit", {2, 2}});
    scene.reading = readingText(axis(), m_rows);
    scene.isPercentBare = m_isPercentBare;
    return scene;
}

LinkIds TimeGraph::shownLinks() const
{
    return axis().timeline() ? linkKindsInView(*axis().timeline(), m_linkView, axis().showsAllLinks()) : LinkIds();
}

ArrowLayoutContext TimeGraph::arrowLayoutContext() const
{
    ArrowLayoutContext place{axis().scale(width()),   height(), m_scroll->value(), selectedRow(), m_hoveredRow, m_fetcher.arrowTotal(),
                             m_fetcher.hasAllArrows()};
    place.timeline = axis().timeline().get();
    if (m_mark.state() && m_mark.row() == axis().window().row())
        place.selectedState = m_mark.state()->interval.range;
    if (m_hoveredRow >= 0 && axis().pointedRow() == m_rows[m_hoveredRow].ref)
        place.pointedState = axis().pointedState();
    return place;
}

ArrowLayout TimeGraph::arrowLayout() const
{
    const ArrowLayoutContext place = arrowLayoutContext();
    if (!axis().showsArrows() || !place.scale.isValid())
        return {};
    ArrowLayout layout = layOutArrows(m_fetcher.hasAllArrows() ? m_fetcher.arrows() : m_rowArrows.arrows(), m_rows, place);
    addHighlightedArrows(layout, place);
    return layout;
}

/// Adds the highlighted arrows over the others, which become faint.
void TimeGraph::addHighlightedArrows(ArrowLayout& layout, ArrowLayoutContext place) const
{
    const auto light = axis().light();
    if (!light || !isHighlightedBy(*light, m_rows))
        return;
    for (ArrowLine& line : layout.lines)
        line.light = ArrowLine::Light::Out;
    const auto lit = arrowsIn(*light, axis().window().visible());
    place.total = lit.size();
    place.areAll = true;
    for (ArrowLine& line : layOutArrows(lit, m_rows, place).lines) {
        line.light = ArrowLine::Light::In;
        layout.lines.push_back(std::move(line));
    }
}

void TimeGraph::scrollRows()
{
    tips().hide();
    axis().window().setScroll(m_view, m_scroll->value());
    m_frame.scrollTo(m_scroll->value(), !readingText(axis(), m_rows).isEmpty());
    requestLanes();
    requestCalls();
}

/// Paints the arrow that the user followed, and the one that all panels show, however many other arrows there are.
void TimeGraph::paintChosenArrows(QPainter& painter) const
{
    if (!axis().scale(width()).isValid())
        return;
    for (const std::optional<Arrow>& arrow : {m_followed, axis().shownArrow()})
        if (auto line = arrow ? layOutArrow(*arrow, m_rows, arrowLayoutContext()) : std::nullopt) {
            line->isFollowed = true;
            paintArrows(painter, {{*line}, {}}, timeArea(), theme(), axis().timeline().get());
        }
}

/// Paints an edge below the intervals that had the CPU instead, in the colour of the edge below the stolen time.
void TimeGraph::paintStealEdges(QPainter& painter) const
{
    constexpr double EdgeHeight = 2;
    const auto& all = axis().findCulpritIntervals();
    const TimeScale scale = axis().scale(width());
    if (!all || !scale.isValid())
        return;
    const QRect area = timeArea();
    const QColor color = theme().color("vm.preempted");
    for (const CulpritInterval& it : *all) {
        const int row = it.range.overlaps(scale.window()) ? m_rows.find(it.row) : -1;
        if (row < 0)
            continue;
        const double left = std::max(double(area.left()), area.left() + scale.xAt(it.range.begin));
        const double right = std::min(double(area.right() + 1), area.left() + scale.xAt(it.range.end));
        const double bottom = m_rows.top(row) - m_scroll->value() + m_rows.metrics(row).baseline();
        painter.fillRect(QRectF(left, bottom - EdgeHeight, std::max(1.0, right - left), EdgeHeight), color);
    }
}

/// Paints the row that a host's name would be dropped on.
void TimeGraph::paintTarget(QPainter& painter) const
{
    const int row = m_rows.find(axis().hosts().target());
    if (row < 0)
        return;
    const QRect rect(0, m_rows.top(row) - m_scroll->value(), width(), m_rows.metrics(row).height);
    QColor fill = theme().color("accent.fill");
    fill.setAlphaF(0.18F);
    painter.fillRect(rect, fill);
    painter.setPen(QPen(theme().color("accent.line"), 2));
    painter.drawRect(QRectF(rect).adjusted(1, 1, -1, -1));
}

void TimeGraph::paintEvent(QPaintEvent* event)
{
    const PaintStopwatch watch(PaintCost::instance().graphs);
    m_frame.compose([this] { return scene(); },
                    [this](QPainter& painter) {
                        if (m_rows.count() == 0)
                            m_empty.paint(painter, timeArea());
                    });
    QPainter painter(this);
    painter.setClipRegion(event->region());
    m_frame.paint(painter, event->region());
    paintStealEdges(painter);
    paintMarks(painter);
    paintChosenArrows(painter);
    paintTarget(painter);
    paintFocus(painter);
}

} // namespace helio
